package io.loam.jdbc.shell;

import java.io.PrintWriter;

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

  abstract RowPrinter printer(PrintWriter out);
}
