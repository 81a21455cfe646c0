package io.loam.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures a table that is loaded in many commits while it is searched and keeps itself up. */
@Command(
    name = "upkeep",
    mixinStandardHelpOptions = true,
    description = "A load in many commits with upkeep in the background, beside a load at once.")
final class UpkeepBench implements Callable<Integer> {
  private static final int BULK = 20_000;
  private static final int QUESTIONS = 200;
  private static final long PAUSE_MILLIS = 100;

  @Option(names = "--rows", defaultValue = "1000000", description = "${DEFAULT-VALUE}.")
  private int rows;

  @Option(names = "--commits", defaultValue = "1000", description = "${DEFAULT-VALUE}.")
  private int commits;

  @Option(names = "--dimension", defaultValue = "128", description = "${DEFAULT-VALUE}.")
  private int dimension;

  @Option(
      names = "--idle",
      defaultValue = "600",
      description = "Seconds that upkeep has after the load, at most; ${DEFAULT-VALUE}.")
  private int idleSeconds;

  private ClusteredVectors vectors = ClusteredVectors.of(1, 1);
  private Corpus corpus = Corpus.of(List.of(), List.of(), 0);

  /** What a folder holds. */
  private record Content(long objects, long bytes) {
    static Content of(Path folder) throws IOException {
      try (Stream<Path> files = Files.walk(folder.resolve("collections"))) {
        long[] sizes = files.filter(Files::isRegularFile).mapToLong(Content::size).toArray();
        return new Content(sizes.length, Arrays.stream(sizes).sum());
      }
    }

    private static long size(Path file) {
      try {
        return Files.size(file);
      } catch (IOException e) {
        return 0; // garbage that has just gone
      }
    }
  }

  /** Times of the two kinds of search. */
  private record Searches(Timings text, Timings vectors) {
    Searches() {
      this(new Timings(), new Timings());
    }
  }

  @Override
  public Integer call() throws Exception {
    vectors = ClusteredVectors.of(rows, dimension);
    corpus = GeneratedCorpus.of(rows, QUESTIONS);
    Path folder = Files.createTempDirectory("loam-upkeep");
    try {
      System.out.println("| load | docs/s | searches | bm25 p50 / p99 ms | vectors p50 / p99 ms |");
      System.out.println("|---|---:|---|---:|---:|");
      small(folder.resolve("small"));
      atOnce(folder.resolve("ideal"));
    } finally {
      WordNetBench.deleteAll(folder);
    }
    return 0;
  }

  private String url(Path folder, String more) {
    return "jdbc:loam:%s?cacheBytes=%d%s"
        .formatted(folder, 2L * rows * dimension * Float.BYTES, more);
  }

  private static void create(Connection connection, int dimension) throws SQLException {
    execute(
        connection,
        "CREATE TABLE docs (id BIGINT PRIMARY KEY, body TEXT, topic VARCHAR, v VECTOR(%d))"
                .formatted(dimension)
            + " WITH ('retention.minutes' = '0', 'retention.versions' = '1')");
    execute(connection, "CREATE INDEX by_v ON docs (v) USING ivf_sq");
  }

  private void small(Path folder) throws Exception {
    String url = url(folder, "");
    ExecutorService other = Executors.newSingleThreadExecutor();
    try (Connection connection = DriverManager.getConnection(url)) {
      create(connection, dimension);
      Load load = new Load(connection);
      load.insert(rows / commits, 1); // what is searched first
      CountDownLatch loaded = new CountDownLatch(1);
      Future<Searches> during = other.submit(() -> searchUntil(loaded, url));
      long start = System.nanoTime();
      load.insert(rows / commits, commits - 1);
      double rate = rows / since(start);
      loaded.countDown();
      print("%d commits".formatted(commits), rate, "during", during.get());
      print("", 0, "right after", searches(connection));
      describe(connection, folder, "right after");
      awaitUpkeep(connection);
      print("", 0, "when upkeep has nothing to do", searches(connection));
      describe(connection, folder, "when upkeep has nothing to do");
      execute(connection, "CALL loam.optimize('docs')");
      collect(connection);
      print("", 0, "after optimize and gc", searches(connection));
      describe(connection, folder, "after optimize and gc");
    } catch (ExecutionException e) {
      throw new SQLException("a search failed during the load", e.getCause());
    } finally {
      other.shutdownNow();
    }
  }

  private void atOnce(Path folder) throws IOException, SQLException {
    try (Connection connection = DriverManager.getConnection(url(folder, "&autoOptimize=false"))) {
      create(connection, dimension);
      long start = System.nanoTime();
      new Load(connection).insert(BULK, (rows + BULK - 1) / BULK);
      double rate = rows / since(start);
      execute(connection, "CALL loam.optimize('docs')");
      execute(connection, "ALTER INDEX by_v ON docs REBUILD");
      collect(connection);
      print("commits of " + BULK, rate, "after optimize, REBUILD and gc", searches(connection));
      describe(connection, folder, "ideal");
    }
  }

  /** Leaves the newest version only. */
  private static void collect(Connection connection) throws SQLException {
    execute(connection, "CALL loam.gc('docs', grace_minutes => 0)");
  }

  private void awaitUpkeep(Connection connection) throws SQLException, InterruptedException {
    long start = System.nanoTime();
    long version = -1;
    while (since(start) < idleSeconds) {
      long newest = number(connection, "SELECT max(version) FROM \"docs$manifests\"");
      long running =
          number(connection, "SELECT count(*) FROM \"docs$maintenance\" WHERE state = 'running'");
      if (newest == version && running == 0) {
        return;
      }
      version = newest;
      Thread.sleep(Math.min(10_000, 1_000L * idleSeconds));
    }
  }

  private void describe(Connection connection, Path folder, String when)
      throws IOException, SQLException {
    Content content = Content.of(folder);
    System.out.printf(
        Locale.ROOT,
        "%s: objects=%,d, bytes=%,d, versions=%d, splits=%d, segments=%d, uncovered rows=%d%n",
        when,
        content.objects,
        content.bytes,
        number(connection, "SELECT count(*) FROM \"docs$manifests\""),
        number(connection, "SELECT count(*) FROM \"docs$splits\""),
        number(connection, "SELECT count(*) FROM \"docs$segments\" WHERE segment IS NOT NULL"),
        number(
            connection,
            "SELECT coalesce(sum(\"rows\"), 0) FROM \"docs$segments\" WHERE segment IS NULL"));
  }

  private static void print(String load, double rate, String when, Searches searches) {
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %s | %.2f / %.2f | %.2f / %.2f |%n",
        load,
        rate == 0 ? "" : String.format(Locale.ROOT, "%,.0f", rate),
        when,
        searches.text.quantileMillis(0.5),
        searches.text.quantileMillis(0.99),
        searches.vectors.quantileMillis(0.5),
        searches.vectors.quantileMillis(0.99));
  }

  private Searches searchUntil(CountDownLatch loaded, String url)
      throws SQLException, InterruptedException {
    Searches searches = new Searches();
    try (Connection connection = DriverManager.getConnection(url);
        Asking asking = new Asking(connection)) {
      for (int i = 0; !loaded.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS); i++) {
        asking.ask(i, searches);
      }
    }
    return searches;
  }

  private Searches searches(Connection connection) throws SQLException {
    Searches searches = new Searches();
    try (Asking asking = new Asking(connection)) {
      for (int i = 0; i < QUESTIONS; i++) {
        asking.ask(i, i < QUESTIONS / 4 ? new Searches() : searches);
      }
    }
    return searches;
  }

  /** Asks for words and for vectors. */
  private final class Asking implements AutoCloseable {
    private final PreparedStatement text;
    private final PreparedStatement nearest;

    Asking(Connection connection) throws SQLException {
      text = connection.prepareStatement("SELECT id, _score FROM bm25('docs', 'body', ?, k => 10)");
      nearest =
          connection.prepareStatement(
              "SELECT id, _score FROM vector_search('docs', 'v', ?, k => 10)");
    }

    void ask(int number, Searches searches) throws SQLException {
      text.setString(1, String.join(" ", corpus.questions().get(number % QUESTIONS)));
      searches.text.add(time(text));
      nearest.setObject(1, vectors.vector(-1 - number));
      searches.vectors.add(time(nearest));
    }

    private static long time(PreparedStatement search) throws SQLException {
      long start = System.nanoTime();
      try (ResultSet hits = search.executeQuery()) {
        while (hits.next()) {
          hits.getLong(1);
        }
      }
      return System.nanoTime() - start;
    }

    @Override
    public void close() throws SQLException {
      text.close();
      nearest.close();
    }
  }

  /** Puts generated documents in, each transaction one commit. */
  private final class Load {
    private final Connection connection;
    private final Iterator<Doc> docs = corpus.docs().iterator();

    Load(Connection connection) {
      this.connection = connection;
    }

    void insert(int size, int times) throws SQLException {
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO docs VALUES (?, ?, ?, ?)")) {
        for (int commit = 0; commit < times; commit++) {
          for (int i = 0; i < size && docs.hasNext(); i++) {
            Doc doc = docs.next();
            insert.setLong(1, doc.id());
            insert.setString(2, doc.body());
            insert.setString(3, doc.topic());
            insert.setObject(4, vectors.vector(doc.id()));
            insert.addBatch();
          }
          insert.executeBatch();
        }
      }
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static double since(long startNanos) {
    return (System.nanoTime() - startNanos) / 1e9;
  }
}
