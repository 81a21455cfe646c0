package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** FOR SYSTEM_TIME reads what FOR VERSION reads of the newest version at that time. */
class SystemTimeTest {
  @TempDir Path folder;
  private Connection connection;

  /** Versions by when they were committed; of those of one time, the newest. */
  private final TreeMap<Timestamp, Long> versions = new TreeMap<>();

  @BeforeEach
  void open() throws SQLException, InterruptedException {
    connection = Sql.connect(folder);
    for (String sql :
        List.of(
            "CREATE TABLE docs (id BIGINT PRIMARY KEY, title TEXT, n INTEGER)",
            "INSERT INTO docs VALUES (1, 'a wing', 1), (2, 'a plate', 2)",
            "ALTER TABLE docs DROP COLUMN n",
            "UPSERT INTO docs VALUES (2, 'a flow'), (3, 'a wing')",
            "ALTER TABLE docs ADD COLUMN n VARCHAR",
            "UPDATE docs SET n = 'new' WHERE id > 1")) {
      Sql.run(connection, sql);
      Thread.sleep(3); // so that most have a time of their own
    }
    Sql.run(connection, "CREATE TAG dropped ON docs FOR VERSION AS OF 3");
    for (List<@Nullable Object> row :
        Sql.rows(connection, "SELECT version, created_at FROM \"docs$manifests\"")) {
      versions.merge((Timestamp) row.get(1), (Long) row.get(0), Math::max);
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  /** As a literal, in UTC, as SQL has timestamps. */
  private String literal(Timestamp time) throws SQLException {
    return "TIMESTAMP '"
        + Sql.column(connection, "SELECT CAST(CAST(? AS TIMESTAMP(3)) AS VARCHAR)", time).get(0)
        + "'";
  }

  @Test
  void theNewestVersionAtATimeIsRead() throws SQLException {
    assertThat(versions).hasSizeGreaterThan(3);
    for (Map.Entry<Timestamp, Long> version : versions.entrySet()) {
      for (int millis : List.of(0, 1)) {
        Timestamp time = new Timestamp(version.getKey().getTime() + millis);
        String at = " FOR SYSTEM_TIME AS OF " + literal(time);
        String of = " FOR VERSION AS OF " + versions.floorEntry(time).getValue();
        for (String query : List.of("SELECT * FROM docs%s", "SELECT * FROM docs%s AS d WHERE id > 1",
            "SELECT d.* FROM bm25('docs', 'title', 'wing')%s AS d")) {
          assertThat(Sql.rows(connection, query.formatted(at)))
              .as(query.formatted(at))
              .isEqualTo(Sql.rows(connection, query.formatted(of)));
        }
      }
    }
    assertThatThrownBy(
            () ->
                Sql.rows(
                    connection,
                    "SELECT * FROM docs FOR SYSTEM_TIME AS OF "
                        + literal(new Timestamp(versions.firstKey().getTime() - 1))))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22023"));
  }

  @Test
  void timesTagsAndTodayJoin() throws SQLException {
    String second =
        literal(
            versions.entrySet().stream()
                .filter(v -> v.getValue() == 2)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow());
    assertThat(
            Sql.rows(
                connection,
                "SELECT c.id, a.n, b.title, c.title, c.n FROM docs FOR SYSTEM_TIME AS OF "
                    + second
                    + " AS a FULL JOIN docs FOR VERSION AS OF 'dropped' AS b USING (id)"
                    + " FULL JOIN docs AS c ON c.id = b.id ORDER BY c.id"))
        .containsExactly(
            Arrays.asList(1L, 1, "a wing", "a wing", null),
            List.of(2L, 2, "a plate", "a flow", "new"),
            Arrays.asList(3L, null, null, "a wing", "new"));
    assertThatThrownBy(
            () -> Sql.rows(connection, "SELECT n FROM docs FOR VERSION AS OF 'dropped'"))
        .hasMessageContaining("unknown column");
  }
}
