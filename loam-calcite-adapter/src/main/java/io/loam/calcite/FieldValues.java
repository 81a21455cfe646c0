package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.function.SparseValues;
import io.loam.function.VectorValues;
import io.loam.schema.Field;
import io.loam.schema.TypeKind;
import io.loam.schema.UuidText;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns values of literals, parameters and Calcite's rows into those that core keeps for one field,
 * see {@link io.loam.schema.TypeKind}. Dates may come as days since 1970, timestamps as
 * microseconds.
 */
final class FieldValues {
  private interface Conversion {
    Object convert(Object value);
  }

  private static final int LONG_DIGITS = 19;

  private final Field field;
  private final Conversion conversion;

  private FieldValues(Field field) {
    this.field = field;
    this.conversion =
        switch (field.kind()) {
          case BIGINT -> v -> whole(v, Long.SIZE);
          case INTEGER -> v -> (int) whole(v, Integer.SIZE);
          case REAL -> FieldValues::real;
          case DOUBLE ->
              v ->
                  v instanceof Number n ? finite(n, doubleOf(n)) : TextCasts.doubleOf(v.toString());
          case DECIMAL -> this::decimal;
          case BOOLEAN -> FieldValues::bool;
          case DATE -> FieldValues::date;
          case TIMESTAMP -> FieldValues::timestamp;
          case UUID -> v -> v instanceof UUID u ? u : UuidText.parse(v.toString().trim());
          case VARCHAR, TEXT, JSON -> Object::toString;
          case VARCHAR_ARRAY -> FieldValues::strings;
          case VECTOR -> this::vector;
          case SPARSEVECTOR -> v -> named(() -> SparseValues.parse(v));
        };
  }

  static FieldValues of(Field field) {
    return new FieldValues(field);
  }

  /** The value that core keeps; null stays null. */
  @Nullable Object convert(@Nullable Object value) {
    return value == null ? null : convert(value, conversion);
  }

  /** Likewise of a value that is no parameter: as CAST has it, fractions are rounded. */
  @Nullable Object cast(@Nullable Object value) {
    boolean whole = field.kind() == TypeKind.BIGINT || field.kind() == TypeKind.INTEGER;
    return whole && value instanceof Number
        ? convert(value, number -> conversion.convert(rounded((Number) number)))
        : convert(value);
  }

  private static Number rounded(Number number) {
    if (number instanceof Long || number instanceof Integer) {
      return number;
    }
    if (number instanceof BigDecimal decimal) {
      return Decimals.fitted(decimal, LONG_DIGITS, 0);
    }
    if (!Double.isFinite(number.doubleValue())) {
      throw new ArithmeticException("no whole number");
    }
    return Decimals.fitted(new BigDecimal(number.doubleValue()), LONG_DIGITS, 0);
  }

  /**
   * A value that core compares with the field's: like {@link #convert}, but exact numbers stay as
   * they are, since one that does not fit the field still compares with it.
   */
  @Nullable Object comparable(@Nullable Object value) {
    boolean exact =
        switch (field.kind()) {
          case BIGINT, INTEGER, DECIMAL -> true;
          case REAL,
              DOUBLE,
              BOOLEAN,
              DATE,
              TIMESTAMP,
              UUID,
              VARCHAR,
              TEXT,
              JSON,
              VARCHAR_ARRAY,
              VECTOR,
              SPARSEVECTOR ->
              false;
        };
    return value == null ? null : convert(value, exact ? FieldValues::exact : conversion);
  }

  /** A number without loss: a Long where it is one. */
  private static Object exact(Object value) {
    BigDecimal number = number(value);
    try {
      return number.longValueExact();
    } catch (ArithmeticException e) {
      return number;
    }
  }

  private Object convert(Object value, Conversion how) {
    try {
      return how.convert(value);
    } catch (ArithmeticException e) {
      throw error(ErrorCode.OUT_OF_RANGE, "value does not fit the column", value, e);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw error(ErrorCode.INVALID_TEXT, "value is not of the column's type", value, e);
    }
  }

  private LoamException error(
      ErrorCode code, String problem, Object value, @Nullable RuntimeException cause) {
    return new LoamException(
        code,
        problem
            + ": column="
            + field.name()
            + ", type="
            + field.type()
            + ", value="
            + value
            + "; give "
            + (field.kind() == TypeKind.VARCHAR_ARRAY
                ? "an array such as ARRAY['a', 'b']"
                : TextCasts.form(field.kind())),
        cause);
  }

  private static BigDecimal number(Object value) {
    if (value instanceof BigDecimal decimal) {
      return decimal;
    }
    return value instanceof Long || value instanceof Integer
        ? BigDecimal.valueOf(((Number) value).longValue())
        : new BigDecimal(value.toString().trim());
  }

  private static long whole(Object value, int bits) {
    if (!(value instanceof Number)) {
      return TextCasts.wholeOf(value.toString(), bits);
    }
    BigDecimal number = number(value);
    return bits == Long.SIZE ? number.longValueExact() : number.intValueExact();
  }

  private static Object real(Object value) {
    if (!(value instanceof Number number)) {
      return TextCasts.realOf(value.toString());
    }
    float real = number.floatValue();
    finite(number, real);
    return real;
  }

  /** Refuses a number that became infinite only by its conversion. */
  private static double finite(Number given, double converted) {
    if (Double.isInfinite(converted)
        && (given instanceof BigDecimal || Double.isFinite(given.doubleValue()))) {
      throw new ArithmeticException("number is too large");
    }
    return converted;
  }

  /** A float keeps its digits: 0.1f becomes 0.1. */
  private static double doubleOf(Number number) {
    return number instanceof Float f ? Double.parseDouble(f.toString()) : number.doubleValue();
  }

  private Object decimal(Object value) {
    return Decimals.fitted(number(value), field.type().precision(), field.type().scale());
  }

  private static Object bool(Object value) {
    if (value instanceof Boolean) {
      return value;
    }
    String text = value.toString().strip().toLowerCase(Locale.ROOT);
    boolean number = value instanceof Number;
    if (text.equals(number ? "1" : "true")) {
      return true;
    }
    if (text.equals(number ? "0" : "false")) {
      return false;
    }
    throw new IllegalArgumentException("not a boolean");
  }

  private static Object date(Object value) {
    if (value instanceof Number days) {
      return LocalDate.ofEpochDay(days.longValue());
    }
    if (value instanceof java.sql.Date date) {
      return date.toLocalDate();
    }
    if (value instanceof LocalDateTime time) {
      return time.toLocalDate();
    }
    return value instanceof LocalDate
        ? value
        : LocalDate.ofEpochDay(TextCasts.dateOf(value.toString()));
  }

  private static Object timestamp(Object value) {
    LocalDateTime time;
    if (value instanceof Number micros) {
      time = TimestampFunctions.toLocal(micros.longValue());
    } else if (value instanceof Timestamp t) {
      time = t.toLocalDateTime();
    } else if (value instanceof Instant instant) {
      time = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    } else if (value instanceof OffsetDateTime offset) {
      time = offset.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime();
    } else if (value instanceof LocalDateTime local) {
      time = local;
    } else if (value instanceof LocalDate day) {
      time = day.atStartOfDay();
    } else {
      time = TimestampFunctions.localOf(value.toString());
    }
    return time.truncatedTo(ChronoUnit.MICROS);
  }

  private static Object strings(Object value) {
    Collection<?> items;
    if (value instanceof Collection<?> collection) {
      items = collection;
    } else if (value instanceof Object[] array) {
      items = Arrays.asList(array);
    } else if (value instanceof Array array) {
      return strings(content(array));
    } else {
      throw new IllegalArgumentException("not an array");
    }
    List<String> strings = new ArrayList<>(items.size());
    for (Object item : items) {
      if (item == null) {
        throw new IllegalArgumentException("array has a NULL item");
      }
      strings.add(item.toString());
    }
    return strings;
  }

  private static Object content(Array array) {
    try {
      return array.getArray();
    } catch (SQLException e) {
      throw new LoamException(ErrorCode.INVALID_ARGUMENT, "array cannot be read; bind it again", e);
    }
  }

  private Object vector(Object value) {
    float[] vector =
        named(() -> VectorValues.parse(value instanceof VectorView v ? v.values() : value));
    VectorValues.check(vector, field);
    return vector;
  }

  /** What a reader that does not know the column makes of a value. */
  private <T> T named(Supplier<T> reader) {
    try {
      return reader.get();
    } catch (LoamException e) {
      throw e.with("column=" + field.name());
    }
  }
}
