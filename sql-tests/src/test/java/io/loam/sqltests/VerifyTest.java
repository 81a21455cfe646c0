package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lance.Dataset;
import org.lance.ReadOptions;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;

/** {@code CALL loam.verify} and {@code "docs$files"}. */
class VerifyTest {
  @TempDir Path folder;
  private Connection connection;

  @BeforeEach
  void fill() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE docs (id BIGINT PRIMARY KEY, body TEXT, price DECIMAL(9,2), born DATE,"
            + " seen TIMESTAMP, ref UUID, ok BOOLEAN, tags VARCHAR ARRAY, weight REAL,"
            + " size_ DOUBLE, lang VARCHAR, terms SPARSEVECTOR)");
    insert(0, 1_200);
    insert(1_200, 1_220);
    Sql.run(connection, "DELETE FROM docs WHERE id BETWEEN 1190 AND 1205");
    Sql.run(connection, "UPDATE docs SET lang = 'fr' WHERE id < 3");
  }

  private void insert(int from, int to) throws SQLException {
    try (var insert =
        connection.prepareStatement("INSERT INTO docs VALUES (?,?,?,?,?,?,?,?,?,?,?,?)")) {
      for (int id = from; id < to; id++) {
        boolean empty = id % 7 == 0;
        Sql.bind(
            insert,
            id,
            "a slender wing " + id,
            empty ? null : new java.math.BigDecimal("12.5" + id % 10),
            empty ? null : "2001-02-0" + (1 + id % 9),
            empty ? null : "2001-02-03 04:05:06.789",
            empty ? null : "00000000-0000-0000-0000-00000000" + (1000 + id % 9000),
            empty ? null : id % 2 == 0,
            empty ? null : connection.createArrayOf("VARCHAR", new Object[] {"a", "b" + id}),
            empty ? null : 1.1f * id,
            empty ? null : 1e300 / (id + 1),
            id % 2 == 0 ? "en" : "de",
            "{\"" + id % 5 + "\":" + (id + 1) + "}");
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void soundTableHasNoProblems() throws SQLException {
    for (int version = 1; version <= 5; version++) {
      List<List<Object>> rows =
          Sql.rows(connection, "CALL loam.verify('docs', version => " + version + ")");
      assertThat(rows).hasSize(1);
      assertThat(rows.get(0).get(0)).isEqualTo("version " + version);
      assertThat(rows.get(0).get(1)).isNull();
    }
    assertThat((String) Sql.rows(connection, "call loam.VERIFY('loam.docs')").get(0).get(2))
        .startsWith("problems=0, objects=")
        .endsWith("documents=1204");
  }

  @Test
  void p10_damageIsARow() throws SQLException, IOException {
    String sql = "SELECT uri FROM \"docs$files\" WHERE kind = 'lance data' ORDER BY fragment";
    Path file = Path.of((String) Sql.column(connection, sql).get(0));
    byte[] content = Files.readAllBytes(file);
    content[content.length / 2] ^= 1;
    Files.write(file, content);
    List<List<Object>> rows = Sql.rows(connection, "CALL loam.verify('docs')");
    assertThat(rows).hasSize(2);
    assertThat((String) rows.get(0).get(0)).endsWith(file.getFileName().toString());
    assertThat(rows.get(0).get(1)).isEqualTo("wrong checksum");
    assertThat((String) rows.get(1).get(2)).startsWith("problems=1, ");
  }

  @Test
  void badCallsAreRefused() {
    assertFails("CALL loam.verify('dogs')", "42P01", "docs");
    assertFails("CALL loam.verify('docs', 99)", "22023", "version=99");
    assertFails("CALL loam.verify('docs', 1.5)", "22023", "version=1.5");
    assertFails("CALL loam.verify()", "22023", "argument missing: argument=collection");
    assertFails("SELECT * FROM \"docs$tags\" FOR VERSION AS OF 2", "0A000", "all versions");
    assertFails("SELECT * FROM \"docs$files\" FOR VERSION AS OF 99", "22023", "version=99");
    assertFails("DELETE FROM \"docs$files\"", "0A000", "read only");
    assertFails("DELETE FROM \"docs$tags\"", "0A000", "read only");
  }

  private void assertFails(String sql, String sqlState, String... parts) {
    assertThatThrownBy(() -> Sql.run(connection, sql))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(sqlState))
        .hasMessageContainingAll(parts);
  }

  /** A program that knows Lance and Arrow, but not Loam, reads the documents of any version. */
  @Test
  void filesAreEnoughForAnotherEngine() throws Exception {
    for (int version = 1; version <= 5; version++) {
      String at = " FOR VERSION AS OF " + version;
      List<Object> dataset =
          Sql.rows(
                  connection,
                  "SELECT uri, lance_version, documents FROM \"docs$files\""
                      + at
                      + " WHERE kind = 'lance dataset'")
              .get(0);
      List<String> read = sources((String) dataset.get(0), (Long) dataset.get(1));
      assertThat(dataset.get(2)).isEqualTo((long) read.size());
      for (List<Object> tail :
          Sql.rows(
              connection,
              "SELECT uri, deleted_rows FROM \"docs$files\"" + at + " WHERE kind = 'tail'")) {
        read.addAll(sources(Path.of((String) tail.get(0)), (String) tail.get(1)));
      }
      read.sort(null);
      List<String> expected = new ArrayList<>();
      Sql.column(connection, "SELECT _source FROM docs" + at + " ORDER BY _source")
          .forEach(source -> expected.add((String) source));
      expected.sort(null);
      assertThat(read).as("version %d", version).isEqualTo(expected);
    }
  }

  /** The live rows of a Lance version. */
  private static List<String> sources(String uri, long version) throws Exception {
    List<String> sources = new ArrayList<>();
    try (RootAllocator allocator = new RootAllocator();
        Dataset dataset =
            Dataset.open()
                .uri(uri)
                .allocator(allocator)
                .readOptions(new ReadOptions.Builder().setVersion(version).build())
                .build()) {
      LanceScanner scanner =
          dataset.newScan(new ScanOptions.Builder().columns(List.of("_source")).build());
      try (ArrowReader batches = scanner.scanBatches()) {
        addSources(batches, sources);
      } finally {
        scanner.close();
      }
    }
    return sources;
  }

  /** The rows of an Arrow stream but for the deleted ones. */
  private static List<String> sources(Path file, @Nullable String deletedRows) throws Exception {
    List<String> sources = new ArrayList<>();
    try (RootAllocator allocator = new RootAllocator();
        ArrowStreamReader batches = new ArrowStreamReader(Files.newInputStream(file), allocator)) {
      addSources(batches, sources);
    }
    List<Integer> deleted =
        deletedRows == null
            ? List.of()
            : Stream.of(deletedRows.split(",")).map(Integer::valueOf).toList();
    return IntStream.range(0, sources.size())
        .filter(row -> !deleted.contains(row))
        .mapToObj(sources::get)
        .toList();
  }

  private static void addSources(ArrowReader batches, List<String> sources) throws IOException {
    while (batches.loadNextBatch()) {
      VarCharVector column = (VarCharVector) batches.getVectorSchemaRoot().getVector("_source");
      for (int row = 0; row < column.getValueCount(); row++) {
        sources.add(column.getObject(row).toString());
      }
    }
  }

  @Test
  void filesHaveTheirSizesAndOwners() throws SQLException, IOException {
    List<List<Object>> rows = Sql.rows(connection, "SELECT * FROM \"docs$files\"");
    TreeMap<String, Integer> kinds = new TreeMap<>();
    for (List<Object> row : rows) {
      kinds.merge((String) row.get(1), 1, Integer::sum);
      Path file = Path.of(URI.create("file:" + row.get(2)));
      assertThat(file).exists();
      if (row.get(4) != null) {
        assertThat(Files.size(file)).as(file.toString()).isEqualTo(row.get(4));
      }
    }
    assertThat(kinds)
        .containsEntry("lance dataset", 1)
        .containsEntry("lance manifest", 1)
        .containsEntry("lance data", 1)
        .containsEntry("tail", 2)
        .containsEntry("split", 1)
        .containsEntry("columns", 1)
        .containsEntry("tokens", 1)
        .containsEntry("sparse", 1)
        .containsEntry("delete bitmap", 1)
        .containsEntry("key delta", 1);
    assertThat(
            Sql.rows(
                connection, "SELECT documents, deleted FROM \"docs$files\" WHERE kind = 'columns'"))
        .containsExactly(List.of(1_200L, 13L));
    assertThat(
            Sql.rows(
                connection,
                "SELECT documents, deleted, deleted_rows FROM \"docs$files\" WHERE kind = 'tail'"))
        .containsExactly(List.of(20L, 6L, "0,1,2,3,4,5"), Arrays.asList(3L, 0L, null));
  }
}
