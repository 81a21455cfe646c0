package io.loam.jdbc.shell;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.util.RawValue;
import java.io.PrintWriter;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One JSON object a line for each row; numbers, booleans, lists, vectors and columns of JSON or
 * sparse vectors as such.
 */
final class JsonPrinter implements RowPrinter {
  private static final Set<String> KEPT_AS_JSON = Set.of("JSON", "SPARSEVECTOR");

  private final ObjectMapper mapper = new ObjectMapper();
  private final PrintWriter out;

  JsonPrinter(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void print(ResultSet rows) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    List<String> names = names(columns);
    boolean[] json = new boolean[names.size()];
    for (int i = 0; i < json.length; i++) {
      json[i] = KEPT_AS_JSON.contains(columns.getColumnTypeName(i + 1));
    }
    while (rows.next()) {
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      for (int i = 1; i <= names.size(); i++) {
        Object value = value(rows, i);
        row.put(
            names.get(i - 1),
            json[i - 1] && value != null ? new RawValue(value.toString()) : value);
      }
      try {
        out.println(mapper.writeValueAsString(row));
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("row has no JSON", e);
      }
    }
  }

  /** The labels; a later one that is equal to an earlier one gets a number. */
  private static List<String> names(ResultSetMetaData columns) throws SQLException {
    Set<String> names = new LinkedHashSet<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      String label = columns.getColumnLabel(i);
      String name = label;
      for (int n = 2; !names.add(name); n++) {
        name = label + "_" + n;
      }
    }
    return List.copyOf(names);
  }

  private static @Nullable Object value(ResultSet rows, int column) throws SQLException {
    Object value = rows.getObject(column);
    if (value instanceof Array array) {
      return array.getArray();
    }
    return value == null || value instanceof Number || value instanceof Boolean
        ? value
        : rows.getString(column);
  }

  /** Nothing: the output holds rows only. */
  @Override
  public void done(String what) {}
}
