package io.loam.bench;

import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Filters, groups, best rows and reads by key of typed columns, beside DuckDB, both over JDBC. */
@Command(
    name = "columns",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Filters, GROUP BY, top 100 and reads by key beside DuckDB over JDBC.")
final class ColumnBench extends SideBySide {
  private static final String DUCKDB = "DuckDB";
  private static final int BATCH = 20_000;

  /** Statements that take milliseconds are asked so often in a pass. */
  private static final int REPEATS = 10;

  @Option(names = "--rows", defaultValue = "1000000", description = "Rows; ${DEFAULT-VALUE}.")
  private int rowCount;

  /** A statement that both run; rows that are equal come in an order of their own. */
  private record Shape(String name, String sql) {}

  private static final List<Shape> SHAPES =
      List.of(
          new Shape(
              "filter: price and category, 2 %",
              "SELECT count(*) FROM items WHERE price < 20 AND category = 'category7'"),
          new Shape("filter: price, 20 %", "SELECT count(*) FROM items WHERE price < 20"),
          new Shape(
              "filter: time range, 10 %",
              "SELECT count(*) FROM items WHERE sold >= TIMESTAMP '2026-02-01 00:00:00'"
                  + " AND sold < TIMESTAMP '2026-03-01 00:00:00'"),
          new Shape(
              "filter: IN of 1,000 keywords",
              "SELECT count(*) FROM items WHERE brand IN ("
                  + IntStream.range(0, 1_000)
                      .mapToObj(i -> "'brand" + 3 * i + "'")
                      .collect(Collectors.joining(","))
                  + ")"),
          new Shape("filter: LIKE '%abc%'", "SELECT count(*) FROM items WHERE title LIKE '%abc%'"),
          new Shape(
              "GROUP BY 10 keywords: count, avg of DOUBLE",
              "SELECT count(*), category, avg(price) FROM items GROUP BY category"
                  + " ORDER BY category"),
          new Shape(
              "GROUP BY 3,000 keywords: sum of INTEGER",
              "SELECT sum(quantity), brand FROM items GROUP BY brand ORDER BY brand"),
          new Shape(
              "GROUP BY two columns: count",
              "SELECT count(*), category, brand FROM items GROUP BY category, brand"
                  + " ORDER BY category, brand LIMIT 100"),
          new Shape(
              "GROUP BY of 20 %: min, max, sum of DECIMAL",
              "SELECT count(*), category, min(sold), max(quantity), sum(paid) FROM items"
                  + " WHERE price < 20 GROUP BY category ORDER BY category"),
          new Shape("COUNT(DISTINCT keyword)", "SELECT count(DISTINCT brand) FROM items"),
          new Shape(
              "COUNT(DISTINCT) by a keyword",
              "SELECT count(DISTINCT brand), category FROM items GROUP BY category"
                  + " ORDER BY category"),
          new Shape(
              "top 100 by price", "SELECT id, price FROM items ORDER BY price DESC, id LIMIT 100"),
          new Shape(
              "top 100 of 10 % by time",
              "SELECT id, sold FROM items WHERE category = 'category3' ORDER BY sold, id"
                  + " LIMIT 100"));

  @Override
  List<String> allEngines() {
    return List.of(LoamEngine.NAME, DUCKDB);
  }

  @Override
  void measure(Path work, Race race, Report report)
      throws IOException, SQLException, InterruptedException {
    report.note(String.format(Locale.ROOT, "%,d rows of eight typed columns", rowCount));
    String loam = "jdbc:loam:" + work.resolve("columns").toAbsolutePath();
    String duckDb = "jdbc:duckdb:" + work.resolve("duck.db").toAbsolutePath();
    if (race.has(LoamEngine.NAME)) {
      loadLoam(loam);
    }
    // A database of DuckDB's lives as long as somebody has it open.
    try (Connection held = DriverManager.getConnection(race.has(DUCKDB) ? duckDb : loam)) {
      if (race.has(DUCKDB)) {
        loadDuckDb(held, work.resolve("items.csv"));
      }
      for (Shape shape : SHAPES) {
        both(race, shape.name(), shape.sql(), REPEATS, loam, duckDb, JdbcAsker.Binder.NONE);
      }
      long[] keys = new Random(3).longs(questions(), 0, rowCount).toArray();
      both(
          race,
          "get by key",
          "SELECT id, category, brand, price FROM items WHERE id = ?",
          questions(),
          loam,
          duckDb,
          (s, q) -> s.setLong(1, keys[q]));
    }
  }

  private static void both(
      Race race,
      String work,
      String sql,
      int questions,
      String loam,
      String duckDb,
      JdbcAsker.Binder binder)
      throws IOException, SQLException, InterruptedException {
    race.run(
        work,
        questions,
        1,
        List.of(
            new Contestant(LoamEngine.NAME, JdbcAsker.of(loam, sql, binder)),
            new Contestant(DUCKDB, JdbcAsker.of(duckDb, sql, binder))));
  }

  private static final String COLUMNS =
      "id BIGINT PRIMARY KEY, category VARCHAR, brand VARCHAR, title VARCHAR, price DOUBLE,"
          + " paid DECIMAL(12,2), quantity INTEGER, sold TIMESTAMP";

  /** A row from its number and a seeded source, in the order in which columns are declared. */
  private static Object[] row(long id, Random random) {
    double price = Math.round(random.nextDouble() * 10_000) / 100.0;
    return new Object[] {
      id,
      "category" + random.nextInt(10),
      "brand" + random.nextInt(3_000),
      "item " + Long.toString(random.nextLong() & Long.MAX_VALUE, 36),
      price,
      BigDecimal.valueOf(random.nextInt(1_000_000), 2),
      random.nextInt(100),
      Timestamp.valueOf("2026-01-01 00:00:00").getTime() + random.nextInt(280) * 86_400_000L
    };
  }

  private void loadLoam(String url) throws SQLException {
    Random random = new Random(1);
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE items (" + COLUMNS + ")");
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?)")) {
        for (long id = 0; id < rowCount; id++) {
          Object[] row = row(id, random);
          for (int i = 0; i < row.length - 1; i++) {
            insert.setObject(i + 1, row[i]);
          }
          insert.setTimestamp(row.length, new Timestamp((long) row[row.length - 1]));
          insert.addBatch();
          if ((id + 1) % BATCH == 0 || id + 1 == rowCount) {
            insert.executeBatch();
          }
        }
      }
    }
  }

  /** From a file of comma-separated values, which is DuckDB's fast way. */
  private void loadDuckDb(Connection connection, Path file) throws IOException, SQLException {
    Random random = new Random(1);
    try (Writer out = Files.newBufferedWriter(file)) {
      for (long id = 0; id < rowCount; id++) {
        Object[] row = row(id, random);
        for (int i = 0; i < row.length - 1; i++) {
          out.append(row[i].toString()).append(',');
        }
        out.append(new Timestamp((long) row[row.length - 1]).toString()).append('\n');
      }
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE items (" + COLUMNS + ")");
      statement.execute(
          "INSERT INTO items SELECT * FROM read_csv('"
              + file
              + "', header = false, nullstr = 'NULL', all_varchar = true)");
    }
    Files.delete(file);
  }
}
