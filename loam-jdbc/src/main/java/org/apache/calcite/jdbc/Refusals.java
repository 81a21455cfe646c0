package org.apache.calcite.jdbc;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.jdbc.SqlErrors;
import io.loam.jdbc.SqlText;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What JDBC's objects say to calls that they cannot do. */
final class Refusals {
  private Refusals() {}

  static SQLException closed(String what) {
    return refusal(ErrorCode.CLOSED, what + " is closed; open a new one");
  }

  static SQLException unsupported(String what, String mend) {
    return refusal(ErrorCode.UNSUPPORTED, what + " not supported; " + mend);
  }

  static SQLException generatedKeys() {
    return unsupported("generated keys", "choose the keys yourself and insert them");
  }

  /** A mistake of the caller; the message tells value and mend. */
  static SQLException invalid(String message) {
    return refusal(ErrorCode.INVALID_ARGUMENT, message);
  }

  /** The one statement that is given, without what may stand behind it. */
  static String statement(@Nullable String sql) throws SQLException {
    if (sql == null) {
      throw invalid("no SQL is given; give a statement");
    }
    return SqlErrors.translate(() -> SqlText.single(sql));
  }

  private static SQLException refusal(ErrorCode code, String message) {
    return SqlErrors.toSqlException(new LoamException(code, message));
  }
}
