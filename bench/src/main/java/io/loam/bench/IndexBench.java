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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures vector indexes: how long they take to build, and what they save. */
@Command(
    name = "index",
    mixinStandardHelpOptions = true,
    description = "Build time, memory, query time and recall of vector indexes beside codes.")
final class IndexBench implements Callable<Integer> {
  private static final int BATCH = 20_000;
  private static final int TOP = 10;
  private static final int ROWS_PER_CLUSTER = 500;
  private static final float SPREAD = 0.7f;

  /** Parts of a percent of rows that no segment covers. */
  private static final int[] UNCOVERED_PERCENT = {0, 1, 10};

  @Option(names = "--rows", defaultValue = "100000", description = "${DEFAULT-VALUE}.")
  private int rows;

  @Option(names = "--dimension", defaultValue = "128", description = "${DEFAULT-VALUE}.")
  private int dimension;

  @Option(names = "--queries", defaultValue = "100", description = "${DEFAULT-VALUE}.")
  private int queries;

  @Option(names = "--kinds", split = ",", defaultValue = "ivf_flat,ivf_sq,ivf_pq")
  private List<String> kinds = List.of();

  @Option(names = "--segments", split = ",", defaultValue = "1,8")
  private List<Integer> segments = List.of();

  private final List<float[]> questions = new ArrayList<>();
  private float[][] centres = {};

  /** Row {@code id}: near one of the centres, the same whenever it is asked for. */
  private float[] vector(long id) {
    Random random = new Random(id * 0x9E3779B97F4A7C15L + 1);
    float[] vector = centres[random.nextInt(centres.length)].clone();
    for (int d = 0; d < dimension; d++) {
      vector[d] += SPREAD * (float) random.nextGaussian();
    }
    return vector;
  }

  @Override
  public Integer call() throws Exception {
    Random random = new Random(5);
    centres = new float[Math.max(20, rows / ROWS_PER_CLUSTER)][dimension];
    for (float[] centre : centres) {
      for (int d = 0; d < dimension; d++) {
        centre[d] = (float) random.nextGaussian();
      }
    }
    for (int i = 0; i < queries; i++) {
      questions.add(vector(-1 - i));
    }
    Path folder = Files.createTempDirectory("loam-index");
    String url = "jdbc:loam:" + folder + "?autoOptimize=false&cacheBytes=" + cacheBytes();
    try (Connection connection = DriverManager.getConnection(url)) {
      run(connection);
    }
    return 0;
  }

  private long cacheBytes() {
    return 3L * rows * dimension * Float.BYTES;
  }

  private void run(Connection connection) throws SQLException {
    execute(
        connection,
        "CREATE TABLE docs (id BIGINT PRIMARY KEY, v VECTOR("
            + dimension
            + "))"
            + " WITH ('metric.v' = 'l2')");
    long start = System.nanoTime();
    insert(connection, 0, rows);
    execute(connection, "CALL loam.optimize('docs')");
    System.out.printf(
        Locale.ROOT, "%d × %d loaded and optimised in %.0f s%n", rows, dimension, since(start));
    System.out.println(
        "| | segments | uncovered % | build s | peak MB | p50 ms | p99 ms | recall@10 |");
    System.out.println("|---|---:|---:|---:|---:|---:|---:|---:|");
    List<Set<Long>> exact = search(connection, ", exact => true", "exact", "", "0", "", "", null);
    search(connection, "", "codes", "", "0", "", "", exact);
    for (String kind : kinds) {
      for (int count : segments) {
        measure(connection, kind, count);
      }
    }
  }

  private void measure(Connection connection, String kind, int count) throws SQLException {
    long bytes = bytesPerRow(kind) * rows / count + 1;
    long start = System.nanoTime();
    AtomicLong peak = new AtomicLong();
    Thread watch = watchChildren(peak);
    execute(
        connection,
        "CREATE INDEX by_v ON docs (v) USING %s WITH ('max_segment_bytes' = '%d', 'min_rows' = '0')"
            .formatted(kind, Math.max(65_536, bytes)));
    double seconds = since(start);
    watch.interrupt();
    String build = String.format(Locale.ROOT, "%.1f", seconds);
    String memory = String.valueOf(peak.get() >> 10);
    int last = rows;
    for (int percent : UNCOVERED_PERCENT) {
      int end = rows + rows / 100 * percent;
      insert(connection, last, end);
      last = end;
      List<Set<Long>> exact = search(connection, ", exact => true", null, "", "", "", "", null);
      search(
          connection,
          "",
          kind,
          String.valueOf(segmentCount(connection)),
          String.valueOf(percent),
          build,
          memory,
          exact);
    }
    execute(connection, "DROP INDEX by_v ON docs");
    execute(connection, "DELETE FROM docs WHERE id >= " + rows);
    execute(connection, "CALL loam.optimize('docs')");
  }

  private long bytesPerRow(String kind) {
    return switch (kind) {
      case "ivf_flat" -> 4L * dimension + 16;
      case "ivf_pq" -> dimension / 4 + 12L;
      default -> dimension + (dimension + 63) / 64 * 8L + 32;
    };
  }

  private static int segmentCount(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM \"docs$segments\" WHERE segment IS NOT NULL")) {
      row.next();
      return row.getInt(1);
    }
  }

  /** Keeps the largest resident size, in kilobytes, of the processes that build parts. */
  private static Thread watchChildren(AtomicLong peak) {
    Thread watch =
        new Thread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                ProcessHandle.current()
                    .children()
                    .forEach(child -> peak.accumulateAndGet(residentKilobytes(child), Math::max));
                try {
                  Thread.sleep(20);
                } catch (InterruptedException e) {
                  return;
                }
              }
            });
    watch.setDaemon(true);
    watch.start();
    return watch;
  }

  private static long residentKilobytes(ProcessHandle process) {
    try {
      return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
          .filter(line -> line.startsWith("RssAnon:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0; // it has ended
    }
  }

  private void insert(Connection connection, long from, long to) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO docs (id, v) VALUES (?, ?)")) {
      for (long id = from; id < to; id++) {
        insert.setLong(1, id);
        insert.setObject(2, vector(id));
        insert.addBatch();
        if ((id + 1 - from) % BATCH == 0 || id + 1 == to) {
          insert.executeBatch();
        }
      }
    }
  }

  /** What is found; prints a line if it has a name. */
  private List<Set<Long>> search(
      Connection connection,
      String options,
      @Nullable String name,
      String count,
      String uncovered,
      String build,
      String memory,
      @Nullable List<Set<Long>> exact)
      throws SQLException {
    List<Set<Long>> found = new ArrayList<>();
    Timings times = new Timings();
    String sql = "SELECT id FROM vector_search('docs', 'v', ?, k => " + TOP + options + ")";
    try (PreparedStatement search = connection.prepareStatement(sql)) {
      for (int i = name == null ? 0 : -queries / 2; i < queries; i++) {
        search.setObject(1, questions.get(Math.floorMod(i, queries)));
        long start = System.nanoTime();
        Set<Long> ids = new HashSet<>();
        try (ResultSet hits = search.executeQuery()) {
          while (hits.next()) {
            ids.add(hits.getLong(1));
          }
        }
        if (i >= 0) {
          times.add(System.nanoTime() - start);
          found.add(ids);
        }
      }
    }
    if (name != null) {
      System.out.printf(
          Locale.ROOT,
          "| %s | %s | %s | %s | %s | %.2f | %.2f | %s |%n",
          name,
          count,
          uncovered,
          build,
          memory,
          times.quantileMillis(0.5),
          times.quantileMillis(0.99),
          exact == null ? "1" : String.format(Locale.ROOT, "%.4f", recall(found, exact)));
    }
    return found;
  }

  private static double recall(List<Set<Long>> found, List<Set<Long>> exact) {
    int hits = 0;
    int wanted = 0;
    for (int i = 0; i < found.size(); i++) {
      wanted += exact.get(i).size();
      Set<Long> both = new HashSet<>(exact.get(i));
      both.retainAll(found.get(i));
      hits += both.size();
    }
    return hits / (double) wanted;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static double since(long startNanos) {
    return (System.nanoTime() - startNanos) / 1e9;
  }
}
