package io.loam.bench;

import io.loam.CollectionName;
import io.loam.Warehouse;
import io.loam.WarehouseOptions;
import io.loam.column.Predicate;
import io.loam.query.BatchCursor;
import io.loam.query.OutputColumn;
import io.loam.query.RowBatch;
import io.loam.query.SearchRequest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures what SQL and JDBC add to finding a row by its key, beside the request that they make of
 * core. It looks inside Loam, as {@link KeyBench} does, and needs the same class path.
 */
@Command(
    name = "loam point bench",
    mixinStandardHelpOptions = true,
    description = "What SQL and JDBC add to finding a row by its key.")
public final class PointBench implements Callable<Integer> {
  private static final int ROWS = 5_000;
  private static final int WARM_UP = 5_000;
  private static final String TABLE = "points";
  private static final String SELECT = "SELECT lang, n, price FROM points WHERE id = ?";

  /** After those of the key; numbers of fields begin at 1. */
  private static final List<OutputColumn> COLUMNS =
      List.of(OutputColumn.field(2), OutputColumn.field(3), OutputColumn.field(4));

  private interface Lookup {
    /** The value of {@code n} in the row with the key. */
    long find(long key) throws SQLException;
  }

  private record Way(String name, Lookup lookup, Timings times) {
    Way(String name, Lookup lookup) {
      this(name, lookup, new Timings());
    }
  }

  @Option(
      names = "--rounds",
      defaultValue = "5000",
      description = "How often each way is measured; ${DEFAULT-VALUE}.")
  private int rounds;

  public static void main(String[] args) {
    System.exit(new CommandLine(new PointBench()).execute(args));
  }

  @Override
  public Integer call() throws IOException, SQLException {
    Path folder = Files.createTempDirectory("loam-points");
    try (Connection connection =
            DriverManager.getConnection("jdbc:loam:" + folder + "?autoOptimize=false");
        Warehouse warehouse = Warehouse.open(WarehouseOptions.at(folder))) {
      load(connection);
      try (PreparedStatement reused = connection.prepareStatement(SELECT)) {
        List<Way> ways =
            List.of(
                new Way("core", key -> core(warehouse, key)),
                new Way("prepared, reused", key -> read(reused, key)),
                new Way("prepared anew", key -> prepared(connection, key)),
                new Way("plain, other text each time", key -> plain(connection, key)));
        measure(ways);
        print(ways);
      }
    } finally {
      WordNetBench.deleteAll(folder);
    }
    return 0;
  }

  private static void load(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE points (id BIGINT PRIMARY KEY, lang VARCHAR, n INTEGER, price DOUBLE)");
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO points VALUES (?, ?, ?, ?)")) {
      for (int i = 0; i < ROWS; i++) {
        insert.setLong(1, i);
        insert.setString(2, "l" + i % 7);
        insert.setInt(3, i);
        insert.setDouble(4, i / 2.0);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  /** One after the other for each key, so that what else the machine does hits all alike. */
  private void measure(List<Way> ways) throws SQLException {
    Random random = new Random(1);
    for (int i = -WARM_UP; i < rounds; i++) {
      long key = random.nextInt(ROWS);
      for (Way way : ways) {
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long found = way.lookup.find(key);
        long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
        if (found != key) {
          throw new IllegalStateException(way.name + ": found=" + found + ", key=" + key);
        }
        if (i >= 0) {
          way.times.add(took);
        }
      }
    }
  }

  private static void print(List<Way> ways) {
    System.out.println("| way | p50, µs | p99, µs | above core, p50, µs |");
    System.out.println("|---|---:|---:|---:|");
    double core = ways.get(0).times.quantileMillis(0.5);
    for (Way way : ways) {
      System.out.printf(
          Locale.ROOT,
          "| %s | %.0f | %.0f | %.0f |%n",
          way.name,
          way.times.quantileMillis(0.5) * 1e3,
          way.times.quantileMillis(0.99) * 1e3,
          (way.times.quantileMillis(0.5) - core) * 1e3);
    }
  }

  private static long core(Warehouse warehouse, long key) {
    CollectionName name = new CollectionName(CollectionName.DEFAULT_SCHEMA, TABLE);
    SearchRequest request =
        SearchRequest.scan(COLUMNS).withFilter(new Predicate.Compare(1, Predicate.Op.EQ, key));
    try (Snapshot snapshot = warehouse.get(name).snapshot(new VersionSpec.Latest());
        BatchCursor rows = snapshot.query(request)) {
      RowBatch batch = rows.next();
      return batch == null ? -1 : batch.columns().get(1).getLong(0);
    }
  }

  private static long prepared(Connection connection, long key) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SELECT)) {
      return read(select, key);
    }
  }

  private static long read(PreparedStatement select, long key) throws SQLException {
    select.setLong(1, key);
    try (ResultSet rows = select.executeQuery()) {
      return read(rows);
    }
  }

  private static long plain(Connection connection, long key) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(SELECT.replace("?", String.valueOf(key)))) {
      return read(rows);
    }
  }

  private static long read(ResultSet rows) throws SQLException {
    return rows.next() && rows.getString(1) != null && rows.getDouble(3) >= 0
        ? rows.getLong(2)
        : -1;
  }
}
