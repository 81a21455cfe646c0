package io.loam.text;

import io.loam.doc.DocSet;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.InvalidRoaringFormat;
import org.roaringbitmap.RoaringBitmap;

/**
 * The deleted documents of a split, and what they took from the statistics of its text fields.
 * Immutable.
 *
 * <p>Body of the stored object, little-endian: u32 length of the bitmap, a {@link RoaringBitmap} in
 * its portable form, u32 number of text fields, then by ascending field number: u32 field number,
 * u64 tokens removed, u32 number of terms t, t × u32 term code (ascending), t × u32 documents
 * removed that have the term.
 */
public final class DeleteBitmap {
  /** No document is deleted. */
  public static final DeleteBitmap NONE = new DeleteBitmap(new RoaringBitmap(), Map.of());

  private final RoaringBitmap deleted;
  private final Map<Integer, RemovedTerms> removed;

  private DeleteBitmap(RoaringBitmap deleted, Map<Integer, RemovedTerms> removed) {
    this.deleted = deleted;
    this.removed = Map.copyOf(removed);
  }

  /**
   * This set and more deleted documents; those that are deleted already change nothing.
   *
   * @param tokens the split's text fields by number, all of them
   */
  public DeleteBitmap with(int[] newlyDeleted, Map<Integer, TokenReader> tokens) {
    int[] docs =
        Arrays.stream(newlyDeleted).sorted().distinct().filter(d -> !deleted.contains(d)).toArray();
    RoaringBitmap all = deleted.clone();
    all.add(docs);
    all.runOptimize();
    Map<Integer, RemovedTerms> terms = new TreeMap<>();
    tokens.forEach((field, reader) -> terms.put(field, removed(field).with(docs, reader)));
    return new DeleteBitmap(all, terms);
  }

  /** Documents deleted. */
  public int cardinality() {
    return deleted.getCardinality();
  }

  public boolean contains(int doc) {
    return deleted.contains(doc);
  }

  /** The documents of a split that are not deleted. */
  public DocSet live(int documentCount) {
    long[] words = DocSet.all(documentCount).words();
    deleted.forEach((int doc) -> words[doc >>> 6] &= ~(1L << doc));
    return DocSet.ofWords(words, documentCount);
  }

  /**
   * What does not agree with the split, or nothing.
   *
   * @param tokens the split's text fields by number, all of them
   */
  public Optional<String> problem(int documentCount, Map<Integer, TokenReader> tokens) {
    if (!deleted.isEmpty() && Integer.toUnsignedLong(deleted.last()) >= documentCount) {
      return Optional.of("document %d is past the split's end".formatted(deleted.last()));
    }
    DeleteBitmap counted = NONE.with(deleted.toArray(), tokens);
    return tokens.keySet().stream()
        .filter(field -> !removed(field).isSameAs(counted.removed(field)))
        .findFirst()
        .map("field %d has other terms in its deleted documents than the bitmap says"::formatted);
  }

  /** What deleted documents took from a text field's statistics. */
  public RemovedTerms removed(int fieldNumber) {
    return removed.getOrDefault(fieldNumber, RemovedTerms.NONE);
  }

  /** The body of the object that holds this, without magic, format version and checksum. */
  public byte[] encodeBody() {
    int bitmapBytes = deleted.serializedSizeInBytes();
    int size = 2 * Integer.BYTES + bitmapBytes;
    for (RemovedTerms terms : removed.values()) {
      size += 2 * Integer.BYTES + Long.BYTES + 2 * Integer.BYTES * terms.codes().length;
    }
    ByteBuffer out = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(bitmapBytes);
    deleted.serialize(out);
    out.putInt(removed.size());
    new TreeMap<>(removed)
        .forEach(
            (field, terms) -> {
              out.putInt(field).putLong(terms.tokens()).putInt(terms.codes().length);
              putAll(out, terms.codes());
              putAll(out, terms.documents());
            });
    return out.array();
  }

  /**
   * Reads {@link #encodeBody}.
   *
   * @param path names the object in errors
   */
  public static DeleteBitmap decodeBody(byte[] body, String path) {
    try {
      ByteBuffer in = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
      int bitmapBytes = in.getInt();
      RoaringBitmap deleted = new RoaringBitmap();
      deleted.deserialize(slice(in, bitmapBytes));
      Map<Integer, RemovedTerms> removed = new TreeMap<>();
      for (int fields = in.getInt(); fields > 0; fields--) {
        int field = in.getInt();
        long tokens = in.getLong();
        int terms = in.getInt();
        removed.put(field, new RemovedTerms(tokens, getAll(in, terms), getAll(in, terms)));
      }
      if (in.hasRemaining()) {
        throw corrupt(path, null);
      }
      return new DeleteBitmap(deleted, removed);
    } catch (BufferUnderflowException
        | ArithmeticException
        | InvalidRoaringFormat
        | IOException e) {
      throw corrupt(path, e);
    }
  }

  private static void putAll(ByteBuffer out, int[] values) {
    for (int value : values) {
      out.putInt(value);
    }
  }

  private static int[] getAll(ByteBuffer in, int count) {
    ByteBuffer part = slice(in, Math.multiplyExact(count, Integer.BYTES));
    int[] values = new int[count];
    part.asIntBuffer().get(values);
    return values;
  }

  private static ByteBuffer slice(ByteBuffer in, int length) {
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    ByteBuffer part = in.slice(in.position(), length).order(ByteOrder.LITTLE_ENDIAN);
    in.position(in.position() + length);
    return part;
  }

  private static LoamException corrupt(String path, @Nullable Exception cause) {
    return new LoamException(
        ErrorCode.CORRUPT_OBJECT,
        "damaged delete bitmap: object=" + path + "; bring it back from a copy",
        cause);
  }
}
