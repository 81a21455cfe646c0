package io.loam.bench;

import io.loam.bench.VectorTable.Way;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures vector indexes: how long they take to build, and what they save. */
@Command(
    name = "index",
    mixinStandardHelpOptions = true,
    description = {
      "Build time, memory, query time and recall of vector indexes beside codes.",
      "With --sizes, how query time grows with the rows instead."
    })
final class IndexBench implements Callable<Integer> {
  /** Parts of a percent of rows that no segment covers. */
  private static final int[] UNCOVERED_PERCENT = {0, 1, 10};

  @Option(names = "--rows", defaultValue = "100000", description = "${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--sizes",
      split = ",",
      description = "Rows at which to measure one segment of each kind, ascending.")
  private List<Integer> sizes = List.of();

  @Option(names = "--dimension", defaultValue = "128", description = "${DEFAULT-VALUE}.")
  private int dimension;

  @Option(names = "--queries", defaultValue = "100", description = "${DEFAULT-VALUE}.")
  private int queries;

  @Option(
      names = "--kinds",
      split = ",",
      defaultValue = "ivf_flat,ivf_sq,ivf_pq",
      description = "${DEFAULT-VALUE}.")
  private List<String> kinds = List.of();

  @Option(
      names = "--segments",
      split = ",",
      defaultValue = "1,8",
      description = "Segments, and processes that build them; ${DEFAULT-VALUE}.")
  private List<Integer> segments = List.of();

  @Override
  public Integer call() throws IOException, SQLException {
    int most = sizes.stream().mapToInt(Integer::intValue).max().orElse(rows);
    Path folder = Files.createTempDirectory("loam-index");
    String url =
        "jdbc:loam:%s?autoOptimize=false&cacheBytes=%d"
            .formatted(folder, 3L * most * dimension * Float.BYTES);
    try (Connection connection = DriverManager.getConnection(url)) {
      VectorTable table = new VectorTable(connection, ClusteredVectors.of(most, dimension));
      table.create(dimension);
      if (sizes.isEmpty()) {
        kinds(table);
      } else {
        growth(table);
      }
    } finally {
      WordNetBench.deleteAll(folder);
    }
    return 0;
  }

  private void kinds(VectorTable table) throws SQLException {
    load(table, 0, rows);
    System.out.println(
        "| | segments | uncovered % | build s | peak MB | p50 ms | p99 ms | recall@10 |");
    System.out.println("|---|---:|---:|---:|---:|---:|---:|---:|");
    for (String kind : kinds) {
      for (int count : segments) {
        kind(table, kind, count);
      }
    }
  }

  private void load(VectorTable table, int from, int to) throws SQLException {
    long start = System.nanoTime();
    table.insert(from, to);
    table.execute("CALL loam.optimize('docs')");
    System.out.printf(
        Locale.ROOT,
        "%,d to %,d × %d loaded and optimised in %.0f s%n",
        from,
        to,
        dimension,
        since(start));
  }

  private void kind(VectorTable table, String kind, int count) throws SQLException {
    Way exact = table.way("exact", ", exact => true");
    Way codes = table.way("codes", "");
    String built = build(table, kind, count);
    long made = table.number("SELECT count(*) FROM \"docs$segments\" WHERE segment IS NOT NULL");
    List<Way> indexed = new ArrayList<>();
    List<Way> exacts = new ArrayList<>();
    int last = rows;
    for (int percent : UNCOVERED_PERCENT) {
      int end = rows + rows / 100 * percent;
      table.insert(last, end);
      last = end;
      indexed.add(table.way(kind, ""));
      exacts.add(percent == 0 ? exact : table.way("exact", ", exact => true"));
    }
    table.execute("DROP INDEX by_v ON docs");
    Way codesOfAll = table.way("codes", "");
    table.race(queries);
    print(exact, "| | 0 | |", exact);
    print(codes, "| | 0 | |", exact);
    for (int i = 0; i < indexed.size(); i++) {
      String how = i == 0 ? built : " |";
      print(
          indexed.get(i),
          "| %d | %d | %s".formatted(made, UNCOVERED_PERCENT[i], how),
          exacts.get(i));
    }
    print(codesOfAll, "| | 10 | |", exacts.get(exacts.size() - 1));
    table.execute("DELETE FROM docs WHERE id >= " + rows);
    table.execute("CALL loam.optimize('docs')");
  }

  /** Makes the index; tells seconds and megabytes. */
  private String build(VectorTable table, String kind, int count) throws SQLException {
    long bytes = Math.max(65_536, bytesPerRow(kind) * rows / count + 1);
    long start = System.nanoTime();
    try (BuildWatch watch = new BuildWatch()) {
      table.execute(
          "CREATE INDEX by_v ON docs (v) USING %s WITH ('max_segment_bytes' = '%d', 'min_rows' = '0')"
              .formatted(kind, count == 1 ? Math.max(bytes, 1 << 30) : bytes));
      return String.format(Locale.ROOT, "%.1f | %d", since(start), watch.peakMegabytes());
    }
  }

  private long bytesPerRow(String kind) {
    return switch (kind) {
      case "ivf_flat" -> 4L * dimension + 16;
      case "ivf_pq" -> dimension / 4 + 12L;
      default -> dimension + (dimension + 63) / 64 * 8L + 32;
    };
  }

  private static void print(Way way, String facts, Way exact) {
    System.out.printf(
        Locale.ROOT,
        "| %s %s | %.2f | %.2f | %.4f |%n",
        way.name(),
        facts,
        way.times().quantileMillis(0.5),
        way.times().quantileMillis(0.99),
        VectorTable.recall(way, exact));
  }

  private void growth(VectorTable table) throws SQLException {
    int last = 0;
    System.out.println("| | rows | build s | peak MB | p50 ms | p99 ms | recall@10 |");
    System.out.println("|---|---:|---:|---:|---:|---:|---:|");
    for (int size : sizes) {
      load(table, last, size);
      last = size;
      rows = size;
      Way exact = table.way("exact", ", exact => true");
      Way codes = table.way("codes", "");
      List<Way> indexed = new ArrayList<>();
      List<String> built = new ArrayList<>();
      for (String kind : kinds) {
        built.add(build(table, kind, 1));
        indexed.add(table.way(kind, ""));
        table.execute("DROP INDEX by_v ON docs");
      }
      table.race(queries);
      print(exact, "| %d | |".formatted(size), exact);
      print(codes, "| %d | |".formatted(size), exact);
      for (int i = 0; i < indexed.size(); i++) {
        print(indexed.get(i), "| %d | %s".formatted(size, built.get(i)), exact);
      }
    }
  }

  private static double since(long startNanos) {
    return (System.nanoTime() - startNanos) / 1e9;
  }
}
