package io.loam.schema;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values of dense and sparse vector columns. */
final class VectorValues {
  private VectorValues() {}

  static float[] dense(Field field, Object value) {
    float[] vector = components(field, value);
    int wanted = field.type().dimension();
    if (vector.length != wanted) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          "wrong dimension: column=%s, given=%d, wanted=%d; give a vector of %d numbers"
              .formatted(field.name(), vector.length, wanted, wanted));
    }
    for (float component : vector) {
      if (!Float.isFinite(component)) {
        throw ValueErrors.outOfRange(field, component, "use finite vector components");
      }
    }
    return vector;
  }

  private static float[] components(Field field, Object value) {
    if (value instanceof float[] floats) {
      return floats.clone();
    }
    if (value instanceof double[] doubles) {
      float[] vector = new float[doubles.length];
      for (int i = 0; i < vector.length; i++) {
        vector[i] = (float) doubles[i];
      }
      return vector;
    }
    if (value instanceof Object[] array) {
      return components(field, Arrays.asList(array));
    }
    if (value instanceof List<?> list) {
      float[] vector = new float[list.size()];
      int i = 0;
      for (Object item : list) {
        vector[i++] = (float) component(field, item);
      }
      return vector;
    }
    return VectorText.parse(Values.text(field, value), owner(field));
  }

  static SparseVector sparse(Field field, Object value) {
    if (value instanceof SparseVector vector) {
      if (vector.indices().length != vector.values().length) {
        throw new LoamException(
            ErrorCode.INVALID_ARGUMENT,
            "sparse vector of uneven arrays: column=%s, indices=%d, values=%d; give as many of each"
                .formatted(field.name(), vector.indices().length, vector.values().length));
      }
      SparseEntries entries = new SparseEntries(owner(field));
      for (int i = 0; i < vector.size(); i++) {
        entries.add(Integer.toUnsignedLong(vector.indices()[i]), vector.values()[i]);
      }
      return entries.toVector();
    }
    if (value instanceof Map<?, ?> map) {
      SparseEntries entries = new SparseEntries(owner(field));
      map.forEach(
          (index, weight) ->
              entries.add(
                  Numbers.whole(field, index, Long.MIN_VALUE, Long.MAX_VALUE),
                  component(field, weight)));
      return entries.toVector();
    }
    return SparseText.parse(Values.text(field, value), owner(field));
  }

  private static double component(Field field, @Nullable Object item) {
    if (item instanceof Number number) {
      return number.doubleValue();
    }
    throw ValueErrors.itemMismatch(field, item);
  }

  /** What messages of the text forms say first. */
  private static String owner(Field field) {
    return "column=" + field.name() + ", ";
  }
}
