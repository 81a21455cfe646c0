package io.loam.column;

import io.loam.column.Column.LongKind;
import io.loam.schema.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Collects the values of one field in doc-id order. Not safe for use by several threads. */
public abstract sealed class ColumnBuilder {
  private static final int FIRST_CAPACITY = 16;

  private int size;
  private long @Nullable [] nulls;

  private ColumnBuilder() {}

  /** A builder for a field whose kind is typed. */
  public static ColumnBuilder of(Field field) {
    return switch (field.kind()) {
      case BIGINT -> new OfLongs(LongKind.BIGINT);
      case INTEGER -> new OfLongs(LongKind.INTEGER);
      case BOOLEAN -> new OfLongs(LongKind.BOOLEAN);
      case DATE -> new OfLongs(LongKind.DATE);
      case TIMESTAMP -> new OfLongs(LongKind.TIMESTAMP);
      case REAL -> new OfDoubles(true);
      case DOUBLE -> new OfDoubles(false);
      case DECIMAL -> new OfDecimals(field.type().scale());
      case UUID -> new OfUuids();
      case VARCHAR -> new OfKeywords();
      case VARCHAR_ARRAY -> new OfKeywordLists();
      case TEXT, JSON, VECTOR, SPARSEVECTOR ->
          throw new IllegalArgumentException("field=" + field.name() + ", type=" + field.type());
    };
  }

  /** A column in which every document misses its value. */
  public static Column allNull(Field field, int documentCount) {
    ColumnBuilder builder = of(field);
    for (int doc = 0; doc < documentCount; doc++) {
      builder.add(null);
    }
    return builder.build();
  }

  /** Adds the next document's value, of the class that {@link io.loam.schema.TypeKind} gives. */
  public final ColumnBuilder add(@Nullable Object value) {
    if (size == capacity()) {
      grow(Math.max(FIRST_CAPACITY, size + (size >> 1)));
    }
    if (value == null) {
      markNull(size);
      setNull(size);
    } else {
      set(size, value);
    }
    size++;
    return this;
  }

  /** The column; the builder must not be used afterwards. */
  public final Column build() {
    grow(size);
    return build(nulls == null ? null : Arrays.copyOf(nulls, (size + 63) >>> 6));
  }

  abstract int capacity();

  abstract void grow(int capacity);

  abstract void set(int doc, Object value);

  void setNull(int doc) {}

  abstract Column build(long @Nullable [] nulls);

  private void markNull(int doc) {
    int word = doc >>> 6;
    long[] words = nulls == null ? new long[word + 1] : nulls;
    if (word >= words.length) {
      words = Arrays.copyOf(words, Math.max(word + 1, 2 * words.length));
    }
    words[word] |= 1L << doc;
    nulls = words;
  }

  private static final class OfLongs extends ColumnBuilder {
    private final LongKind kind;
    private long[] values = {};

    OfLongs(LongKind kind) {
      this.kind = kind;
    }

    @Override
    int capacity() {
      return values.length;
    }

    @Override
    void grow(int capacity) {
      values = Arrays.copyOf(values, capacity);
    }

    @Override
    void set(int doc, Object value) {
      values[doc] =
          switch (kind) {
            case BIGINT -> (Long) value;
            case INTEGER -> (Integer) value;
            case BOOLEAN -> (Boolean) value ? 1 : 0;
            case DATE -> ((LocalDate) value).toEpochDay();
            case TIMESTAMP -> Numbers.micros((LocalDateTime) value);
          };
    }

    @Override
    Column build(long @Nullable [] nulls) {
      return new Column.Longs(kind, values, nulls);
    }
  }

  private static final class OfDoubles extends ColumnBuilder {
    private final boolean real;
    private double[] values = {};

    OfDoubles(boolean real) {
      this.real = real;
    }

    @Override
    int capacity() {
      return values.length;
    }

    @Override
    void grow(int capacity) {
      values = Arrays.copyOf(values, capacity);
    }

    @Override
    void set(int doc, Object value) {
      values[doc] = real ? (Float) value : (Double) value;
    }

    @Override
    Column build(long @Nullable [] nulls) {
      return new Column.Doubles(real, values, nulls);
    }
  }

  private static final class OfDecimals extends ColumnBuilder {
    private final int scale;
    private long[] low = {};
    private long @Nullable [] high;

    OfDecimals(int scale) {
      this.scale = scale;
    }

    @Override
    int capacity() {
      return low.length;
    }

    @Override
    void grow(int capacity) {
      low = Arrays.copyOf(low, capacity);
      if (high != null) {
        high = Arrays.copyOf(high, capacity);
      }
    }

    @Override
    void set(int doc, Object value) {
      BigInteger unscaled = ((BigDecimal) value).setScale(scale).unscaledValue();
      low[doc] = unscaled.longValue();
      if (high == null && unscaled.bitLength() > 63) {
        high = new long[low.length];
        for (int d = 0; d < doc; d++) {
          high[d] = low[d] >> 63;
        }
      }
      if (high != null) {
        high[doc] = unscaled.shiftRight(64).longValue();
      }
    }

    @Override
    Column build(long @Nullable [] nulls) {
      return new Column.Decimals(scale, low, high, nulls);
    }
  }

  private static final class OfUuids extends ColumnBuilder {
    private long[] most = {};
    private long[] least = {};

    @Override
    int capacity() {
      return most.length;
    }

    @Override
    void grow(int capacity) {
      most = Arrays.copyOf(most, capacity);
      least = Arrays.copyOf(least, capacity);
    }

    @Override
    void set(int doc, Object value) {
      UUID uuid = (UUID) value;
      most[doc] = uuid.getMostSignificantBits();
      least[doc] = uuid.getLeastSignificantBits();
    }

    @Override
    Column build(long @Nullable [] nulls) {
      return new Column.Uuids(most, least, nulls);
    }
  }

  private static final class OfKeywords extends ColumnBuilder {
    private final Dictionary dictionary = new Dictionary();
    private int[] codes = {};

    @Override
    int capacity() {
      return codes.length;
    }

    @Override
    void grow(int capacity) {
      codes = Arrays.copyOf(codes, capacity);
    }

    @Override
    void set(int doc, Object value) {
      codes[doc] = dictionary.provisionalCode((String) value);
    }

    @Override
    Column build(long @Nullable [] nulls) {
      String[] sorted = dictionary.sort(codes);
      return new Column.Keywords(codes, sorted);
    }
  }

  private static final class OfKeywordLists extends ColumnBuilder {
    private final Dictionary dictionary = new Dictionary();
    private int[] offsets = {0};
    private int[] codes = {};

    @Override
    int capacity() {
      return offsets.length - 1;
    }

    @Override
    void grow(int capacity) {
      offsets = Arrays.copyOf(offsets, capacity + 1);
    }

    @Override
    void set(int doc, Object value) {
      int end = offsets[doc];
      for (Object item : (List<?>) value) {
        if (end == codes.length) {
          codes = Arrays.copyOf(codes, Math.max(FIRST_CAPACITY, end + (end >> 1)));
        }
        codes[end++] = dictionary.provisionalCode((String) item);
      }
      offsets[doc + 1] = end;
    }

    @Override
    void setNull(int doc) {
      offsets[doc + 1] = offsets[doc];
    }

    @Override
    Column build(long @Nullable [] nulls) {
      codes = Arrays.copyOf(codes, offsets[offsets.length - 1]);
      String[] sorted = dictionary.sort(codes);
      return new Column.KeywordLists(offsets, codes, sorted, nulls);
    }
  }

  /** Codes strings from 1 in the order of their coming, and later in sorted order. */
  private static final class Dictionary {
    private final Map<String, Integer> provisional = new HashMap<>();

    int provisionalCode(String value) {
      Integer next = provisional.size() + 1;
      Integer known = provisional.putIfAbsent(value, next);
      return known == null ? next : known;
    }

    /** The strings in order; replaces provisional codes by places in that order, from 1. */
    String[] sort(int[] codes) {
      String[] sorted = provisional.keySet().toArray(new String[0]);
      Arrays.sort(sorted);
      int[] finalCode = new int[sorted.length + 1];
      for (int i = 0; i < sorted.length; i++) {
        finalCode[provisional.get(sorted[i])] = i + 1;
      }
      for (int i = 0; i < codes.length; i++) {
        codes[i] = finalCode[codes[i]];
      }
      return sorted;
    }
  }
}
