package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.Connection;
import java.sql.Date;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What prepared statements say of their columns and parameters. */
class DescribedTypesTest {
  private static final String COLUMNS =
      "c_bigint, c_integer, c_real, c_double, c_decimal, c_boolean, c_date, c_timestamp, c_uuid,"
          + " c_varchar, c_vector";

  @TempDir static Path folder;
  private static Connection connection;

  @BeforeAll
  static void create() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE kinds (c_bigint BIGINT PRIMARY KEY, c_integer INTEGER, c_real REAL,"
            + " c_double DOUBLE, c_decimal DECIMAL(12, 2), c_boolean BOOLEAN, c_date DATE,"
            + " c_timestamp TIMESTAMP, c_uuid UUID, c_varchar VARCHAR, c_vector VECTOR(3))");
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22023"));
  }

  @Test
  void statementsWithoutRowsHaveNoColumns() throws SQLException {
    for (String sql :
        List.of(
            "INSERT INTO kinds (c_bigint) VALUES (?)",
            "UPSERT INTO kinds (c_bigint) VALUES (?)",
            "UPDATE kinds SET c_integer = ?",
            "DELETE FROM kinds WHERE c_bigint = ?",
            "MERGE INTO kinds AS t USING (VALUES (1)) AS s (id) ON t.c_bigint = s.id"
                + " WHEN MATCHED THEN UPDATE SET c_integer = ?")) {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        assertThat(statement.getMetaData()).as(sql).isNull();
      }
    }
    try (PreparedStatement query =
        connection.prepareStatement("SELECT " + COLUMNS + " FROM kinds")) {
      assertThat(query.getMetaData().getColumnCount()).isEqualTo(11);
    }
  }

  @Test
  void columnsOfResults() throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement("SELECT " + COLUMNS + " FROM kinds")) {
      ResultSetMetaData columns = query.getMetaData();
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        assertThat(columns.isSearchable(i)).isTrue();
        assertThat(columns.isSigned(i)).as(columns.getColumnName(i)).isEqualTo(i <= 5);
        assertThat(columns.getColumnDisplaySize(i)).as(columns.getColumnName(i)).isPositive();
      }
      assertThat(columns.getColumnDisplaySize(1))
          .isEqualTo(String.valueOf(Long.MIN_VALUE).length());
      assertThat(columns.getColumnDisplaySize(5)).isEqualTo("-1234567890.12".length());
      assertThat(columns.getColumnDisplaySize(9))
          .isGreaterThanOrEqualTo(new UUID(0, 0).toString().length());
      for (int none : new int[] {0, -1, 99}) {
        assertRefused(() -> columns.getColumnName(none));
        assertRefused(() -> columns.getColumnType(none));
        assertRefused(() -> columns.isSearchable(none));
      }
    }
  }

  @Test
  void columnsOfVersions() throws SQLException {
    try (PreparedStatement now = connection.prepareStatement("SELECT * FROM kinds");
        PreparedStatement before =
            connection.prepareStatement("SELECT * FROM kinds FOR VERSION AS OF 1")) {
      ResultSetMetaData expected = now.getMetaData();
      ResultSetMetaData columns = before.getMetaData();
      for (int i = 1; i <= expected.getColumnCount(); i++) {
        assertThat(columns.getTableName(i)).isEqualTo("kinds");
        assertThat(columns.getColumnTypeName(i)).isEqualTo(expected.getColumnTypeName(i));
      }
    }
  }

  /** What getColumns says of a table's columns is what a query's metadata says of them. */
  @Test
  void typesAreTheSameInTablesAndResults() throws SQLException {
    int compared = 0;
    try (ResultSet declared = connection.getMetaData().getColumns(null, null, "kinds", "%");
        PreparedStatement query = connection.prepareStatement("SELECT * FROM kinds")) {
      ResultSetMetaData described = query.getMetaData();
      while (declared.next()) {
        int column = ++compared;
        String name = declared.getString("COLUMN_NAME");
        assertThat(described.getColumnName(column)).isEqualTo(name);
        assertThat(described.getColumnTypeName(column))
            .as(name)
            .isEqualTo(declared.getString("TYPE_NAME"));
        assertThat(described.getColumnType(column))
            .as(name)
            .isEqualTo(declared.getInt("DATA_TYPE"));
      }
    }
    assertThat(compared).isGreaterThanOrEqualTo(11);
  }

  @Test
  void classesOfParameters() throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO kinds (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
      ParameterMetaData parameters = insert.getParameterMetaData();
      List<Class<?>> classes =
          List.of(
              Long.class,
              Integer.class,
              Float.class,
              Double.class,
              BigDecimal.class,
              Boolean.class,
              Date.class,
              Timestamp.class,
              UUID.class,
              String.class,
              Array.class);
      for (int i = 1; i <= classes.size(); i++) {
        assertThat(parameters.getParameterClassName(i)).isEqualTo(classes.get(i - 1).getName());
        assertThat(parameters.isSigned(i)).isEqualTo(i <= 5);
      }
      assertRefused(() -> parameters.getParameterClassName(0));
    }
  }
}
