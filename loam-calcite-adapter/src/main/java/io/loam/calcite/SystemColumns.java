package io.loam.calcite;

import io.loam.query.OutputColumn;
import java.util.Arrays;
import java.util.Locale;

/** Columns that every row has, there when named but not in {@code SELECT *}. */
enum SystemColumns {
  SOURCE(OutputColumn.Kind.SOURCE),
  ROW_ID(OutputColumn.Kind.ROW_ID),
  VERSION(OutputColumn.Kind.VERSION),
  /** What {@code score()} reads, under a name that nobody writes by accident. */
  MATCH_SCORE(OutputColumn.Kind.SCORE);

  private final OutputColumn.Kind kind;

  SystemColumns(OutputColumn.Kind kind) {
    this.kind = kind;
  }

  OutputColumn.Kind kind() {
    return kind;
  }

  String sqlName() {
    return (this == MATCH_SCORE ? "$" : "_") + name().toLowerCase(Locale.ROOT);
  }

  static boolean has(String name) {
    return Arrays.stream(values()).anyMatch(c -> c.sqlName().equalsIgnoreCase(name));
  }
}
