package io.loam.calcite;

import io.loam.calcite.memory.MemoryWarehouse;
import io.loam.error.LoamException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.apache.calcite.jdbc.TestDriver;
import org.jspecify.annotations.Nullable;

/** A connection to a warehouse in memory, and short ways to use it. */
final class SqlFixture implements AutoCloseable {
  final MemoryWarehouse warehouse = new MemoryWarehouse();
  final LoamPrepare prepare = new LoamPrepare(warehouse);
  final Connection connection;

  SqlFixture() throws SQLException {
    connection = TestDriver.connect(prepare);
  }

  /** The rows of a query, values joined by {@code |}. */
  List<String> rows(String sql, @Nullable Object... parameters) throws SQLException {
    try (PreparedStatement statement = prepare(sql, parameters);
        ResultSet result = statement.executeQuery()) {
      List<String> rows = new ArrayList<>();
      while (result.next()) {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          values.add(String.valueOf(result.getString(i)));
        }
        rows.add(String.join("|", values));
      }
      return rows;
    }
  }

  /** Runs a statement that gives no rows; returns the number of rows it changed. */
  int update(String sql, @Nullable Object... parameters) throws SQLException {
    try (PreparedStatement statement = prepare(sql, parameters)) {
      return statement.executeUpdate();
    }
  }

  PreparedStatement prepare(String sql, @Nullable Object... parameters) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      Object value = parameters[i];
      statement.setObject(i + 1, value instanceof float[] f ? new VectorView(f) : value);
    }
    return statement;
  }

  /** The plan of a statement, with single spaces. */
  String plan(String sql) throws SQLException {
    return rows("EXPLAIN PLAN FOR " + sql).get(0).strip().replaceAll("\\s+", " ");
  }

  /** The error of a statement, as {@code CODE: message}. */
  String error(String sql, @Nullable Object... parameters) {
    try {
      List<String> rows = rows(sql, parameters);
      return "no error but " + rows;
    } catch (SQLException | RuntimeException e) {
      LoamException error = CalciteErrors.translate(e);
      return error.code() + ": " + error.getMessage();
    }
  }

  /** What preparing a statement gives. */
  CalciteSignature<?> signature(String sql) {
    return TestDriver.signature(prepare, connection, sql);
  }

  /** A context without parameters. */
  DataContext context() {
    return TestDriver.context(connection);
  }

  /** What executing a statement throws. */
  Throwable failure(PreparedStatement statement) {
    try (ResultSet result = statement.executeQuery()) {
      return new AssertionError("no error; more rows: " + result.next());
    } catch (SQLException | RuntimeException e) {
      return e;
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
