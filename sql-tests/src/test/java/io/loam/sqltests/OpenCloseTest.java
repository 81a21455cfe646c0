package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise 12: opening, querying and closing again and again leaves nothing behind. */
class OpenCloseTest {
  private static final int WARM_UP = 50;

  /** Writers' threads that wait for work, more or fewer of them, until they end. */
  private static final int IDLE_THREADS = 16;

  private static final List<String> QUERIES =
      List.of(
          "SELECT id FROM docs WHERE lang = 'en' ORDER BY id LIMIT 3",
          "SELECT lang, count(*) FROM docs GROUP BY lang",
          "SELECT id, _source FROM docs WHERE id = 7",
          "SELECT id FROM bm25('docs', 'title', 'wing', 3)",
          "SELECT id FROM vector_search('docs', 'embedding', '[1,0]', 3)",
          "SELECT id FROM sparse_match('docs', 'terms', '{\"1\":1}', 3)",
          "SELECT id FROM hybrid(bm25('docs', 'title', 'wing'),"
              + " vector_search('docs', 'embedding', '[1,0]'), k => 3)",
          "SELECT count(*) FROM docs FOR VERSION AS OF 2");

  @TempDir static Path folder;

  /**
   * What a process can leak.
   *
   * @param directBytes of direct buffers, from which Arrow's allocator has its memory
   */
  private record Held(
      int threads, long openFiles, long nativeMaps, long directBytes, long temporaryFiles) {
    static Held now() throws IOException {
      return new Held(
          Thread.getAllStackTraces().size(),
          count(Path.of("/proc/self/fd"), 1),
          libraryMaps(),
          bufferBytes(),
          count(Path.of(System.getProperty("java.io.tmpdir")), Integer.MAX_VALUE));
    }

    private static long count(Path root, int depth) throws IOException {
      try (Stream<Path> files = Files.walk(root, depth)) {
        return files.count();
      }
    }

    private static long bufferBytes() {
      return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
          .filter(pool -> pool.getName().equals("direct"))
          .mapToLong(BufferPoolMXBean::getMemoryUsed)
          .sum();
    }

    private static long libraryMaps() throws IOException {
      try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
        return maps.filter(line -> line.contains(".so")).count();
      }
    }
  }

  /** A folder that was never written to stays as it is, until a table is made there. */
  @Test
  void readsMakeNoWarehouse(@TempDir Path parent) throws SQLException {
    Path root = parent.resolve("mistyped");
    try (Connection connection = Sql.connect(root)) {
      assertThat(connection.getWarnings().getMessage())
          .isEqualTo(
              "folder holds no warehouse: url=jdbc:loam:"
                  + root
                  + "?autoOptimize=false"
                  + "; check the name, or make a warehouse there by a first CREATE TABLE");
      assertThat(connection.getWarnings().getSQLState()).isEqualTo("01000");
      assertThat(Sql.rows(connection, "SHOW TABLES")).isEmpty();
      try (var tables = connection.getMetaData().getTables(null, "loam", "%", null)) {
        assertThat(tables.next()).isFalse();
      }
      assertThatThrownBy(() -> Sql.rows(connection, "SELECT * FROM docs"))
          .hasMessageContaining("docs");
      assertThatThrownBy(() -> Sql.run(connection, "DROP TABLE docs")).hasMessageContaining("docs");
      assertThatThrownBy(() -> Sql.run(connection, "CALL loam.gc('docs', 0)"))
          .hasMessageContaining("docs");
      assertThatThrownBy(() -> Sql.run(connection, "INSERT INTO docs VALUES (1)"))
          .hasMessageContaining("docs");
      assertThat(root).doesNotExist();
      Sql.run(connection, "CREATE TABLE docs (id BIGINT PRIMARY KEY)");
      Sql.run(connection, "INSERT INTO docs VALUES (1)");
    }
    try (Connection connection = Sql.connect(root)) {
      assertThat((Throwable) connection.getWarnings()).isNull();
      assertThat(Sql.rows(connection, "SELECT id FROM docs")).containsExactly(List.of(1L));
    }
  }

  @Test
  void p12TwoHundredCyclesLeaveNothing() throws IOException, SQLException {
    checkCycles(200);
  }

  @Test
  @Tag("long")
  void p12ThousandCyclesLeaveNothing() throws IOException, SQLException {
    checkCycles(1_000);
  }

  @Test
  void p12HundredCommitsAndReadsLeaveNothing() throws IOException, SQLException {
    checkCommits(100);
  }

  @Test
  @Tag("long")
  void p12TenThousandCommitsAndReadsLeaveNothing() throws IOException, SQLException {
    checkCommits(10_000);
  }

  private static void checkCycles(int cycles) throws IOException, SQLException {
    load();
    check(cycles, OpenCloseTest::cycle);
  }

  /** Commits and reads over one connection; the table stays as large as it is. */
  private static void checkCommits(int cycles) throws IOException, SQLException {
    // Without upkeep in the background, which would be at work when it is measured.
    String url = "jdbc:loam:" + folder + "?autoOptimize=false";
    try (Connection connection = DriverManager.getConnection(url)) {
      Sql.run(connection, "DROP TABLE IF EXISTS docs");
      Sql.run(
          connection,
          "CREATE TABLE docs (id BIGINT PRIMARY KEY, title TEXT, lang VARCHAR, embedding VECTOR(2),"
              + " terms SPARSEVECTOR) WITH ('retention.minutes' = '0', 'retention.versions' = '2')");
      insert(connection, 0, 1_500);
      int[] next = {0};
      check(cycles, () -> commitAndRead(connection, next[0]++));
    }
  }

  private static void commitAndRead(Connection connection, int number) throws SQLException {
    Sql.update(
        connection,
        "UPSERT INTO docs VALUES (?, ?, 'en', '[1,2]', '{\"1\":2}')",
        number % 50,
        "a slender wing again " + number);
    assertThat(Sql.rows(connection, QUERIES.get(number % (QUERIES.size() - 1)))).isNotEmpty();
    if (number % 20 == 19) {
      Sql.run(connection, "CALL loam.gc('docs', 0)");
    }
  }

  /** What is done again and again. */
  @FunctionalInterface
  private interface Cycle {
    void run() throws SQLException;
  }

  private static void check(int cycles, Cycle cycle) throws IOException, SQLException {
    for (int i = 0; i < WARM_UP; i++) {
      cycle.run();
    }
    Held before = Held.now();
    long start = System.nanoTime();
    for (int i = 0; i < cycles; i++) {
      cycle.run();
    }
    System.out.printf("%.1f ms a cycle%n", (System.nanoTime() - start) / 1e6 / cycles);
    Held after = Held.now();
    System.out.println(before + " -> " + after);
    assertThat(after.openFiles()).isLessThanOrEqualTo(before.openFiles());
    assertThat(after.nativeMaps()).isEqualTo(before.nativeMaps());
    assertThat(before.directBytes()).as("Arrow's memory is in this pool").isPositive();
    assertThat(after.directBytes()).isLessThanOrEqualTo(before.directBytes());
    assertThat(after.temporaryFiles()).isLessThanOrEqualTo(before.temporaryFiles());
    assertThat(after.threads()).isLessThanOrEqualTo(before.threads() + IDLE_THREADS);
  }

  /** A table with a split, a tail and deleted rows. */
  private static void load() throws SQLException {
    try (Connection connection = Sql.connect(folder)) {
      Sql.run(connection, "DROP TABLE IF EXISTS docs");
      Sql.run(
          connection,
          "CREATE TABLE docs (id BIGINT PRIMARY KEY, title TEXT, lang VARCHAR, embedding VECTOR(2),"
              + " terms SPARSEVECTOR)");
      insert(connection, 0, 1_500);
      insert(connection, 1_500, 1_550);
      Sql.run(connection, "DELETE FROM docs WHERE id BETWEEN 1490 AND 1510");
    }
  }

  private static void insert(Connection connection, int from, int to) throws SQLException {
    try (var insert = connection.prepareStatement("INSERT INTO docs VALUES (?, ?, ?, ?, ?)")) {
      for (int id = from; id < to; id++) {
        Sql.bind(
            insert,
            id,
            id % 3 == 0 ? "a slender wing " + id : "a flat plate " + id,
            id % 2 == 0 ? "en" : "de",
            new float[] {id, 1},
            "{\"" + id % 5 + "\":" + id + "}");
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static void cycle() throws SQLException {
    try (Connection connection = Sql.connect(folder)) {
      for (String query : QUERIES) {
        assertThat(Sql.rows(connection, query)).as(query).isNotEmpty();
      }
    }
  }
}
