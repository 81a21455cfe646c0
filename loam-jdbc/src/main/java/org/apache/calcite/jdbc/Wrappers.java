package org.apache.calcite.jdbc;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.jdbc.SqlErrors;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The part of JDBC's objects that gives the object behind them. */
final class Wrappers {
  private Wrappers() {}

  /** What the call gives; a class that it refuses is the caller's mistake. */
  static <T> T unwrap(@Nullable Class<T> type, SqlErrors.Call<T> call) throws SQLException {
    checkGiven(type);
    try {
      return call.run();
    } catch (SQLException e) {
      throw SqlErrors.toSqlException(
          new LoamException(
              ErrorCode.INVALID_ARGUMENT,
              "object is not and does not wrap what is asked for: class="
                  + type
                  + "; ask isWrapperFor first",
              e));
    }
  }

  /** What the call gives, where a class is given. */
  static boolean isWrapperFor(@Nullable Class<?> type, SqlErrors.Call<Boolean> call)
      throws SQLException {
    checkGiven(type);
    return call.run();
  }

  private static void checkGiven(@Nullable Class<?> type) throws SQLException {
    if (type == null) {
      throw Refusals.invalid("no class is given; give that of the object wanted");
    }
  }
}
