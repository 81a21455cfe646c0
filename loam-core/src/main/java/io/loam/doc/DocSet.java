package io.loam.doc;

import java.util.function.IntConsumer;

/** An immutable set of doc ids of one leaf, as 64-bit words. */
public final class DocSet {
  private final long[] words;
  private final int size;
  private final int cardinality;

  private DocSet(long[] words, int size) {
    this.words = words;
    this.size = size;
    int bits = 0;
    for (long w : words) {
      bits += Long.bitCount(w);
    }
    this.cardinality = bits;
  }

  /**
   * Takes {@code words} over, which must hold {@code (size + 63) / 64} words and no bit at or past
   * {@code size}.
   */
  public static DocSet ofWords(long[] words, int size) {
    if (words.length != wordCount(size)) {
      throw new IllegalArgumentException("words=" + words.length + " size=" + size);
    }
    return new DocSet(words, size);
  }

  public static DocSet all(int size) {
    long[] words = new long[wordCount(size)];
    java.util.Arrays.fill(words, -1L);
    if ((size & 63) != 0) {
      words[words.length - 1] = (1L << size) - 1;
    }
    return new DocSet(words, size);
  }

  public static DocSet none(int size) {
    return new DocSet(new long[wordCount(size)], size);
  }

  /** How many words a set over {@code size} doc ids has. */
  public static int wordCount(int size) {
    return (size + 63) >>> 6;
  }

  public boolean contains(int doc) {
    return (words[doc >>> 6] & (1L << doc)) != 0;
  }

  /** The number of doc ids that could be in this set: the leaf's document count. */
  public int size() {
    return size;
  }

  public int cardinality() {
    return cardinality;
  }

  /** How many members lie from {@code from}, a multiple of 64, to before {@code to}. */
  public int cardinality(int from, int to) {
    int bits = 0;
    for (int i = from >>> 6; i < wordCount(to); i++) {
      bits += Long.bitCount(i == (to - 1) >>> 6 ? words[i] & -1L >>> -to : words[i]);
    }
    return bits;
  }

  public boolean isAll() {
    return cardinality == size;
  }

  public DocSet and(DocSet other) {
    if (isAll()) {
      return other;
    }
    if (other.isAll()) {
      return this;
    }
    long[] w = words.clone();
    for (int i = 0; i < w.length; i++) {
      w[i] &= other.words[i];
    }
    return new DocSet(w, size);
  }

  /** The members from {@code from} to before {@code to}. */
  public DocSet between(int from, int to) {
    if (from == 0 && to == size) {
      return this;
    }
    if (from >= to) {
      return none(size);
    }
    long[] w = new long[words.length];
    for (int i = from >>> 6; i < wordCount(to); i++) {
      w[i] = words[i];
    }
    w[from >>> 6] &= -1L << from;
    w[(to - 1) >>> 6] &= -1L >>> -to;
    return new DocSet(w, size);
  }

  public DocSet andNot(DocSet other) {
    if (other.cardinality == 0) {
      return this;
    }
    long[] w = words.clone();
    for (int i = 0; i < w.length; i++) {
      w[i] &= ~other.words[i];
    }
    return new DocSet(w, size);
  }

  /** The first member at or after {@code doc}, or -1. */
  public int next(int doc) {
    int i = doc >>> 6;
    if (i >= words.length) {
      return -1;
    }
    long w = words[i] & (-1L << doc);
    while (w == 0) {
      if (++i == words.length) {
        return -1;
      }
      w = words[i];
    }
    return (i << 6) + Long.numberOfTrailingZeros(w);
  }

  /**
   * The next members from {@code doc} on, as many as there are or {@code into} holds; returns their
   * number.
   */
  public int next(int doc, int[] into) {
    int n = 0;
    int i = doc >>> 6;
    long w = i < words.length ? words[i] & (-1L << doc) : 0;
    while (i < words.length && n < into.length) {
      int base = i << 6;
      if (w == -1L && n + Long.SIZE <= into.length) {
        for (int bit = 0; bit < Long.SIZE; bit++) {
          into[n + bit] = base + bit;
        }
        n += Long.SIZE;
        w = 0;
      }
      for (; w != 0 && n < into.length; w &= w - 1) {
        into[n++] = base + Long.numberOfTrailingZeros(w);
      }
      w = ++i < words.length ? words[i] : 0;
    }
    return n;
  }

  /** Visits the members in ascending order. */
  public void forEach(IntConsumer visitor) {
    for (int i = 0; i < words.length; i++) {
      for (long w = words[i]; w != 0; w &= w - 1) {
        visitor.accept((i << 6) + Long.numberOfTrailingZeros(w));
      }
    }
  }

  /** The words; not copied, not to be changed. */
  public long[] words() {
    return words;
  }
}
