package io.loam.function;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.Field;
import io.loam.schema.VectorText;
import java.sql.Array;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads vectors from the Java objects by which SQL and JDBC give them. */
public final class VectorValues {
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
      return VectorText.parse(text.toString());
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
}
