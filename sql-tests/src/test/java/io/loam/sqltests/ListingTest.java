package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SHOW TABLES, DESCRIBE, the system tables behind them, and older versions beside newer ones. */
class ListingTest {
  @TempDir Path folder;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE Docs (id BIGINT PRIMARY KEY, title TEXT ANALYZER 'english',"
            + " v VECTOR(2) NOT NULL)"
            + " WITH ('metric.v' = 'l2', 'comment' = 'what was written', 'comment.v' = 'its sense')");
    Sql.run(connection, "CREATE TABLE x_y (a INTEGER)");
    Sql.run(connection, "CREATE TABLE lab.notes (a INTEGER)");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void tablesAreShown() throws SQLException {
    assertThat(Sql.rows(connection, "SHOW TABLES"))
        .containsExactly(
            List.of("loam", "Docs", "what was written"), Arrays.asList("loam", "x_y", null));
    assertThat(Sql.rows(connection, "show tables like 'DO%'"))
        .containsExactly(List.of("loam", "Docs", "what was written"));
    assertThat(Sql.rows(connection, "SHOW TABLES FROM lab"))
        .containsExactly(Arrays.asList("lab", "notes", null));
    assertThat(Sql.rows(connection, "SHOW TABLES IN lab LIKE 'x%'")).isEmpty();
    assertThat(Sql.column(connection, "SELECT count(*) FROM \"$tables\"")).containsExactly(2L);
  }

  @Test
  void columnsAreDescribed() throws SQLException {
    assertThat(Sql.rows(connection, "DESCRIBE docs"))
        .containsExactly(
            Arrays.asList(1, "id", "BIGINT", false, true, null, null, null, null, null),
            Arrays.asList(2, "title", "TEXT", true, false, "english", null, 1.2, 0.75, null),
            Arrays.asList(3, "v", "VECTOR(2)", false, false, null, "l2", null, null, "its sense"));
    assertThat(Sql.rows(connection, "DESCRIBE TABLE lab.notes A"))
        .containsExactly(
            Arrays.asList(1, "a", "INTEGER", true, false, null, null, null, null, null));
    assertThat(
            Sql.column(connection, "SELECT column_name FROM \"Docs$columns\" WHERE metric = 'l2'"))
        .containsExactly("v");
  }

  @Test
  void unknownTablesAreNamedWithoutTheSystemTable() {
    assertThatThrownBy(() -> Sql.run(connection, "DESCRIBE docz"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("unknown table: table=docz, line=1")
        .hasMessageContaining("did you mean Docs?");
    assertThatThrownBy(() -> Sql.run(connection, "DELETE FROM \"docs$columns\""))
        .hasMessageContaining("system table is read only");
    assertThatThrownBy(() -> Sql.run(connection, "DELETE FROM \"docs$tags\""))
        .hasMessageContaining("system table is read only");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT _source FROM \"docs$manifests\"",
        "SELECT _version FROM \"$tables\"",
        "SELECT s._row_id FROM (SELECT id FROM docs) AS s",
        "SELECT _source FROM (VALUES (1)) AS a (x)"
      })
  void whereSystemColumnsAre(String sql) {
    assertThatThrownBy(() -> Sql.run(connection, sql))
        .hasMessageContaining("unknown column: column=_")
        .hasMessageContaining("tables and searches have it, system tables and VALUES do not");
  }

  @Test
  void aVersionJoinsWithAnother() throws SQLException {
    Sql.run(connection, "INSERT INTO docs VALUES (1, 'one', '[1,0]'), (2, 'two', '[0,1]')");
    Sql.run(connection, "CREATE TAG first ON docs");
    Sql.run(connection, "UPDATE docs SET title = 'uno' WHERE id = 1");
    Sql.run(connection, "INSERT INTO docs VALUES (3, 'three', '[1,1]')");
    List<List<Object>> changes =
        List.of(Arrays.asList(1L, "one", "uno"), Arrays.asList(3L, null, "three"));
    for (String then : List.of("VERSION AS OF 2", "VERSION AS OF 'first'")) {
      assertThat(
              Sql.rows(
                  connection,
                  "SELECT coalesce(a.id, b.id) AS id, a.title, b.title FROM docs FOR "
                      + then
                      + " a FULL JOIN docs b ON a.id = b.id"
                      + " WHERE a.title IS DISTINCT FROM b.title ORDER BY 1"))
          .isEqualTo(changes);
    }
    assertThat(
            Sql.rows(
                connection,
                "SELECT docs.id FROM docs LEFT JOIN docs FOR VERSION AS OF 2 AS past USING (id)"
                    + " WHERE past.title IS NULL"))
        .containsExactly(List.of(3L));
    assertThat(
            Sql.rows(
                connection,
                "SELECT count(*) FROM docs FOR SYSTEM_TIME AS OF TIMESTAMP '2999-01-01 00:00:00'"))
        .containsExactly(List.of(3L));
  }

  @Test
  void aLateralSubqueryReadsTheRowBefore() throws SQLException {
    Sql.run(connection, "INSERT INTO x_y VALUES (1), (2), (4)");
    assertThat(
            Sql.rows(
                connection,
                "SELECT x.a, t.c FROM x_y AS x,"
                    + " LATERAL (SELECT count(*) AS c FROM x_y AS b WHERE b.a < x.a) AS t"
                    + " ORDER BY x.a"))
        .containsExactly(List.of(1, 0L), List.of(2, 1L), List.of(4, 2L));
  }
}
