package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Procedures take their arguments from parameters, and JDBC's own form of a call is understood. */
class CallTest {
  @TempDir Path folder;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE t (id BIGINT PRIMARY KEY)");
    Sql.run(connection, "INSERT INTO t VALUES (1)");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private List<List<Object>> called(String sql, Object... arguments) throws SQLException {
    try (CallableStatement call = connection.prepareCall(sql)) {
      Sql.bind(call, arguments);
      assertThat(call.execute()).isTrue();
      return Sql.rows(call.getResultSet());
    }
  }

  private static void assertFails(String state, String part, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state))
        .hasMessageContaining(part);
  }

  @Test
  void argumentsMayBeParameters() throws SQLException {
    List<List<Object>> expected = Sql.rows(connection, "CALL loam.verify('t', version => 2)");
    assertThat(Sql.rows(connection, "CALL loam.verify(?, version => ?)", "t", 2))
        .isEqualTo(expected);
    assertThat(Sql.rows(connection, "CALL loam.verify(version => ?, collection => ?)", 2L, "t"))
        .isEqualTo(expected);
    assertThat(called("{call loam.verify(?, ?)}", "t", 2)).isEqualTo(expected);
    assertThat(called(" { CALL loam.verify('t', version => ?) } ", (Object) null))
        .isEqualTo(Sql.rows(connection, "CALL loam.verify('t')"));
    assertThat(called("CALL loam.gc(?, dry_run => ?, grace_minutes => ?)", "t", true, 0))
        .isEqualTo(Sql.rows(connection, "CALL loam.gc('t', dry_run => TRUE, grace_minutes => 0)"));
  }

  @Test
  void parametersAreDescribed() throws SQLException {
    try (PreparedStatement call =
        connection.prepareStatement("CALL loam.gc(?, dry_run => ?, grace_minutes => ?)")) {
      assertThat(call.getParameterMetaData().getParameterCount()).isEqualTo(3);
      assertThat(call.getParameterMetaData().getParameterType(1)).isEqualTo(Types.VARCHAR);
      assertThat(call.getParameterMetaData().getParameterType(2)).isEqualTo(Types.BOOLEAN);
      assertThat(call.getParameterMetaData().getParameterType(3)).isEqualTo(Types.DECIMAL);
      assertThat(call.getMetaData().getColumnCount()).isPositive();
      call.setString(1, "t");
      assertFails("22023", "position=2", call::executeQuery);
      assertFails("22P02", "parameter=3", () -> call.setString(3, "many"));
    }
  }

  @Test
  void badCallsAreRefused() throws SQLException {
    assertFails(
        "22023",
        "argument missing: argument=collection",
        () -> called("CALL loam.gc(?)", (Object) null));
    assertFails("42P01", "nope", () -> called("{call loam.verify(?)}", "nope"));
    assertFails(
        "22023", "value=?", () -> Sql.rows(connection, "SELECT * FROM loam_recall(?, 'v')", "t"));
    try (CallableStatement call = connection.prepareCall("{call loam.verify(?)}")) {
      assertFails("0A000", "by position", () -> call.setString("collection", "t"));
      assertFails("0A000", "result set", () -> call.registerOutParameter(1, Types.VARCHAR));
      assertFails("0A000", "result set", () -> call.getString(1));
      assertThat(call).isEqualTo(call).isNotEqualTo(call.unwrap(PreparedStatement.class));
      call.setString(1, "t");
      try (ResultSet rows = call.executeQuery()) {
        assertThat(rows.getStatement().getConnection()).isSameAs(connection);
      }
      assertThat(call.unwrap(PreparedStatement.class)).isNotNull();
    }
    assertThat(connection.getMetaData().supportsStoredProcedures()).isTrue();
  }
}
