package io.loam.jdbc.shell;

import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Aligned columns for people: long texts and vectors are cut short, numbers stand right, null is
 * {@code null}.
 */
final class TablePrinter implements RowPrinter {
  /** Rows whose widths decide the columns'; those behind may stick out. */
  private static final int MEASURED_ROWS = 1_000;

  /** The one column of EXPLAIN. */
  private static final String PLAN = "PLAN";

  private static final int MAX_TEXT = 72;

  /** Vectors of at most so many components are shown whole. */
  private static final int SHORT_VECTOR = 8;

  private static final int SHOWN_COMPONENTS = 3;
  private static final MathContext SHOWN_DIGITS = new MathContext(4);

  private final PrintWriter out;
  private long startNanos = System.nanoTime();

  TablePrinter(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void print(ResultSet rows) throws SQLException {
    ResultSetMetaData metaData = rows.getMetaData();
    int count = metaData.getColumnCount();
    String[] header = new String[count];
    for (int i = 0; i < count; i++) {
      header[i] = metaData.getColumnLabel(i + 1);
    }
    if (count == 1 && header[0].equals(PLAN)) {
      plan(rows);
      return;
    }
    boolean[] numbers = new boolean[count];
    List<String[]> measured = new ArrayList<>();
    while (measured.size() < MEASURED_ROWS && rows.next()) {
      measured.add(cells(rows, numbers));
    }
    int[] widths = widths(header, measured);
    line(header, widths, new boolean[count]);
    out.println("-".repeat(Arrays.stream(widths).sum() + 2 * Math.max(0, count - 1)));
    measured.forEach(row -> line(row, widths, numbers));
    long total = measured.size();
    if (measured.size() == MEASURED_ROWS) {
      while (rows.next()) {
        line(cells(rows, numbers), widths, numbers);
        total++;
      }
    }
    summary(total + (total == 1 ? " row" : " rows"));
  }

  /** A plan is text of several lines, to be read whole. */
  private void plan(ResultSet rows) throws SQLException {
    while (rows.next()) {
      out.println(rows.getString(1).stripTrailing());
    }
    summary("plan");
  }

  @Override
  public void done(String what) {
    summary(what);
  }

  private void summary(String text) {
    long now = System.nanoTime();
    out.println(String.format(Locale.ROOT, "(%s, %.1f ms)", text, (now - startNanos) / 1e6));
    out.println();
    out.flush();
    startNanos = System.nanoTime();
  }

  private static String[] cells(ResultSet rows, boolean[] numbers) throws SQLException {
    String[] cells = new String[numbers.length];
    for (int i = 0; i < cells.length; i++) {
      Object value = rows.getObject(i + 1);
      numbers[i] |= value instanceof Number;
      cells[i] = text(value, rows, i + 1);
    }
    return cells;
  }

  private static String text(@Nullable Object value, ResultSet rows, int column)
      throws SQLException {
    if (value == null) {
      return "null";
    }
    if (value instanceof Array array && array.getArray() instanceof float[] vector) {
      return shortened(vector);
    }
    String text = rows.getString(column).replaceAll("\\p{Cntrl}+", " ");
    return text.codePointCount(0, text.length()) <= MAX_TEXT
        ? text
        : text.substring(0, text.offsetByCodePoints(0, MAX_TEXT - 1)) + "…";
  }

  /** Such as {@code [0.12, -0.4, 0.07, … 384]}. */
  static String shortened(float[] vector) {
    int shown = vector.length <= SHORT_VECTOR ? vector.length : SHOWN_COMPONENTS;
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < shown; i++) {
      text.append(i == 0 ? "" : ", ").append(shortened(vector[i]));
    }
    if (shown < vector.length) {
      text.append(", … ").append(vector.length);
    }
    return text.append(']').toString();
  }

  private static String shortened(float component) {
    if (!Float.isFinite(component)) {
      return Float.toString(component);
    }
    BigDecimal rounded = new BigDecimal(component).round(SHOWN_DIGITS).stripTrailingZeros();
    return rounded.scale() > 0 ? rounded.toString() : rounded.toPlainString();
  }

  private static int[] widths(String[] header, List<String[]> rows) {
    int[] widths = new int[header.length];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = width(header[i]);
      for (String[] row : rows) {
        widths[i] = Math.max(widths[i], width(row[i]));
      }
    }
    return widths;
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }

  private void line(String[] cells, int[] widths, boolean[] numbers) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.length; i++) {
      String padding = " ".repeat(Math.max(0, widths[i] - width(cells[i])));
      line.append(i == 0 ? "" : "  ");
      line.append(numbers[i] ? padding + cells[i] : cells[i] + padding);
    }
    out.println(line.toString().stripTrailing());
  }
}
