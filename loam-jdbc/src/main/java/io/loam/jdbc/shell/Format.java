package io.loam.jdbc.shell;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;

/** How rows are printed. */
enum Format {
  table {
    @Override
    RowPrinter printer(PrintWriter out) {
      return new TablePrinter(out);
    }
  },
  csv {
    @Override
    RowPrinter printer(PrintWriter out) {
      return new CsvPrinter(out);
    }
  },
  json {
    @Override
    RowPrinter printer(PrintWriter out) {
      return new JsonPrinter(out);
    }
  };

  /** In any letter case; fails with {@link IllegalArgumentException}, which names all. */
  static Format of(String name) {
    return Arrays.stream(values())
        .filter(format -> format.name().equals(name.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown format: " + name + "; use table, csv or json"));
  }

  abstract RowPrinter printer(PrintWriter out);
}
