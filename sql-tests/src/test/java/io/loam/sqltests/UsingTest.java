package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns that joins share in USING or NATURAL, as HSQLDB has them. */
class UsingTest {
  @TempDir static Path folder;
  private static Connection connection;
  private static Connection oracle;

  @BeforeAll
  static void load() throws SQLException {
    connection = Sql.connect(folder);
    oracle = DriverManager.getConnection("jdbc:hsqldb:mem:using", "SA", "");
    for (String sql :
        List.of(
            "CREATE TABLE q (id BIGINT PRIMARY KEY, n INTEGER, s VARCHAR(9))",
            "CREATE TABLE p (id BIGINT PRIMARY KEY, n INTEGER, m INTEGER)",
            "CREATE TABLE r (id BIGINT PRIMARY KEY, z VARCHAR(9))",
            "INSERT INTO q VALUES (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c')",
            "INSERT INTO p VALUES (2, 20, 200), (3, 31, 300), (5, 50, 500)",
            "INSERT INTO r VALUES (3, 'r3'), (4, 'r4'), (5, 'r5')")) {
      Sql.run(connection, sql);
      Sql.run(oracle, sql);
    }
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
    oracle.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM q JOIN p USING (id) WHERE id = 2",
        "SELECT * FROM q JOIN p USING (id) ORDER BY id",
        "SELECT id, q.n FROM q LEFT JOIN p USING (id) WHERE id > 1 ORDER BY id DESC",
        "SELECT id, q.n, p.n FROM q RIGHT JOIN p USING (id) WHERE id > 2 ORDER BY id",
        "SELECT id, s, m FROM q FULL JOIN p USING (id) WHERE id > 1 ORDER BY id",
        "SELECT id, count(*) FROM q FULL JOIN p USING (id) GROUP BY id HAVING id > 1 ORDER BY id",
        "SELECT id + 1, s FROM q FULL JOIN p USING (id) WHERE id + 1 > 3 ORDER BY 1",
        "SELECT * FROM q JOIN p USING (id, n) WHERE n = 20",
        "SELECT * FROM q NATURAL JOIN p",
        "SELECT id, z FROM q NATURAL LEFT JOIN r ORDER BY id",
        "SELECT * FROM q NATURAL FULL JOIN r WHERE id > 1 ORDER BY id",
        "SELECT id, s, m, z FROM q FULL JOIN p USING (id) FULL JOIN r USING (id) ORDER BY id",
        "SELECT * FROM q FULL JOIN p USING (id) FULL JOIN r USING (id) ORDER BY id",
        "SELECT * FROM q JOIN p USING (id) RIGHT JOIN r USING (id) ORDER BY id",
        "SELECT id, max(z) FROM q RIGHT JOIN p USING (id) LEFT JOIN r USING (id) GROUP BY id ORDER BY id",
        "SELECT s FROM q LEFT JOIN p USING (id) ORDER BY id DESC",
        "SELECT * FROM q JOIN (SELECT id, m FROM p) AS w USING (id) WHERE id = 2",
        "SELECT * FROM q AS a JOIN q AS b USING (id) WHERE id = 2",
        "WITH w AS (SELECT id, m FROM p) SELECT * FROM q JOIN w USING (id) WHERE id = 3",
        "SELECT a.id FROM q AS a JOIN p USING (id) WHERE EXISTS (SELECT 1 FROM r WHERE id = 4)",
      })
  void columnsAreOneAndHaveTheirValue(String sql) throws SQLException {
    assertThat(table(connection, sql)).isEqualTo(table(oracle, sql));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM q JOIN p ON q.id = p.id JOIN r USING (id)",
        "SELECT s FROM q NATURAL JOIN (VALUES (1)) AS v (x)",
        "SELECT n FROM q JOIN p USING (id)",
      })
  void whatCannotBeToldIsAnError(String sql) {
    assertThatThrownBy(() -> Sql.rows(connection, sql))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42601"));
  }

  /** Labels and rows; numbers of all types by their text. */
  private static List<List<String>> table(Connection of, String sql) throws SQLException {
    List<List<String>> table = new ArrayList<>();
    try (Statement statement = of.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> labels = new ArrayList<>();
      int columns = rows.getMetaData().getColumnCount();
      for (int i = 1; i <= columns; i++) {
        String label = rows.getMetaData().getColumnLabel(i).toLowerCase(Locale.ROOT);
        labels.add(label.startsWith("expr$") || label.startsWith("c") ? "" : label);
      }
      table.add(labels);
      while (rows.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          row.add(String.valueOf(rows.getString(i)));
        }
        table.add(row);
      }
    }
    return table;
  }
}
