package io.loam.text;

import java.util.Arrays;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Tokens on the heap, with postings that are made on first use. */
final class MemoryTokens implements TokenReader {
  private final byte[] termBytes;
  private final int[] termStarts;
  private final int[] frequencies;
  private final int[] starts;
  private final int[] codes;
  private final int longest;
  private volatile @Nullable MemoryPostings postings;
  private volatile byte @Nullable [] lengthCodes;

  /**
   * @param termBytes UTF-8 of the terms, sorted
   * @param termStarts by code, and the end of the last
   * @param starts by document, its first place in {@code codes}, and the end of the last
   */
  MemoryTokens(byte[] termBytes, int[] termStarts, int[] starts, int[] codes) {
    this.termBytes = termBytes;
    this.termStarts = termStarts;
    this.starts = starts;
    this.codes = codes;
    this.frequencies = new int[termStarts.length - 1];
    int[] lastDoc = new int[frequencies.length];
    Arrays.fill(lastDoc, -1);
    int most = 0;
    for (int doc = 0; doc < documentCount(); doc++) {
      most = Math.max(most, length(doc));
      for (int i = starts[doc]; i < starts[doc + 1]; i++) {
        if (lastDoc[codes[i]] != doc) {
          lastDoc[codes[i]] = doc;
          frequencies[codes[i]]++;
        }
      }
    }
    this.longest = most;
  }

  @Override
  public int documentCount() {
    return starts.length - 1;
  }

  @Override
  public int termCount() {
    return frequencies.length;
  }

  @Override
  public int compareTerm(int code, BytesRef other) {
    return Arrays.compareUnsigned(
        termBytes,
        termStarts[code],
        termStarts[code + 1],
        other.bytes,
        other.offset,
        other.offset + other.length);
  }

  @Override
  public byte[] termBytes(int code) {
    return Arrays.copyOfRange(termBytes, termStarts[code], termStarts[code + 1]);
  }

  @Override
  public int documentFrequency(int code) {
    return frequencies[code];
  }

  @Override
  public long totalTokens() {
    return codes.length;
  }

  @Override
  public int longestDocument() {
    return longest;
  }

  @Override
  public int length(int doc) {
    return starts[doc + 1] - starts[doc];
  }

  @Override
  public byte[] lengthCodes() {
    byte[] of = lengthCodes;
    if (of == null) {
      of = Bm25.lengthCodes(this);
      lengthCodes = of;
    }
    return of;
  }

  @Override
  public int[] tokens(int doc, int[] buffer) {
    int length = length(doc);
    int[] target = buffer.length >= length ? buffer : new int[Math.max(64, length * 2)];
    System.arraycopy(codes, starts[doc], target, 0, length);
    return target;
  }

  @Override
  public PostingList postings(int code) {
    MemoryPostings made = postings;
    if (made == null) {
      synchronized (this) {
        made = postings;
        if (made == null) {
          made = new MemoryPostings(this, frequencies);
          postings = made;
        }
      }
    }
    return made.list(code);
  }
}
