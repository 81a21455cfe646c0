package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ALTER TABLE: statements of other connections, prepared ones, transactions, and errors. */
class AlterTableTest {
  @TempDir Path folder;
  private Connection connection;
  private Connection other;

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
    other = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE docs (id BIGINT PRIMARY KEY, title TEXT ANALYZER 'english', n INTEGER)");
    Sql.run(connection, "INSERT INTO docs VALUES (1, 'wings', 10), (2, 'flow', 20)");
  }

  @AfterEach
  void close() throws SQLException {
    other.close();
    connection.close();
  }

  @Test
  void aNameThatComesBackHasNoOldValues() throws SQLException {
    Sql.run(connection, "ALTER TABLE docs DROP COLUMN Title");
    Sql.run(connection, "INSERT INTO docs VALUES (3, 30)");
    Sql.run(connection, "ALTER TABLE docs ADD COLUMN title TEXT");
    Sql.run(connection, "INSERT INTO docs (id, title) VALUES (4, 'wings')");
    assertThat(Sql.rows(connection, "SELECT id, title, _source FROM docs ORDER BY id"))
        .containsExactly(
            Arrays.asList(1L, null, "{\"id\":1,\"n\":10}"),
            Arrays.asList(2L, null, "{\"id\":2,\"n\":20}"),
            Arrays.asList(3L, null, "{\"id\":3,\"n\":30}"),
            Arrays.asList(4L, "wings", "{\"id\":4,\"title\":\"wings\"}"));
    assertThat(Sql.column(connection, "SELECT id FROM bm25('docs', 'title', 'wings')"))
        .containsExactly(4L);
    assertThat(Sql.rows(connection, "SELECT * FROM docs FOR VERSION AS OF 2 ORDER BY id"))
        .containsExactly(List.of(1L, "wings", 10), List.of(2L, "flow", 20));
    assertThat(
            Sql.column(
                connection, "SELECT id FROM bm25('docs', 'title', 'wing') FOR VERSION AS OF 2"))
        .containsExactly(1L);
    Sql.run(connection, "ALTER TABLE docs REINDEX");
    assertThat(Sql.column(connection, "SELECT id FROM bm25('docs', 'title', 'wings flow')"))
        .containsExactly(4L);
    Sql.run(connection, "ALTER TABLE docs DROP title");
    Sql.run(connection, "ALTER TABLE docs ADD title VARCHAR");
    assertThat(Sql.column(connection, "SELECT count(title) FROM docs")).containsExactly(0L);
  }

  @Test
  void preparedStatementsSeeTheColumnsThatThereAre() throws SQLException {
    try (PreparedStatement all = other.prepareStatement("SELECT * FROM docs ORDER BY id");
        PreparedStatement titles =
            other.prepareStatement("SELECT title FROM docs WHERE n > ? ORDER BY id");
        PreparedStatement insert =
            other.prepareStatement("INSERT INTO docs (id, n) VALUES (?, ?)");
        PreparedStatement update = other.prepareStatement("UPDATE docs SET n = n + ?")) {
      assertThat(titles(titles)).containsExactly("wings", "flow");
      Sql.run(connection, "ALTER TABLE docs ADD COLUMN lang VARCHAR");
      Sql.run(connection, "UPDATE docs SET lang = 'en' WHERE id = 1");
      assertThat(titles(titles)).containsExactly("wings", "flow");
      insert(insert, 3);
      update.setInt(1, 1);
      assertThat(update.executeUpdate()).isEqualTo(3);
      insert.setInt(1, 4);
      insert.setInt(2, 4);
      insert.addBatch();
      Sql.run(connection, "ALTER TABLE docs DROP COLUMN title");
      insert.executeBatch();
      assertThat(Sql.rows(connection, "SELECT * FROM docs ORDER BY id"))
          .containsExactly(
              List.of(1L, 11, "en"),
              Arrays.asList(2L, 21, null),
              Arrays.asList(3L, 4, null),
              Arrays.asList(4L, 4, null));
      assertThatThrownBy(() -> titles(titles))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("unknown column: column=title");
      assertThatThrownBy(all::executeQuery)
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("columns of a prepared statement's result have changed")
          .hasMessageContaining("prepare it again");
    }
  }

  private static List<@Nullable Object> titles(PreparedStatement statement) throws SQLException {
    statement.setInt(1, 0);
    try (ResultSet rows = statement.executeQuery()) {
      return Sql.rows(rows).stream().map(row -> row.get(0)).toList();
    }
  }

  private static void insert(PreparedStatement insert, int id) throws SQLException {
    insert.setInt(1, id);
    insert.setInt(2, id);
    insert.executeUpdate();
  }

  @Test
  void aTransactionThatBeganBeforeConflicts() throws SQLException {
    other.setAutoCommit(false);
    Sql.run(other, "UPDATE docs SET n = 0 WHERE id = 1");
    Sql.run(connection, "ALTER TABLE docs ADD COLUMN lang VARCHAR");
    assertThatThrownBy(() -> Sql.rows(other, "SELECT lang FROM docs"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
    assertThatThrownBy(other::commit)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
    Sql.run(other, "UPDATE docs SET n = 0, lang = 'de' WHERE id = 1");
    other.commit();
    assertThat(Sql.rows(connection, "SELECT n, lang FROM docs WHERE id = 1"))
        .containsExactly(List.of(0, "de"));
    assertThatThrownBy(() -> Sql.run(other, "ALTER TABLE docs DROP n"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25001"));
  }

  /** Rows that are written while columns come and go keep their values, each in its column. */
  @Test
  void writersGoOnWhileColumnsChange() throws Exception {
    int writers = 2;
    AtomicBoolean stop = new AtomicBoolean();
    Set<Long> written = new ConcurrentSkipListSet<>();
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    List<Future<?>> results = new java.util.ArrayList<>();
    try {
      for (int w = 1; w <= writers; w++) {
        long first = w * 1_000_000L;
        results.add(
            threads.submit(
                () -> {
                  write(first, stop, written);
                  return null;
                }));
      }
      for (int i = 0; i < 12 || written.size() < 20; i++) {
        Sql.run(connection, "ALTER TABLE docs ADD COLUMN m" + i + " INTEGER");
        Sql.run(connection, "ALTER TABLE docs ADD COLUMN v" + i + " VECTOR(2)");
        Sql.run(connection, "ALTER TABLE docs DROP COLUMN m" + i);
      }
    } finally {
      stop.set(true);
      threads.shutdown();
    }
    for (Future<?> result : results) {
      result.get();
    }
    assertThat(Sql.column(connection, "SELECT id FROM docs WHERE id >= 1000000 ORDER BY id"))
        .isEqualTo(List.copyOf(written));
    assertThat(
            Sql.column(
                connection,
                "SELECT count(*) FROM docs WHERE id >= 1000000 AND"
                    + " (n <> mod(id, 1000000) OR title <> 'doc ' || cast(id AS VARCHAR)"
                    + " OR n IS NULL OR title IS NULL OR v0 IS NOT NULL OR v11 IS NOT NULL)"))
        .containsExactly(0L);
  }

  private void write(long first, AtomicBoolean stop, Set<Long> written) throws SQLException {
    try (Connection own = Sql.connect(folder);
        PreparedStatement insert =
            own.prepareStatement("INSERT INTO docs (id, title, n) VALUES (?, ?, ?)")) {
      for (long id = first; !stop.get(); id++) {
        insert.setLong(1, id);
        insert.setString(2, "doc " + id);
        insert.setLong(3, id - first);
        insert.executeUpdate();
        written.add(id);
      }
    }
  }

  @Test
  void badChangesSayWhatIsWrong() {
    refuses("ALTER TABLE docs ADD TITLE TEXT", "42701", "column exists: column=TITLE");
    refuses("ALTER TABLE docs ADD q INTEGER NOT NULL", "42P16", "must take NULL", "column=q");
    refuses("ALTER TABLE docs ADD q BIGINT PRIMARY KEY", "42P16", "must take NULL", "column=q");
    refuses("ALTER TABLE docs ADD _score DOUBLE", "42P16", "reserved column name");
    refuses("ALTER TABLE docs ADD q VECTOR(0)", "42P16", "column=q");
    refuses("ALTER TABLE docs ADD q TEXT ANALYZER 'klingon'", "42P16", "analyzer=klingon");
    refuses(
        "ALTER TABLE docs ADD q VECTOR(2) WITH ('metric.v' = 'l2')", "42P16", "option=metric.v");
    refuses(
        "ALTER TABLE docs ADD q VECTOR(2) WITH ('retention.versions' = '3')",
        "42P16",
        "option=retention.versions");
    refuses("ALTER TABLE docs DROP id", "42P16", "primary key cannot be dropped: column=id");
    refuses("ALTER TABLE docs DROP titel", "42703", "column=titel", "did you mean 'title'?");
    refuses("ALTER TABLE docz REINDEX", "42P01", "did you mean 'docs'?");
    refuses("ALTER TABLE docs RENAME n TO m", "0A000", "begins with=ALTER", "names stay");
  }

  @Test
  void theLastColumnStays() throws SQLException {
    Sql.run(connection, "CREATE TABLE loose (a INTEGER)");
    refuses("ALTER TABLE loose DROP a", "42P16", "only column of a table: column=a");
    Sql.run(connection, "ALTER TABLE loose ADD b INTEGER");
    Sql.run(connection, "ALTER TABLE loose DROP a");
    Sql.run(connection, "INSERT INTO loose VALUES (1)");
    Sql.run(connection, "ALTER TABLE loose DROP COLUMN IF EXISTS a");
    Sql.run(connection, "ALTER TABLE loose ADD COLUMN IF NOT EXISTS b DOUBLE");
    assertThat(Sql.rows(connection, "SELECT b, _version FROM loose"))
        .containsExactly(List.of(1, 4L));
  }

  private void refuses(String sql, String state, String... says) {
    assertThatThrownBy(() -> Sql.run(connection, sql))
        .as(sql)
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo(state))
        .hasMessageContainingAll(says);
  }
}
