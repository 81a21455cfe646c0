package io.loam.jdbc.shell;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Prints results. */
interface RowPrinter {
  /** Prints all rows. */
  void print(ResultSet rows) throws SQLException;

  /** Prints how many rows a statement changed. */
  void changed(long count);
}
