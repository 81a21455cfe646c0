package org.apache.calcite.jdbc;

import io.loam.jdbc.Values;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A vector, whose array is a {@code float[]}, or a list of other values, an {@code Object[]}. */
final class ValueArray implements Array {
  private final Object elements;

  private ValueArray(Object elements) {
    this.elements = elements;
  }

  static Array of(Object value) {
    return new ValueArray(value instanceof float[] ? value : toArray(Values.toList(value)));
  }

  private static Object toArray(List<?> list) {
    return list.stream().allMatch(String.class::isInstance)
        ? list.toArray(String[]::new)
        : list.toArray();
  }

  @Override
  public String getBaseTypeName() {
    return elements instanceof float[] ? "REAL" : "VARCHAR";
  }

  @Override
  public int getBaseType() {
    return elements instanceof float[] ? Types.REAL : Types.VARCHAR;
  }

  @Override
  public Object getArray() {
    return elements instanceof float[] vector ? vector.clone() : ((Object[]) elements).clone();
  }

  @Override
  public Object getArray(@Nullable Map<String, Class<?>> map) {
    return getArray();
  }

  @Override
  public Object getArray(long index, int count) throws SQLException {
    int length = java.lang.reflect.Array.getLength(elements);
    if (index < 1 || count < 0 || index - 1 + count > length) {
      throw Refusals.invalid(
          "no such part of an array: index="
              + index
              + ", count="
              + count
              + ", length="
              + length
              + "; indexes begin at 1");
    }
    int from = (int) index - 1;
    return elements instanceof float[] vector
        ? Arrays.copyOfRange(vector, from, from + count)
        : Arrays.copyOfRange((Object[]) elements, from, from + count);
  }

  @Override
  public Object getArray(long index, int count, @Nullable Map<String, Class<?>> map)
      throws SQLException {
    return getArray(index, count);
  }

  @Override
  public ResultSet getResultSet() throws SQLException {
    throw Refusals.unsupported("arrays as result sets", "use getArray");
  }

  @Override
  public ResultSet getResultSet(@Nullable Map<String, Class<?>> map) throws SQLException {
    return getResultSet();
  }

  @Override
  public ResultSet getResultSet(long index, int count) throws SQLException {
    return getResultSet();
  }

  @Override
  public ResultSet getResultSet(long index, int count, @Nullable Map<String, Class<?>> map)
      throws SQLException {
    return getResultSet();
  }

  /** Nothing to free. */
  @Override
  public void free() {}

  @Override
  public String toString() {
    return Values.toText(elements);
  }
}
