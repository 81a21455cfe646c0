package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What results say of their columns' types, next to what the metadata of tables says. */
class ResultMetadataTest {
  @TempDir Path folder;

  private Connection connection;
  private Statement statement;

  private Connection connect() throws SQLException {
    return Objects.requireNonNull(
        new LoamDriver().connect(LoamDriver.URL_PREFIX + folder, new Properties()));
  }

  @BeforeEach
  void open() throws SQLException {
    connection = connect();
    statement = connection.createStatement();
    statement.execute(
        "CREATE TABLE t (id VARCHAR(9) PRIMARY KEY, a VARCHAR ARRAY, b TEXT, j JSON, w SPARSEVECTOR,"
            + " s VARCHAR(3), v VECTOR(2), u UUID, n DECIMAL(6,2), ti TINYINT, si SMALLINT,"
            + " i INTEGER, r REAL, d DOUBLE, ts TIMESTAMP, dt DATE, bo BOOLEAN, l BIGINT, vc VARCHAR)");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  /** Type, name, size and digits of a column. */
  private static String described(ResultSetMetaData columns, int column) throws SQLException {
    return columns.getColumnType(column)
        + " "
        + columns.getColumnTypeName(column)
        + " "
        + columns.getPrecision(column)
        + " "
        + columns.getScale(column);
  }

  private static List<String> described(ResultSetMetaData columns) throws SQLException {
    List<String> described = new ArrayList<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      described.add(columns.getColumnLabel(i) + " " + described(columns, i));
    }
    return described;
  }

  private List<String> declared() throws SQLException {
    List<String> declared = new ArrayList<>();
    try (ResultSet rows = connection.getMetaData().getColumns(null, null, "t", "%")) {
      while (rows.next()) {
        declared.add(
            rows.getString("COLUMN_NAME")
                + " "
                + rows.getInt("DATA_TYPE")
                + " "
                + rows.getString("TYPE_NAME")
                + " "
                + rows.getInt("COLUMN_SIZE")
                + " "
                + rows.getInt("DECIMAL_DIGITS"));
      }
    }
    return declared;
  }

  @Test
  void columnsOfTablesAreDescribedAsDeclared() throws SQLException {
    assertThat(declared()).hasSize(19);
    try (ResultSet rows = statement.executeQuery("SELECT * FROM t")) {
      assertThat(described(rows.getMetaData())).isEqualTo(declared());
    }
    try (PreparedStatement query = connection.prepareStatement("SELECT x.* FROM t AS x")) {
      assertThat(described(query.getMetaData())).isEqualTo(declared());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ARRAY['a']               | 2003 VARCHAR ARRAY 16777216 0  | java.sql.Array",
        "ARRAY['a', NULL]         | 2003 VARCHAR ARRAY 16777216 0  | java.sql.Array",
        "ARRAY[ARRAY['a']]        | 2003 VARCHAR ARRAY ARRAY 0 0   | java.sql.Array",
        "CAST('x' AS VARCHAR(3))  | 12 VARCHAR 3 0                 | java.lang.String",
        "CAST('ab' AS CHAR(4))    | 12 VARCHAR 4 0                 | java.lang.String",
        "UPPER(b)                 | 12 VARCHAR 16777216 0          | java.lang.String",
        "CAST(1.5 AS DECIMAL(6,2))| 3 DECIMAL 6 2                  | java.math.BigDecimal",
        "CURRENT_TIMESTAMP        | 93 TIMESTAMP 26 6              | java.sql.Timestamp",
        "CURRENT_DATE             | 91 DATE 10 0                   | java.sql.Date",
        "i + 1                    | 4 INTEGER 10 0                 | java.lang.Integer",
        "b                        | 12 TEXT 16777216 0             | java.lang.String",
        "w                        | 12 SPARSEVECTOR 65536 0        | java.lang.String",
        "ti                       | -6 TINYINT 3 0                 | java.lang.Integer",
        "v                        | 2003 VECTOR 2 0                | java.sql.Array",
      })
  void expressions(String expression, String type, String className) throws SQLException {
    try (ResultSet rows = statement.executeQuery("SELECT " + expression + " FROM t")) {
      assertThat(described(rows.getMetaData(), 1)).isEqualTo(type);
      assertThat(rows.getMetaData().getColumnClassName(1)).isEqualTo(className);
    }
  }

  @Test
  void displaySizesAreCharacters() throws SQLException {
    try (ResultSet rows = statement.executeQuery("SELECT s, n, w, b FROM t")) {
      ResultSetMetaData columns = rows.getMetaData();
      assertThat(columns.getColumnDisplaySize(1)).isEqualTo(3);
      assertThat(columns.getColumnDisplaySize(2)).isEqualTo("-1234.56".length());
      assertThat(columns.getColumnDisplaySize(3)).isEqualTo(columns.getColumnDisplaySize(4));
    }
  }

  /** The plan's own types stand for older versions, and where a table is no more. */
  @Test
  void columnsThatAreGone() throws SQLException {
    statement.execute("ALTER TABLE t DROP COLUMN b");
    statement.execute("ALTER TABLE t DROP COLUMN s");
    statement.execute("ALTER TABLE t ADD COLUMN s INTEGER");
    try (ResultSet rows = statement.executeQuery("SELECT b, s FROM t FOR VERSION AS OF 1")) {
      ResultSetMetaData columns = rows.getMetaData();
      assertThat(described(columns))
          .containsExactly("b 12 VARCHAR 16777216 0", "s 12 VARCHAR 16777216 0");
    }
    ResultSet rows = statement.executeQuery("SELECT j FROM t");
    ResultSetMetaData columns = rows.getMetaData();
    rows.close();
    statement.execute("DROP TABLE t");
    assertThat(described(columns)).containsExactly("j 12 VARCHAR 16777216 0");
  }

  @Test
  void metadataOutlivesItsConnection() throws SQLException {
    ResultSetMetaData columns;
    try (Connection other = connect();
        Statement query = other.createStatement();
        ResultSet rows = query.executeQuery("SELECT j FROM t")) {
      columns = rows.getMetaData();
    }
    assertThat(described(columns)).containsExactly("j 12 JSON 16777216 0");
    connection.close();
    assertThat(columns.getColumnTypeName(1)).isEqualTo("JSON");
  }
}
