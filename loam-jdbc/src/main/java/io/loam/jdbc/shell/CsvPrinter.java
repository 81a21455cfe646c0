package io.loam.jdbc.shell;

import java.io.PrintWriter;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * RFC 4180 with a header line and LF; null is nothing, an empty text is {@code ""}. An empty line
 * comes before all results but the first.
 */
final class CsvPrinter implements RowPrinter {
  private final PrintWriter out;
  private boolean printed;

  CsvPrinter(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void print(ResultSet rows) throws SQLException {
    if (printed) {
      out.println();
    }
    printed = true;
    ResultSetMetaData columns = rows.getMetaData();
    int count = columns.getColumnCount();
    for (int i = 1; i <= count; i++) {
      cell(i, columns.getColumnLabel(i));
    }
    out.println();
    while (rows.next()) {
      for (int i = 1; i <= count; i++) {
        cell(i, rows.getString(i));
      }
      out.println();
    }
  }

  private void cell(int position, @Nullable String text) {
    if (position > 1) {
      out.print(',');
    }
    if (text == null) {
      return;
    }
    boolean quoted = text.isEmpty() || text.chars().anyMatch(c -> ",\"\r\n".indexOf(c) >= 0);
    out.print(quoted ? '"' + text.replace("\"", "\"\"") + '"' : text);
  }

  /** Nothing: the output holds rows only. */
  @Override
  public void done(String what) {}
}
