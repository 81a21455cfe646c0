package io.loam.function;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.Field;
import io.loam.schema.Limits;
import java.io.IOException;
import java.sql.Array;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads vectors from the Java objects by which SQL and JDBC give them. */
public final class VectorValues {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

  private VectorValues() {}

  /**
   * A vector from {@code float[]}, {@code double[]}, an array or list of numbers, {@link Array}, or
   * text {@code [0.1,0.2]}.
   */
  public static float[] parse(Object value) {
    if (value instanceof float[] floats) {
      return floats;
    }
    if (value instanceof double[] doubles) {
      float[] floats = new float[doubles.length];
      for (int i = 0; i < floats.length; i++) {
        floats[i] = (float) doubles[i];
      }
      return floats;
    }
    if (value instanceof List<?> list) {
      float[] floats = new float[list.size()];
      for (int i = 0; i < floats.length; i++) {
        floats[i] = component(list.get(i), i);
      }
      return floats;
    }
    if (value instanceof Object[] array) {
      return parse(Arrays.asList(array));
    }
    if (value instanceof Array array) {
      return parse(content(array));
    }
    if (value instanceof CharSequence text) {
      return parseText(text.toString());
    }
    throw new LoamException(
        ErrorCode.TYPE_MISMATCH,
        "not a vector: class="
            + value.getClass().getSimpleName()
            + "; give float[], double[], an array or list of numbers, or text [0.1,0.2]");
  }

  /** Fails unless the vector is finite and has the field's dimension. */
  public static void check(float[] vector, Field field) {
    if (vector.length != field.type().dimension()) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          "wrong dimension: column="
              + field.name()
              + ", given="
              + vector.length
              + ", wanted="
              + field.type().dimension()
              + "; give a vector of the column's dimension");
    }
    for (int i = 0; i < vector.length; i++) {
      if (!Float.isFinite(vector[i])) {
        throw new LoamException(
            ErrorCode.INVALID_ARGUMENT,
            "vector is not finite: column="
                + field.name()
                + ", position="
                + (i + 1)
                + ", value="
                + vector[i]
                + "; give finite numbers");
      }
    }
  }

  private static float component(@Nullable Object value, int position) {
    if (value instanceof Number number) {
      return number.floatValue();
    }
    throw new LoamException(
        ErrorCode.TYPE_MISMATCH,
        "vector has a component that is not a number: position="
            + (position + 1)
            + ", value="
            + value
            + "; give numbers");
  }

  private static Object content(Array array) {
    try {
      return array.getArray();
    } catch (SQLException e) {
      throw new LoamException(ErrorCode.INVALID_ARGUMENT, "array cannot be read; bind it again", e);
    }
  }

  private static float[] parseText(String text) {
    float[] floats = new float[16];
    int size = 0;
    try (JsonParser parser = JSON.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_ARRAY) {
        throw notAVector(text, null);
      }
      for (JsonToken token = parser.nextToken();
          token != JsonToken.END_ARRAY;
          token = parser.nextToken()) {
        if (token == null || !token.isNumeric() || size == Limits.MAX_DIMENSION) {
          throw notAVector(text, null);
        }
        if (size == floats.length) {
          floats = Arrays.copyOf(floats, 2 * size);
        }
        floats[size++] = Float.parseFloat(parser.getText());
      }
      if (parser.nextToken() != null) {
        throw notAVector(text, null);
      }
    } catch (IOException e) {
      throw notAVector(text, e);
    }
    return Arrays.copyOf(floats, size);
  }

  private static LoamException notAVector(String text, @Nullable IOException cause) {
    return new LoamException(
        ErrorCode.INVALID_TEXT,
        "text is not a vector: text="
            + (text.length() <= 40 ? text : text.substring(0, 40) + "…")
            + "; write it as [0.1,0.2]",
        cause);
  }
}
