package io.loam.schema;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import org.jspecify.annotations.Nullable;

/** Errors about one value of one column. */
final class ValueErrors {
  private static final int SHOWN_CHARS = 60;

  private ValueErrors() {}

  /** A value of a class that does not convert to the column's type. */
  static LoamException mismatch(Field field, Object value) {
    return new LoamException(
        ErrorCode.TYPE_MISMATCH,
        "value of the wrong type: column=%s, type=%s, given=%s, value=%s; convert it first"
            .formatted(
                field.name(),
                field.type(),
                value.getClass().getSimpleName(),
                shown(String.valueOf(value))));
  }

  /** Likewise for a part of a vector, which may also be null. */
  static LoamException itemMismatch(Field field, @Nullable Object item) {
    return new LoamException(
        ErrorCode.TYPE_MISMATCH,
        "vector holds something other than numbers: column=%s, type=%s, item=%s; give numbers"
            .formatted(field.name(), field.type(), shown(String.valueOf(item))));
  }

  static LoamException outOfRange(Field field, Object value, String mend) {
    return new LoamException(
        ErrorCode.OUT_OF_RANGE,
        "value out of range: column=%s, type=%s, value=%s; %s"
            .formatted(field.name(), field.type(), shown(String.valueOf(value)), mend));
  }

  static LoamException tooLong(Field field, String text, int most) {
    return new LoamException(
        ErrorCode.VALUE_TOO_LONG,
        "text is too long: column=%s, type=%s, characters=%d, value=%s; use at most %d characters"
            .formatted(
                field.name(),
                field.type(),
                text.codePointCount(0, text.length()),
                shown(text),
                most));
  }

  static LoamException invalidText(
      Field field, String text, String mend, @Nullable Throwable cause) {
    return new LoamException(
        ErrorCode.INVALID_TEXT,
        "text has another form: column=%s, type=%s, value=%s; %s"
            .formatted(field.name(), field.type(), shown(text), mend),
        cause);
  }

  /** The beginning of a text, so that messages stay short. */
  static String shown(String text) {
    return text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "…";
  }
}
