package io.loam.column;

import io.loam.column.Column.LongKind;
import io.loam.column.Predicate.Op;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.OptionalLong;

/** Values of predicates as numbers that compare with columns' arrays exactly as the values do. */
final class Numbers {
  /** Powers of ten at or past this one are beyond every value that a column can hold. */
  private static final int BEYOND = 60;

  private static final BigInteger FAR = BigInteger.TEN.pow(BEYOND + 1);
  private static final BigInteger MIN_LONG = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MAX_LONG = BigInteger.valueOf(Long.MAX_VALUE);

  /** What makes {@link #sortable} bits {@link #place}s. */
  private static final long SHIFT = Long.MIN_VALUE - sortable(Double.NEGATIVE_INFINITY);

  private static final Range<Long> NANS =
      new Range<>(place(Double.POSITIVE_INFINITY) + 1, Long.MAX_VALUE);
  private static final Range<Long> NO_LONGS = new Range<>(1L, 0L);

  private Numbers() {}

  /** Numbers from {@code low} to {@code high}, both included; none where low is above high. */
  record Range<T extends Comparable<T>>(T low, T high) {
    boolean isEmpty() {
      return low.compareTo(high) > 0;
    }

    Range<T> and(Range<T> other) {
      return new Range<>(
          low.compareTo(other.low) > 0 ? low : other.low,
          high.compareTo(other.high) < 0 ? high : other.high);
    }
  }

  /** Microseconds since 1970-01-01T00:00:00Z, finer parts cut off. */
  static long micros(LocalDateTime utc) {
    Instant instant = utc.toInstant(ZoneOffset.UTC);
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1000);
  }

  /** The value in the unit of a column of longs. */
  static BigDecimal exact(LongKind kind, Object value) {
    return switch (kind) {
      case BIGINT, INTEGER -> exact(value);
      case BOOLEAN -> cast(Boolean.class, value) ? BigDecimal.ONE : BigDecimal.ZERO;
      case DATE -> BigDecimal.valueOf(cast(LocalDate.class, value).toEpochDay());
      case TIMESTAMP -> exactMicros(cast(LocalDateTime.class, value));
    };
  }

  /**
   * A number without loss, except that what is too large or too small to matter against any column
   * of exact numbers becomes 10^±60; NaN counts as too large.
   */
  static BigDecimal exact(Object value) {
    if (value instanceof Long || value instanceof Integer) {
      return BigDecimal.valueOf(((Number) value).longValue());
    }
    if (value instanceof Double || value instanceof Float) {
      double d = ((Number) value).doubleValue();
      return Double.isFinite(d) ? tame(new BigDecimal(d)) : beyond(d < 0 ? -1 : 1, BEYOND);
    }
    return tame(cast(BigDecimal.class, value));
  }

  private static boolean isNaN(Object value) {
    return (value instanceof Double d && d.isNaN()) || (value instanceof Float f && f.isNaN());
  }

  /** The whole numbers x with {@code x op value}; not for NE. */
  static Range<BigInteger> wholes(Op op, BigDecimal value) {
    BigInteger floor = value.setScale(0, RoundingMode.FLOOR).toBigInteger();
    BigInteger ceiling = value.setScale(0, RoundingMode.CEILING).toBigInteger();
    return switch (op) {
      case EQ -> new Range<>(ceiling, floor);
      case LE -> new Range<>(FAR.negate(), floor);
      case LT -> new Range<>(FAR.negate(), ceiling.subtract(BigInteger.ONE));
      case GE -> new Range<>(ceiling, FAR);
      case GT -> new Range<>(floor.add(BigInteger.ONE), FAR);
      case NE -> throw new IllegalArgumentException("NE is the complement of EQ");
    };
  }

  /** The part of a range that longs can hold. */
  static Range<Long> longs(Range<BigInteger> range) {
    BigInteger low = range.low.max(MIN_LONG);
    BigInteger high = range.high.min(MAX_LONG);
    return low.compareTo(high) > 0
        ? new Range<>(1L, 0L)
        : new Range<>(low.longValueExact(), high.longValueExact());
  }

  /** The long that equals the value in a column of this kind, if there is one. */
  static OptionalLong exactLong(LongKind kind, Object value) {
    boolean whole = kind == LongKind.BIGINT || kind == LongKind.INTEGER;
    if (whole && (value instanceof Long || value instanceof Integer)) {
      return OptionalLong.of(((Number) value).longValue());
    }
    Range<Long> range = longs(wholes(Op.EQ, exact(kind, value)));
    return range.low <= range.high ? OptionalLong.of(range.low) : OptionalLong.empty();
  }

  /** The {@link #place}s of the doubles x with {@code x op value}. Not for NE. */
  static Range<Long> doubles(Op op, Object value) {
    if (isNaN(value)) {
      return switch (op) {
        case EQ, GE -> NANS;
        case LE -> new Range<>(Long.MIN_VALUE, Long.MAX_VALUE);
        case LT -> new Range<>(Long.MIN_VALUE, NANS.low - 1);
        case GT -> NO_LONGS;
        case NE -> throw new IllegalArgumentException("NE is the complement of EQ");
      };
    }
    double near = ((Number) value).doubleValue();
    int rounded = near(value, near);
    // Zeros of both signs are equal.
    long first = place(near == 0 ? -0.0 : near);
    long last = place(near == 0 ? 0.0 : near);
    return switch (op) {
      case EQ -> rounded == 0 ? new Range<>(first, last) : NO_LONGS;
      case LE -> new Range<>(Long.MIN_VALUE, rounded <= 0 ? last : first - 1);
      case LT ->
          first == Long.MIN_VALUE && rounded >= 0
              ? NO_LONGS
              : new Range<>(Long.MIN_VALUE, rounded < 0 ? last : first - 1);
      case GE -> new Range<>(rounded >= 0 ? first : last + 1, Long.MAX_VALUE);
      case GT -> new Range<>(rounded > 0 ? first : last + 1, Long.MAX_VALUE);
      case NE -> throw new IllegalArgumentException("NE is the complement of EQ");
    };
  }

  /**
   * Orders doubles as they compare: zeros lie beside each other, and NaNs, whatever their signs and
   * bits, past all others.
   */
  static long place(double value) {
    return sortable(value) + SHIFT;
  }

  /** Whether {@code near}, the double next to the value, is below (-1), equal or above (1) it. */
  private static int near(Object value, double near) {
    if (value instanceof Double || value instanceof Float) {
      return 0;
    }
    if (Double.isInfinite(near)) {
      return near > 0 ? 1 : -1;
    }
    BigDecimal exact =
        value instanceof BigDecimal d ? d : BigDecimal.valueOf(((Number) value).longValue());
    return new BigDecimal(near).compareTo(exact);
  }

  /** Bits that order as signed longs in the way of {@link Double#compare}, NaNs apart. */
  static long sortable(double value) {
    return sortable(Double.doubleToRawLongBits(value));
  }

  static long sortable(long bits) {
    return bits ^ ((bits >> 63) >>> 1);
  }

  private static BigDecimal exactMicros(LocalDateTime utc) {
    Instant instant = utc.toInstant(ZoneOffset.UTC);
    return BigDecimal.valueOf(instant.getEpochSecond())
        .movePointRight(6)
        .add(BigDecimal.valueOf(instant.getNano(), 3));
  }

  private static BigDecimal tame(BigDecimal value) {
    long magnitude = (long) value.precision() - value.scale();
    if (value.signum() == 0) {
      return BigDecimal.ZERO;
    }
    return Math.abs(magnitude) <= BEYOND
        ? value
        : beyond(value.signum(), magnitude > 0 ? BEYOND : -BEYOND);
  }

  private static BigDecimal beyond(int sign, int power) {
    return BigDecimal.valueOf(sign).scaleByPowerOfTen(power);
  }

  /** The value as one of this class, or {@code TYPE_MISMATCH}. */
  static <T> T cast(Class<T> type, Object value) {
    if (!type.isInstance(value)) {
      throw new LoamException(
          ErrorCode.TYPE_MISMATCH,
          "a field cannot be compared with a value of this type: wanted="
              + type.getSimpleName()
              + ", value="
              + value
              + "; cast the value");
    }
    return type.cast(value);
  }
}
