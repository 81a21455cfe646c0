package io.loam.jdbc.shell;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Prints results. */
interface RowPrinter {
  /** Prints all rows. */
  void print(ResultSet rows) throws SQLException;

  /** Tells what a statement without rows did. */
  void done(String what);
}
