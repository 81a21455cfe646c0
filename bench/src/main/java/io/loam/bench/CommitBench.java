package io.loam.bench;

import io.loam.s3testing.Fault;
import io.loam.s3testing.S3Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures commits: small and large, by one and by many writers, and as versions pile up. */
@Command(
    name = "commits",
    mixinStandardHelpOptions = true,
    description = "Commits per second in a folder and in a bucket of a server on this machine.")
final class CommitBench implements Callable<Integer> {
  private static final int[] ROWS = {1, 1_000};
  private static final int[] WRITERS = {1, 8};
  private static final int[] PROCESSES = {1, 2, 4};
  private static final int[] VERSIONS = {10, 100, 500, 2_000};
  private static final int SAMPLES = 20;

  @Option(
      names = "--seconds",
      defaultValue = "10",
      description = "Time of each measurement; ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--latency",
      defaultValue = "20",
      description = "Milliseconds added to each request to the bucket; ${DEFAULT-VALUE}.")
  private int latencyMillis;

  @Option(
      names = "--versions",
      defaultValue = "2000",
      description = "Versions to make, to see how cost grows; ${DEFAULT-VALUE}.")
  private int versions;

  @Option(
      names = "--parts",
      split = ",",
      defaultValue = "THREADS,PROCESSES,REQUESTS,VERSIONS",
      description = "What to measure: ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE}.")
  private List<Part> parts = List.of();

  private enum Part {
    THREADS,
    PROCESSES,
    REQUESTS,
    VERSIONS
  }

  private final List<String> lines = new ArrayList<>();

  /** A warehouse: a URL, and properties for it. */
  private record Place(String name, String url, Properties properties) {
    Connection connect() throws SQLException {
      return DriverManager.getConnection(url, properties);
    }
  }

  @Override
  public Integer call() throws Exception {
    Path folder = Files.createTempDirectory("loam-commits");
    try (S3Server server = S3Server.start(folder.resolve("bucket"))) {
      server.plan(
          request -> {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(latencyMillis));
            return Fault.NONE;
          });
      Place local = new Place("folder", "jdbc:loam:" + folder.resolve("w"), new Properties());
      Place bucket = bucket(server);
      for (Part part : parts) {
        switch (part) {
          case THREADS -> threads(List.of(local, bucket));
          case PROCESSES -> processes(List.of(local, bucket));
          case REQUESTS ->
              lines.addAll(
                  new BucketCosts(server, bucket.url(), bucket.properties(), folder).table());
          case VERSIONS -> grow(local);
        }
        lines.add("");
      }
    } finally {
      WordNetBench.deleteAll(folder);
    }
    lines.forEach(System.out::println);
    return 0;
  }

  private static Place bucket(S3Server server) {
    Properties properties = new Properties();
    properties.setProperty("accessKeyId", S3Server.ACCESS_KEY_ID);
    properties.setProperty("secretAccessKey", S3Server.SECRET_ACCESS_KEY);
    String url =
        "jdbc:loam:s3://%s/bench?endpoint=%s&region=%s&pathStyle=true"
            .formatted(S3Server.BUCKET, server.endpoint(), S3Server.REGION);
    return new Place("bucket", url, properties);
  }

  private void threads(List<Place> places)
      throws SQLException, InterruptedException, ExecutionException {
    lines.add("| store | rows a commit | writers | commits/s | rows/s | p50, ms | p99, ms |");
    lines.add("|---|---:|---:|---:|---:|---:|---:|");
    for (Place place : places) {
      measure(place);
    }
  }

  private void processes(List<Place> places)
      throws SQLException, InterruptedException, ExecutionException {
    lines.add(
        "| store | processes | commits/s | of each | p50, ms | p99, ms | longest, ms |");
    lines.add("|---|---:|---:|---:|---:|---:|---:|");
    for (Place place : places) {
      for (int processes : PROCESSES) {
        String table = "p" + processes;
        try (Connection connection = place.connect()) {
          create(connection, table);
        }
        lines.add(
            WriterProcess.race(
                place.name(), processes, seconds, List.of(place.url(), table), place.properties()));
      }
    }
  }

  private void measure(Place place) throws SQLException, InterruptedException, ExecutionException {
    for (int rows : ROWS) {
      for (int writers : WRITERS) {
        Timings times = new Timings();
        long start = System.nanoTime();
        int commits = write(place, "t" + rows + "_" + writers, rows, writers, times);
        double took = (System.nanoTime() - start) / 1e9;
        lines.add(
            "| %s | %,d | %d | %.1f | %,.0f | %.1f | %.1f |"
                .formatted(
                    place.name(),
                    rows,
                    writers,
                    commits / took,
                    commits * rows / took,
                    times.quantileMillis(0.5),
                    times.quantileMillis(0.99)));
      }
    }
  }

  /** Commits as fast as it goes, each writer over its own keys; gives the number of commits. */
  private int write(Place place, String table, int rows, int writers, Timings times)
      throws SQLException, InterruptedException, ExecutionException {
    try (Connection connection = place.connect()) {
      create(connection, table);
      commit(connection, table, -1_000_000, rows); // the first use of everything
    }
    AtomicLong next = new AtomicLong();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    ExecutorService pool = Executors.newFixedThreadPool(writers);
    try {
      List<Future<Integer>> running = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        running.add(
            pool.submit(
                () -> {
                  int done = 0;
                  try (Connection connection = place.connect()) {
                    while (System.nanoTime() < end) {
                      long start = System.nanoTime();
                      commit(connection, table, next.getAndAdd(rows), rows);
                      add(times, System.nanoTime() - start);
                      done++;
                    }
                  }
                  return done;
                }));
      }
      int commits = 0;
      for (Future<Integer> writer : running) {
        commits += writer.get();
      }
      return commits;
    } finally {
      pool.shutdownNow();
    }
  }

  private static void add(Timings times, long nanos) {
    synchronized (times) {
      times.add(nanos);
    }
  }

  static void create(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE "
              + table
              + " (id BIGINT PRIMARY KEY, topic VARCHAR, uses INTEGER, body TEXT ANALYZER 'english')");
    }
  }

  static void commit(Connection connection, String table, long firstId, int rows)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO " + table + " VALUES (?, ?, ?, ?)")) {
      for (long id = firstId; id < firstId + rows; id++) {
        insert.setLong(1, id);
        insert.setString(2, "topic" + id % 40);
        insert.setInt(3, (int) (id % 1_000));
        insert.setString(4, "a slender wing " + id + " in the slipstream of a propeller");
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  /** What commits and opening cost after so many versions of one row each. */
  private void grow(Place place) throws SQLException {
    lines.add("| versions | commit of one row, p50, ms | open and count, p50, ms |");
    lines.add("|---:|---:|---:|");
    try (Connection connection = place.connect()) {
      create(connection, "growing");
      int made = 0;
      for (int target : VERSIONS) {
        if (target > versions) {
          return;
        }
        Timings commits = new Timings();
        for (; made < target; made++) {
          long start = System.nanoTime();
          commit(connection, "growing", made, 1);
          if (made >= target - SAMPLES) {
            commits.add(System.nanoTime() - start);
          }
        }
        lines.add(
            "| %,d | %.1f | %.1f |"
                .formatted(
                    target, commits.quantileMillis(0.5), opening(place).quantileMillis(0.5)));
      }
    }
  }

  private static Timings opening(Place place) throws SQLException {
    Timings times = new Timings();
    for (int i = 0; i < SAMPLES; i++) {
      long start = System.nanoTime();
      try (Connection connection = place.connect();
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT count(*) FROM growing")) {
        rows.next();
        times.add(System.nanoTime() - start);
      }
    }
    return times;
  }
}
