package io.loam.calcite;

/** Where something stands in a statement, as errors say it. */
final class TextPlace {
  private TextPlace() {}

  /** The line and column of a position. */
  static String of(String sql, int position) {
    String before = sql.substring(0, position);
    long line = 1 + before.chars().filter(c -> c == '\n').count();
    return ", line=" + line + ", column=" + (position - before.lastIndexOf('\n'));
  }
}
