package io.loam.schema;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Checks values that users give and turns them into the classes of {@link TypeKind}.
 *
 * <p>Errors name the column: {@code NULL_NOT_ALLOWED}; {@code TYPE_MISMATCH} for a class that does
 * not convert without loss; {@code OUT_OF_RANGE}; {@code INVALID_TEXT} for text of another form or
 * with half a surrogate pair; {@code VALUE_TOO_LONG}; {@code INVALID_ARGUMENT} for a vector of
 * another dimension.
 */
public final class Values {
  private Values() {}

  /** The canonical values of one row, in the order of the schema's fields. */
  public static @Nullable Object[] canonical(CollectionSchema schema, @Nullable Object[] values) {
    List<Field> fields = schema.fields();
    if (values.length != fields.size()) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          "wrong number of values: given=%d, columns=%d; give one value per column"
              .formatted(values.length, fields.size()));
    }
    @Nullable Object[] row = new Object[values.length];
    for (int i = 0; i < row.length; i++) {
      row[i] = canonical(fields.get(i), values[i]);
    }
    return row;
  }

  /** The canonical value of one field. */
  public static @Nullable Object canonical(Field field, @Nullable Object value) {
    if (value == null) {
      if (field.nullable()) {
        return null;
      }
      throw new LoamException(
          ErrorCode.NULL_NOT_ALLOWED,
          "column does not allow NULL: column=" + field.name() + "; give a value");
    }
    return switch (field.kind()) {
      case BIGINT -> Numbers.whole(field, value, Long.MIN_VALUE, Long.MAX_VALUE);
      case INTEGER -> integer(field, value);
      case REAL -> Numbers.real(field, value);
      case DOUBLE -> Numbers.dbl(field, value);
      case DECIMAL -> Numbers.decimal(field, value);
      case BOOLEAN -> bool(field, value);
      case DATE -> date(field, value);
      case TIMESTAMP -> timestamp(field, value);
      case UUID -> uuid(field, value);
      case VARCHAR -> limited(field, text(field, value));
      case TEXT -> text(field, value);
      case JSON -> JsonText.compact(field, text(field, value));
      case VARCHAR_ARRAY -> texts(field, value);
      case VECTOR -> VectorValues.dense(field, value);
      case SPARSEVECTOR -> VectorValues.sparse(field, value);
    };
  }

  private static Integer integer(Field field, Object value) {
    int least = field.type().leastInteger();
    return (int) Numbers.whole(field, value, least, ~least);
  }

  /** Characters are those of Unicode, not halves of surrogate pairs. */
  private static String limited(Field field, String text) {
    int most = field.type().precision();
    if (most > 0 && text.length() > most && text.codePointCount(0, text.length()) > most) {
      throw ValueErrors.tooLong(field, text, most);
    }
    return text;
  }

  private static Boolean bool(Field field, Object value) {
    if (value instanceof Boolean bool) {
      return bool;
    }
    throw ValueErrors.mismatch(field, value);
  }

  private static LocalDate date(Field field, Object value) {
    if (!(value instanceof LocalDate date)) {
      throw ValueErrors.mismatch(field, value);
    }
    checkYear(field, date.getYear(), value);
    return date;
  }

  private static LocalDateTime timestamp(Field field, Object value) {
    if (!(value instanceof LocalDateTime time)) {
      throw ValueErrors.mismatch(field, value);
    }
    checkYear(field, time.getYear(), value);
    return time.truncatedTo(ChronoUnit.MICROS);
  }

  /** SQL's years. */
  private static void checkYear(Field field, int year, Object value) {
    if (year < 1 || year > 9999) {
      throw ValueErrors.outOfRange(field, value, "use years 0001 to 9999");
    }
  }

  private static UUID uuid(Field field, Object value) {
    if (value instanceof UUID uuid) {
      return uuid;
    }
    String text = text(field, value);
    try {
      return UuidText.parse(text);
    } catch (IllegalArgumentException e) {
      throw ValueErrors.invalidText(field, text, "write 8-4-4-4-12 hexadecimal digits", e);
    }
  }

  static String text(Field field, Object value) {
    if (!(value instanceof CharSequence chars)) {
      throw ValueErrors.mismatch(field, value);
    }
    String text = chars.toString();
    if (hasLoneSurrogate(text)) {
      throw ValueErrors.invalidText(
          field, text, "text has half a surrogate pair, encode it as Unicode", null);
    }
    return text;
  }

  private static boolean hasLoneSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        if (Character.isLowSurrogate(c)
            || i + 1 == text.length()
            || !Character.isLowSurrogate(text.charAt(i + 1))) {
          return true;
        }
        i++;
      }
    }
    return false;
  }

  private static List<String> texts(Field field, Object value) {
    List<?> items = value instanceof Object[] array ? Arrays.asList(array) : null;
    if (value instanceof List<?> list) {
      items = list;
    }
    if (items == null) {
      throw ValueErrors.mismatch(field, value);
    }
    List<String> texts = new ArrayList<>(items.size());
    for (Object item : items) {
      if (item == null) {
        throw new LoamException(
            ErrorCode.NULL_NOT_ALLOWED,
            "array item is NULL: column=" + field.name() + "; leave the item out");
      }
      texts.add(text(field, item));
    }
    return List.copyOf(texts);
  }
}
