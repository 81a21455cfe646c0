package io.loam.bench;

import io.loam.demo.Embedder;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Exact vector search over JDBC beside a plain Java loop over arrays. */
final class VectorBench {
  /** The peer's name in the report. */
  static final String LOOP = "Java loop";

  private static final int BATCH = 10_000;

  /**
   * Fraction of questions on which both must find the same rows: float sums may tie differently.
   */
  private static final double LEAST_AGREEMENT = 0.95;

  private final Path folder;
  private final Vectors vectors;
  private final int queries;
  private final Report report;

  VectorBench(Path folder, Vectors vectors, int queries, Report report) {
    this.folder = folder;
    this.vectors = vectors;
    this.queries = queries;
    this.report = report;
  }

  /** Whether both found the same. */
  boolean run() throws SQLException {
    String url = "jdbc:loam:" + folder.resolve("vectors").toAbsolutePath();
    try (Connection connection = DriverManager.getConnection(url)) {
      load(connection);
      return search(connection);
    }
  }

  private void load(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE vectors (id BIGINT PRIMARY KEY, embedding VECTOR(%d))"
                  .formatted(Embedder.DIMENSION)
              + " WITH ('metric.embedding' = 'cosine')");
    }
    long start = System.nanoTime();
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO vectors (id, embedding) VALUES (?, ?)")) {
      for (int row = 0; row < vectors.rows().length; row++) {
        insert.setLong(1, row);
        insert.setObject(2, vectors.rows()[row]);
        insert.addBatch();
        if ((row + 1) % BATCH == 0 || row + 1 == vectors.rows().length) {
          insert.executeBatch();
        }
      }
    }
    report.value(
        "bulk INSERT with vectors of 384, documents/s",
        LoamEngine.NAME,
        vectors.rows().length / ((System.nanoTime() - start) / 1e9));
  }

  private boolean search(Connection connection) throws SQLException {
    Random random = new Random(7);
    Timings exactTimes = new Timings();
    Timings codesTimes = new Timings();
    Timings loopTimes = new Timings();
    Agreement exactAgreement = new Agreement();
    Agreement codesAgreement = new Agreement();
    String sql =
        "SELECT id, _score FROM vector_search('vectors', 'embedding', ?, k => " + Engine.TOP;
    try (PreparedStatement exact = connection.prepareStatement(sql + ", exact => true)");
        PreparedStatement codes = connection.prepareStatement(sql + ")")) {
      // A tenth more than is measured, to warm up.
      for (int i = -Math.max(1, queries / 10); i < queries; i++) {
        boolean counts = i >= 0;
        float[] query = vectors.rows()[random.nextInt(vectors.rows().length)];
        List<Long> byLoop = byLoop(query, counts ? loopTimes : new Timings());
        exactAgreement.add(ids(exact, query, counts ? exactTimes : new Timings()), byLoop);
        codesAgreement.add(ids(codes, query, counts ? codesTimes : new Timings()), byLoop);
      }
    }
    String exactWork = String.format(Locale.ROOT, "exact vector_search, top %d", Engine.TOP);
    String codesWork = String.format(Locale.ROOT, "vector_search, top %d", Engine.TOP);
    report.times(exactWork, LoamEngine.NAME, exactTimes);
    report.times(exactWork, LOOP, loopTimes);
    report.times(codesWork, LoamEngine.NAME, codesTimes);
    report.times(codesWork, LOOP, loopTimes);
    String over = " over " + vectors.origin() + ", Loam and the loop: ";
    report.note(exactWork + over + exactAgreement);
    report.note(codesWork + over + codesAgreement);
    return exactAgreement.holds(LEAST_AGREEMENT);
  }

  private static List<Long> ids(PreparedStatement search, float[] query, Timings times)
      throws SQLException {
    long start = System.nanoTime();
    List<Long> found = new ArrayList<>();
    search.setObject(1, query);
    try (ResultSet rows = search.executeQuery()) {
      while (rows.next()) {
        found.add(rows.getLong(1));
      }
    }
    times.add(System.nanoTime() - start);
    return found;
  }

  private List<Long> byLoop(float[] query, Timings times) {
    long start = System.nanoTime();
    int[] nearest = vectors.nearest(query, Engine.TOP);
    times.add(System.nanoTime() - start);
    return Arrays.stream(nearest).mapToObj(row -> (long) row).toList();
  }
}
