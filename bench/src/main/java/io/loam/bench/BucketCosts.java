package io.loam.bench;

import io.loam.s3testing.S3Server;
import io.loam.s3testing.SeenRequest;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/** How many requests and bytes commits and first queries take in a bucket. */
final class BucketCosts {
  private static final String TABLE = "costs";
  private static final int COMMITS = 20;
  private static final List<String> QUERIES =
      List.of(
          "SELECT count(*) FROM costs",
          "SELECT uses FROM costs WHERE id = 7",
          "SELECT id FROM bm25('costs', 'body', 'slender 77', k => 10)",
          "SELECT body FROM bm25('costs', 'body', 'slender 77', k => 10)");

  private final S3Server server;
  private final String url;
  private final Properties properties;
  private final Path folder;
  private final List<String> lines = new ArrayList<>();

  /**
   * @param folder for caches
   */
  BucketCosts(S3Server server, String url, Properties properties, Path folder) {
    this.server = server;
    this.url = url;
    this.properties = properties;
    this.folder = folder;
  }

  /** Work on the bucket. */
  private interface Work {
    void run() throws SQLException;
  }

  List<String> table() throws SQLException {
    lines.add("| in a bucket | requests | bytes written | bytes read | ms |");
    lines.add("|---|---:|---:|---:|---:|");
    try (Connection connection = connect("writer")) {
      CommitBench.create(connection, TABLE);
      CommitBench.commit(connection, TABLE, 0, 20_000);
      CommitBench.commit(connection, TABLE, 20_000, 1);
      for (int rows : new int[] {1, 1_000}) {
        long first = 100_000L * rows;
        measure(
            "commit of %,d rows".formatted(rows),
            COMMITS,
            () -> {
              for (int i = 0; i < COMMITS; i++) {
                CommitBench.commit(connection, TABLE, first + (long) i * rows, rows);
              }
            });
      }
      try (Statement statement = connection.createStatement()) {
        statement.execute("CALL loam.optimize('" + TABLE + "')");
      }
    }
    for (String query : QUERIES) {
      try (Connection connection = connect("reader" + QUERIES.indexOf(query))) {
        measure("first: `" + query + "`", 1, () -> run(connection, query));
        measure("again", 1, () -> run(connection, query));
      }
    }
    return lines;
  }

  /** A connection whose cache is empty. */
  private Connection connect(String cache) throws SQLException {
    Properties cold = new Properties();
    cold.putAll(properties);
    cold.setProperty("cacheFolder", folder.resolve(cache).toString());
    cold.setProperty("autoOptimize", "false");
    return DriverManager.getConnection(url, cold);
  }

  private static void run(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        rows.getObject(1);
      }
    }
  }

  private void measure(String what, int times, Work work) throws SQLException {
    server.takeSeen();
    server.takeBytesSent();
    long start = System.nanoTime();
    work.run();
    double millis = (System.nanoTime() - start) / 1e6;
    List<SeenRequest> seen = server.takeSeen();
    long written = seen.stream().mapToLong(SeenRequest::bodyBytes).sum();
    lines.add(
        String.format(
            Locale.ROOT,
            "| %s | %.1f | %,d | %,d | %.0f |",
            what,
            (double) seen.size() / times,
            written / times,
            server.takeBytesSent() / times,
            millis / times));
  }
}
