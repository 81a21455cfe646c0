package io.loam.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A process that commits rows one by one beside others that do the same. */
final class WriterProcess {
  private static final int WARM_UP = 5;

  private WriterProcess() {}

  /**
   * What a process did.
   *
   * @param commits in the time that all of them measured
   */
  private record Result(int commits, double p50Millis, double p99Millis, double mostMillis) {
    static Result parse(String text) {
      String[] parts = text.strip().split(" ", -1);
      return new Result(
          Integer.parseInt(parts[0]),
          Double.parseDouble(parts[1]),
          Double.parseDouble(parts[2]),
          Double.parseDouble(parts[3]));
    }
  }

  /** Arguments: url, table, the number of the process, seconds, and properties as name=value. */
  public static void main(String[] args) throws SQLException {
    Properties properties = new Properties();
    for (String property : List.of(args).subList(4, args.length)) {
      properties.setProperty(
          property.substring(0, property.indexOf('=')),
          property.substring(property.indexOf('=') + 1));
    }
    long nextId = 100_000_000L * Integer.parseInt(args[2]);
    Timings times = new Timings();
    int commits = 0;
    try (Connection connection = DriverManager.getConnection(args[0], properties)) {
      for (int i = 0; i < WARM_UP; i++) {
        CommitBench.commit(connection, args[1], nextId++, 1);
      }
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Integer.parseInt(args[3]));
      while (System.nanoTime() < end) {
        long start = System.nanoTime();
        CommitBench.commit(connection, args[1], nextId++, 1);
        times.add(System.nanoTime() - start);
        commits++;
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%d %.1f %.1f %.1f%n",
        commits,
        times.quantileMillis(0.5),
        times.quantileMillis(0.99),
        times.quantileMillis(1));
  }

  /** Runs processes side by side; a line of a table about all of them. */
  static String race(
      String place, int processes, int seconds, List<String> urlAndTable, Properties properties)
      throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(processes);
    try {
      List<Future<Result>> running = new ArrayList<>();
      for (int number = 1; number <= processes; number++) {
        List<String> arguments = new ArrayList<>(urlAndTable);
        arguments.add(String.valueOf(number));
        arguments.add(String.valueOf(seconds));
        properties.forEach((name, value) -> arguments.add(name + "=" + value));
        Callable<Result> process =
            () ->
                Result.parse(
                    ChildJvm.run(
                            ChildJvm.classPath(),
                            List.of("-Xmx512m", "-XX:+UseSerialGC"),
                            WriterProcess.class,
                            arguments)
                        .output());
        running.add(threads.submit(process));
      }
      List<Result> results = new ArrayList<>();
      for (Future<Result> process : running) {
        results.add(process.get());
      }
      return line(place, seconds, results);
    } finally {
      threads.shutdownNow();
    }
  }

  private static String line(String place, int seconds, List<Result> results) {
    return String.format(
        Locale.ROOT,
        "| %s | %d | %.1f | %d to %d | %.0f | %.0f | %.0f |",
        place,
        results.size(),
        results.stream().mapToInt(Result::commits).sum() / (double) seconds,
        results.stream().mapToInt(Result::commits).min().orElse(0),
        results.stream().mapToInt(Result::commits).max().orElse(0),
        results.stream().mapToDouble(Result::p50Millis).max().orElse(0),
        results.stream().mapToDouble(Result::p99Millis).max().orElse(0),
        results.stream().mapToDouble(Result::mostMillis).max().orElse(0));
  }
}
