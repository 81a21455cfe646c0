package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** INSERT of thousands of rows of VALUES does what as many short ones do. */
class LongInsertTest {
  private static final String COLUMNS =
      "id BIGINT PRIMARY KEY, n INTEGER, x DOUBLE, r REAL, d DECIMAL(12,2), ok BOOLEAN, born DATE,"
          + " seen TIMESTAMP, ref UUID, lang VARCHAR, body TEXT, extra JSON, tags VARCHAR ARRAY,"
          + " v VECTOR(2), s SPARSEVECTOR";

  @TempDir Path folder;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE short_ (" + COLUMNS + ")");
    Sql.run(connection, "CREATE TABLE many (" + COLUMNS + ")");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private static String row(int id, Random random) {
    return "(%d, %s)"
        .formatted(
            id,
            String.join(
                ", ",
                some(random, String.valueOf(random.nextInt())),
                some(random, random.nextBoolean() ? "-1.25" : "2.5e3"),
                some(random, "0.1"),
                some(random, "-" + random.nextInt(1000) + "." + random.nextInt(10_000)),
                some(random, random.nextBoolean() ? "TRUE" : "false"),
                some(random, random.nextBoolean() ? "DATE '1950-02-03'" : "'2026-11-30'"),
                some(
                    random,
                    random.nextBoolean()
                        ? "TIMESTAMP '2026-01-31 12:00:00.123456'"
                        : "'1960-01-31 12:00:00.25'"),
                some(random, "'01234567-89AB-cdef-0123-456789abcdef'"),
                some(random, "'it''s " + random.nextInt(9) + " ü \uD83D\uDE00'"),
                some(random, "'wing?'"),
                some(random, "'{\"a\": " + random.nextInt(9) + "}'"),
                some(random, "ARRAY['a', 'b" + random.nextInt(9) + "']"),
                some(
                    random,
                    random.nextBoolean() ? "'[1,-2]'" : "ARRAY[0.5, -" + random.nextInt(9) + "]"),
                some(random, "'{\"3\": 0.5}'")));
  }

  private static String some(Random random, String literal) {
    return random.nextInt(4) == 0 ? "NULL" : literal;
  }

  private List<List<Object>> content(String table) throws SQLException {
    return Sql.rows(connection, "SELECT * FROM " + table + " ORDER BY id");
  }

  @Test
  void everyTypeIsAsInShortStatements() throws SQLException {
    Random random = new Random(7);
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      rows.add(row(i, random));
    }
    for (String row : rows) {
      Sql.run(connection, "INSERT INTO short_ VALUES " + row);
    }
    assertThat(Sql.run(connection, "INSERT INTO many VALUES " + String.join(",\n", rows)))
        .isEqualTo(120);
    assertThat(content("many")).isEqualTo(content("short_"));
    assertThat(versions("many")).isEqualTo(2);
  }

  private long versions(String table) throws SQLException {
    return (Long) Sql.column(connection, "SELECT count(*) FROM \"" + table + "$manifests\"").get(0);
  }

  @Test
  void tenThousandRowsWithNulls() throws SQLException {
    StringBuilder sql = new StringBuilder("INSERT INTO \"Many\" (ID, \"lang\", n) VALUES ");
    for (int i = 0; i < 10_000; i++) {
      sql.append(i == 0 ? "" : ",");
      sql.append('(').append(i).append(i % 3 == 0 ? ",NULL," : ",'x',").append(-i).append(')');
    }
    assertThat(Sql.run(connection, sql.toString())).isEqualTo(10_000);
    assertThat(Sql.rows(connection, "SELECT count(*), count(lang), sum(n) FROM many"))
        .containsExactly(List.of(10_000L, 6_666L, -49_995_000L));
    assertThat(Sql.run(connection, sql.toString().replace("INSERT", "UPSERT"))).isEqualTo(10_000);
    assertThatThrownBy(() -> Sql.run(connection, sql.toString()))
        .hasMessageContaining("duplicate key: row=1, column=id, value=0");
  }

  @Test
  void parametersStandAmongLiterals() throws SQLException {
    String rows = ", (?, 'x', ?)".repeat(200).substring(1);
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO many (id, lang, n) VALUES " + rows)) {
      assertThat(insert.getParameterMetaData().getParameterCount()).isEqualTo(400);
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 200; i++) {
          insert.setLong(2 * i + 1, 200 * round + i);
          insert.setObject(2 * i + 2, i % 2 == 0 ? null : i);
        }
        assertThat(insert.executeUpdate()).isEqualTo(200);
        insert.clearParameters();
      }
    }
    assertThat(Sql.rows(connection, "SELECT count(*), count(lang), sum(n), max(id) FROM many"))
        .containsExactly(List.of(400L, 400L, 20_000L, 399L));
  }

  /** Expressions and literals that have to be cast go Calcite's way, with the same result. */
  @Test
  void expressionsAreComputed() throws SQLException {
    String rows = ", (CAST(%d AS BIGINT) + 1, 'x', '7')";
    StringBuilder sql = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      sql.append(rows.formatted(i));
    }
    assertThat(Sql.run(connection, "INSERT INTO many (id, lang, n) VALUES " + sql.substring(1)))
        .isEqualTo(60);
    assertThat(Sql.rows(connection, "SELECT min(id), max(id), sum(n) FROM many"))
        .containsExactly(List.of(1L, 60L, 420L));
  }

  @Test
  void aBadRowIsNamedAndNothingChanges() throws SQLException {
    String rows = ", (%d, %s)";
    StringBuilder sql = new StringBuilder();
    for (int i = 1; i <= 100; i++) {
      sql.append(rows.formatted(i, i == 77 ? "3000000000" : "5"));
    }
    String insert = "INSERT INTO many (id, n) VALUES " + sql.substring(1);
    assertThatThrownBy(() -> Sql.run(connection, insert))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22003"))
        .hasMessageContaining("row=77");
    assertThatThrownBy(() -> Sql.run(connection, insert.replace("(88, 5)", "(88, 5, 6)")))
        .isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> Sql.run(connection, insert.replace("many", "nany")))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42P01"))
        .hasMessageContaining("many");
    assertThat(content("many")).isEmpty();
  }

  @Test
  void itIsPartOfATransaction() throws SQLException {
    StringBuilder sql = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      sql.append(", (").append(i).append(", 'x')");
    }
    connection.setAutoCommit(false);
    Sql.run(connection, "INSERT INTO many (id, lang) VALUES " + sql.substring(1));
    assertThat(Sql.column(connection, "SELECT count(*) FROM many")).containsExactly(500L);
    connection.rollback();
    assertThat(Sql.column(connection, "SELECT count(*) FROM many")).containsExactly(0L);
    connection.setAutoCommit(true);
    connection.setReadOnly(true);
    assertThatThrownBy(
            () -> Sql.run(connection, "INSERT INTO many (id, lang) VALUES " + sql.substring(1)))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25006"));
  }
}
