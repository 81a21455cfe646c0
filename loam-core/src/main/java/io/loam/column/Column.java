package io.loam.column;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The values of one typed field of one leaf by doc id, decoded into primitive arrays. Immutable;
 * arrays are not copied and must not be changed. A set bit in {@code nulls} means that the value is
 * missing.
 */
public sealed interface Column {
  int size();

  boolean isNull(int doc);

  /** The value as {@link io.loam.schema.TypeKind} gives it, or null. */
  @Nullable Object value(int doc);

  /** Bytes of heap that the arrays take. */
  long sizeInBytes();

  /** What the longs of a {@link Longs} mean. */
  enum LongKind {
    BIGINT,
    INTEGER,
    /** 0 or 1. */
    BOOLEAN,
    /** Days since 1970-01-01. */
    DATE,
    /** Microseconds since 1970-01-01T00:00:00Z. */
    TIMESTAMP
  }

  /** Whole numbers, and everything that is kept as one. */
  record Longs(LongKind kind, long[] values, long @Nullable [] nulls) implements Column {
    @Override
    public int size() {
      return values.length;
    }

    @Override
    public boolean isNull(int doc) {
      return bit(nulls, doc);
    }

    @Override
    public @Nullable Object value(int doc) {
      if (isNull(doc)) {
        return null;
      }
      long v = values[doc];
      return switch (kind) {
        case BIGINT -> v;
        case INTEGER -> (int) v;
        case BOOLEAN -> v != 0;
        case DATE -> LocalDate.ofEpochDay(v);
        case TIMESTAMP ->
            LocalDateTime.ofInstant(
                Instant.ofEpochSecond(
                    Math.floorDiv(v, 1_000_000L), Math.floorMod(v, 1_000_000L) * 1000L),
                ZoneOffset.UTC);
      };
    }

    @Override
    public long sizeInBytes() {
      return 8L * values.length + words(nulls);
    }
  }

  /**
   * {@code DECIMAL}: unscaled values of at most 38 digits, as longs where {@code high} is null,
   * else as 128 bits.
   */
  record Decimals(int scale, long[] low, long @Nullable [] high, long @Nullable [] nulls)
      implements Column {
    @Override
    public int size() {
      return low.length;
    }

    @Override
    public boolean isNull(int doc) {
      return bit(nulls, doc);
    }

    @Override
    public @Nullable Object value(int doc) {
      if (isNull(doc)) {
        return null;
      }
      if (high == null) {
        return BigDecimal.valueOf(low[doc], scale);
      }
      BigInteger unscaled =
          BigInteger.valueOf(high[doc])
              .shiftLeft(64)
              .or(new BigInteger(Long.toUnsignedString(low[doc])));
      return new BigDecimal(unscaled, scale);
    }

    @Override
    public long sizeInBytes() {
      return 8L * low.length + words(high) + words(nulls);
    }
  }

  /** {@code DOUBLE} and {@code REAL}. */
  record Doubles(boolean real, double[] values, long @Nullable [] nulls) implements Column {
    @Override
    public int size() {
      return values.length;
    }

    @Override
    public boolean isNull(int doc) {
      return bit(nulls, doc);
    }

    @Override
    public @Nullable Object value(int doc) {
      if (isNull(doc)) {
        return null;
      }
      if (real) {
        return (float) values[doc];
      }
      return values[doc];
    }

    @Override
    public long sizeInBytes() {
      return 8L * values.length + words(nulls);
    }
  }

  /**
   * {@code VARCHAR}: code 0 is null, code c is {@code dictionary[c - 1]}; the dictionary is sorted
   * by UTF-16 units.
   */
  record Keywords(int[] codes, String[] dictionary) implements Column {
    @Override
    public int size() {
      return codes.length;
    }

    @Override
    public boolean isNull(int doc) {
      return codes[doc] == 0;
    }

    @Override
    public @Nullable Object value(int doc) {
      return codes[doc] == 0 ? null : dictionary[codes[doc] - 1];
    }

    @Override
    public long sizeInBytes() {
      return 4L * codes.length + strings(dictionary);
    }
  }

  /**
   * {@code VARCHAR ARRAY}: the items of doc d are {@code codes[offsets[d]]} to before {@code
   * offsets[d + 1]}.
   */
  record KeywordLists(int[] offsets, int[] codes, String[] dictionary, long @Nullable [] nulls)
      implements Column {
    @Override
    public int size() {
      return offsets.length - 1;
    }

    @Override
    public boolean isNull(int doc) {
      return bit(nulls, doc);
    }

    @Override
    public @Nullable Object value(int doc) {
      if (isNull(doc)) {
        return null;
      }
      String[] items = new String[offsets[doc + 1] - offsets[doc]];
      for (int i = 0; i < items.length; i++) {
        items[i] = dictionary[codes[offsets[doc] + i] - 1];
      }
      return List.of(items);
    }

    @Override
    public long sizeInBytes() {
      return 4L * offsets.length + 4L * codes.length + strings(dictionary) + words(nulls);
    }
  }

  /** {@code UUID} as two longs. */
  record Uuids(long[] most, long[] least, long @Nullable [] nulls) implements Column {
    @Override
    public int size() {
      return most.length;
    }

    @Override
    public boolean isNull(int doc) {
      return bit(nulls, doc);
    }

    @Override
    public @Nullable Object value(int doc) {
      return isNull(doc) ? null : new UUID(most[doc], least[doc]);
    }

    @Override
    public long sizeInBytes() {
      return 16L * most.length + words(nulls);
    }
  }

  private static boolean bit(long @Nullable [] words, int doc) {
    return words != null && (words[doc >>> 6] & (1L << doc)) != 0;
  }

  private static long words(long @Nullable [] words) {
    return words == null ? 0 : 8L * words.length;
  }

  private static long strings(String[] dictionary) {
    long bytes = 0;
    for (String s : dictionary) {
      bytes += 56 + s.length();
    }
    return bytes;
  }
}
