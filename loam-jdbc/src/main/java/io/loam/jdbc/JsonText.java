package io.loam.jdbc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.List;

/** Lists and vectors as JSON arrays. */
final class JsonText {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private JsonText() {}

  /** Such as {@code [0.1,-2.0]}. */
  static String of(float[] vector) {
    StringBuilder text = new StringBuilder(vector.length * 12).append('[');
    for (int i = 0; i < vector.length; i++) {
      text.append(i == 0 ? "" : ",").append(vector[i]);
    }
    return text.append(']').toString();
  }

  /** Such as {@code ["a","b \"c\""]}. */
  static String of(List<?> list) {
    try {
      return MAPPER.writeValueAsString(list);
    } catch (JsonProcessingException e) {
      throw new LoamException(
          ErrorCode.TYPE_MISMATCH,
          "list has no text: size=" + list.size() + "; read it as array",
          e);
    }
  }
}
