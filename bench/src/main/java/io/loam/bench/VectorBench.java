package io.loam.bench;

import io.loam.demo.Embedder;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Vector search over JDBC beside a plain Java loop and Lucene's graph. */
@Command(
    name = "vectors",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Vector search beside a plain loop (exact) and Lucene's HNSW (approximate).")
final class VectorBench extends SideBySide {
  private static final int TOP = 10;
  private static final int BATCH = 10_000;
  private static final int ADDS = 100;
  private static final long SEED = 7;

  /** The recall that the graph must have to be compared with codes. */
  private static final double RECALL = 0.99;

  /** Questions for which that is looked at. */
  private static final int RECALL_QUESTIONS = 200;

  private static final int[] CANDIDATES = {10, 20, 40, 60, 80, 100, 150, 200, 300, 400, 600, 1_000};

  /** Float sums may tie differently. */
  private static final double LEAST_AGREEMENT = 0.95;

  @Option(names = "--rows", defaultValue = "117791", description = "Rows; ${DEFAULT-VALUE}.")
  private int rowCount;

  @Option(
      names = "--real-embeddings",
      description = "Compute embeddings that the demo's cache lacks (minutes).")
  private boolean realEmbeddings;

  @Option(
      names = "--exact-questions",
      defaultValue = "50",
      description = "Questions for exact search, more with a filter; ${DEFAULT-VALUE}.")
  private int exactQuestions;

  @Override
  List<String> allEngines() {
    return List.of(LoamEngine.NAME, VectorLoop.NAME, HnswIndex.NAME);
  }

  @Override
  void measure(Path work, Race race, Report report)
      throws IOException, SQLException, InterruptedException {
    Vectors vectors = Vectors.of(Corpus.read(rowCount, 0).synsets(), realEmbeddings);
    report.note(String.format(Locale.ROOT, "%,d vectors: %s", rowCount, vectors.origin()));
    String url = "jdbc:loam:" + work.resolve("vectors").toAbsolutePath();
    try (HnswIndex graph = new HnswIndex(work)) {
      Rows rows = Rows.of(vectors.rows(), questions());
      if (race.has(LoamEngine.NAME)) {
        load(url, rows, report);
      }
      if (race.has(HnswIndex.NAME)) {
        load(graph, rows, report);
      }
      Searches searches = new Searches(url, graph, rows, race);
      for (@Nullable Integer percent : new @Nullable Integer[] {null, 1, 50}) {
        int rowsLeft = percent == null ? 100 : percent;
        searches.exact(percent, Math.min(questions(), exactQuestions * 100 / rowsLeft));
      }
      for (@Nullable Integer percent : new @Nullable Integer[] {null, 1, 50}) {
        searches.approximate(percent, "");
      }
      add(url, graph, rows, race);
      new Searches(url, graph, rows.grown(), race)
          .approximate(null, " after " + ADDS + " one-row INSERTs");
    }
  }

  /**
   * What is stored and what is asked.
   *
   * @param stored by id
   * @param parts by id, a number from 0 to 99
   * @param later to be added
   */
  private record Rows(float[][] stored, int[] parts, float[][] later, float[][] queries) {
    /** The last rows of a shuffled order are the queries, those before them are added later. */
    static Rows of(float[][] all, int queries) {
      Random random = new Random(SEED);
      float[][] shuffled = all.clone();
      for (int i = shuffled.length - 1; i > 0; i--) {
        int j = random.nextInt(i + 1);
        float[] other = shuffled[j];
        shuffled[j] = shuffled[i];
        shuffled[i] = other;
      }
      int from = shuffled.length - Math.min(queries, shuffled.length / 10);
      int[] parts = random.ints(from, 0, 100).toArray();
      return new Rows(
          Arrays.copyOf(shuffled, from - ADDS),
          parts,
          Arrays.copyOfRange(shuffled, from - ADDS, from),
          Arrays.copyOfRange(shuffled, from, shuffled.length));
    }

    /** With what is to be added stored. */
    Rows grown() {
      float[][] all = Arrays.copyOf(stored, stored.length + later.length);
      System.arraycopy(later, 0, all, stored.length, later.length);
      return new Rows(all, parts, later, queries);
    }
  }

  private static void load(String url, Rows rows, Report report) throws SQLException {
    long start = System.nanoTime();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE vectors (id BIGINT PRIMARY KEY, part INTEGER, embedding VECTOR(%d))"
                  .formatted(Embedder.DIMENSION)
              + " WITH ('metric.embedding' = 'cosine')");
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO vectors VALUES (?, ?, ?)")) {
        for (int row = 0; row < rows.stored.length; row++) {
          insert.setLong(1, row);
          insert.setInt(2, rows.parts[row]);
          insert.setObject(3, rows.stored[row]);
          insert.addBatch();
          if ((row + 1) % BATCH == 0 || row + 1 == rows.stored.length) {
            insert.executeBatch();
          }
        }
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    report.value("bulk INSERT, rows/s", LoamEngine.NAME, rows.stored.length / seconds);
  }

  private static void load(HnswIndex graph, Rows rows, Report report) throws IOException {
    long start = System.nanoTime();
    for (int row = 0; row < rows.stored.length; row++) {
      graph.add(row, rows.parts[row], rows.stored[row]);
    }
    graph.commit();
    double seconds = (System.nanoTime() - start) / 1e9;
    report.value("bulk INSERT, rows/s", HnswIndex.NAME, rows.stored.length / seconds);
  }

  private static void add(String url, HnswIndex graph, Rows rows, Race race)
      throws IOException, SQLException {
    if (race.has(LoamEngine.NAME)) {
      try (Connection connection = DriverManager.getConnection(url);
          PreparedStatement insert =
              connection.prepareStatement("INSERT INTO vectors VALUES (?, ?, ?)")) {
        for (int i = 0; i < ADDS; i++) {
          insert.setLong(1, rows.stored.length + i);
          insert.setInt(2, rows.parts[rows.stored.length + i]);
          insert.setObject(3, rows.later[i]);
          insert.executeUpdate();
        }
      }
    }
    if (race.has(HnswIndex.NAME)) {
      for (int i = 0; i < ADDS; i++) {
        int id = rows.stored.length + i;
        graph.add(id, rows.parts[id], rows.later[i]);
        graph.commit();
      }
    }
  }

  private record Searches(String url, HnswIndex graph, Rows rows, Race race) {
    private String sql(@Nullable Integer percent, String more) {
      String filter = percent == null ? "" : ", filter => 'part < " + percent + "'";
      return "SELECT id, _score FROM vector_search('vectors', 'embedding', ?, k => "
          + TOP
          + filter
          + more
          + ")";
    }

    private static String named(String work, @Nullable Integer percent) {
      return work + (percent == null ? "" : " with a filter of " + percent + " %");
    }

    private Contestant loam(@Nullable Integer percent, String more) {
      return new Contestant(
          LoamEngine.NAME,
          JdbcAsker.of(url, sql(percent, more), (s, q) -> s.setObject(1, rows.queries[q])));
    }

    void exact(@Nullable Integer percent, int questions)
        throws IOException, SQLException, InterruptedException {
      VectorLoop loop = new VectorLoop(rows.stored);
      int below = percent == null ? 100 : percent;
      race.run(
          named("exact vector_search, top " + TOP, percent),
          Math.min(questions, rows.queries.length),
          LEAST_AGREEMENT,
          List.of(
              loam(percent, ", exact => true"),
              new Contestant(
                  VectorLoop.NAME,
                  () ->
                      question ->
                          loop.nearest(
                              rows.queries[question], TOP, row -> rows.parts[(int) row] < below))));
    }

    void approximate(@Nullable Integer percent, String when)
        throws IOException, SQLException, InterruptedException {
      String work = named("vector_search, top " + TOP, percent) + when;
      List<long[]> truth = truth(percent);
      int candidates = race.has(HnswIndex.NAME) ? candidates(percent, truth) : 0;
      Contestant loam = loam(percent, "");
      Contestant hnsw =
          new Contestant(
              HnswIndex.NAME,
              () -> question -> graph.nearest(rows.queries[question], TOP, candidates, percent));
      if (race.has(LoamEngine.NAME)) {
        race.noteRecall(work, loam, truth);
      }
      race.noteRecall(work + ", " + candidates + " candidates", hnsw, truth);
      race.run(work, rows.queries.length, 0, List.of(loam, hnsw));
    }

    private List<long[]> truth(@Nullable Integer percent) {
      List<long[]> truth = new ArrayList<>();
      int below = percent == null ? 100 : percent;
      VectorLoop loop = new VectorLoop(rows.stored);
      for (int q = 0; q < Math.min(RECALL_QUESTIONS, rows.queries.length); q++) {
        truth.add(loop.nearest(rows.queries[q], TOP, row -> rows.parts[(int) row] < below));
      }
      return truth;
    }

    /** As many as make the graph's recall good enough. */
    private int candidates(@Nullable Integer percent, List<long[]> truth)
        throws IOException, SQLException {
      for (int candidates : CANDIDATES) {
        int tried = candidates;
        Asker asker = question -> graph.nearest(rows.queries[question], TOP, tried, percent);
        if (Race.recall(asker, truth) >= RECALL) {
          return candidates;
        }
      }
      return CANDIDATES[CANDIDATES.length - 1];
    }
  }
}
