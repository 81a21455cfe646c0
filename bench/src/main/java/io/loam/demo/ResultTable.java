package io.loam.demo;

import java.io.PrintStream;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A result set read to its end, to be printed with aligned columns. */
record ResultTable(List<String> labels, List<List<@Nullable Object>> rows) {
  private static final int WIDEST = 64;

  static ResultTable read(ResultSet results) throws SQLException {
    ResultSetMetaData metaData = results.getMetaData();
    int columns = metaData.getColumnCount();
    List<String> labels = new ArrayList<>();
    for (int c = 1; c <= columns; c++) {
      labels.add(metaData.getColumnLabel(c));
    }
    List<List<@Nullable Object>> rows = new ArrayList<>();
    while (results.next()) {
      List<@Nullable Object> row = new ArrayList<>();
      for (int c = 1; c <= columns; c++) {
        row.add(results.getObject(c));
      }
      rows.add(row);
    }
    return new ResultTable(labels, rows);
  }

  /** The first row's first value as a number. */
  long number() {
    return rows.get(0).get(0) instanceof Number n ? n.longValue() : 0;
  }

  void print(PrintStream out) {
    if (labels.size() == 1
        && rows.stream().allMatch(r -> String.valueOf(r.get(0)).contains("\n"))) {
      rows.forEach(row -> out.println(String.valueOf(row.get(0)).stripTrailing().indent(2)));
      return;
    }
    int[] widths = new int[labels.size()];
    for (int c = 0; c < widths.length; c++) {
      widths[c] = labels.get(c).length();
      for (List<@Nullable Object> row : rows) {
        widths[c] = Math.max(widths[c], text(row.get(c)).length());
      }
    }
    StringBuilder header = new StringBuilder(" ");
    StringBuilder rule = new StringBuilder(" ");
    for (int c = 0; c < widths.length; c++) {
      header.append(' ').append(pad(labels.get(c), widths[c], false)).append(' ');
      rule.append(' ').append("-".repeat(widths[c])).append(' ');
    }
    out.println(header.toString().stripTrailing());
    out.println(rule.toString().stripTrailing());
    for (List<@Nullable Object> row : rows) {
      StringBuilder line = new StringBuilder(" ");
      for (int c = 0; c < widths.length; c++) {
        Object value = row.get(c);
        line.append(' ').append(pad(text(value), widths[c], value instanceof Number)).append(' ');
      }
      out.println(line.toString().stripTrailing());
    }
  }

  private static String text(@Nullable Object value) {
    if (value instanceof Double || value instanceof Float) {
      return String.format(Locale.ROOT, "%.4f", ((Number) value).doubleValue());
    }
    String text = String.valueOf(value).replace('\n', ' ');
    return text.length() <= WIDEST ? text : text.substring(0, WIDEST - 1) + "…";
  }

  private static String pad(String text, int width, boolean right) {
    String blanks = " ".repeat(width - text.length());
    return right ? blanks + text : text + blanks;
  }
}
