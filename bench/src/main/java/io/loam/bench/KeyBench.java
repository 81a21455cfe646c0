package io.loam.bench;

import io.loam.column.Column;
import io.loam.column.ColumnFile;
import io.loam.column.KeyIndex;
import io.loam.schema.Key;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.rocksdb.RocksDBException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures how long it takes to find rows by key, as every write does, beside RocksDB. It looks
 * inside Loam and needs another class path than the other benchmarks.
 */
@Command(
    name = "loam key bench",
    mixinStandardHelpOptions = true,
    description = "Finding row ids by keys that lie in no order, beside RocksDB.")
public final class KeyBench implements Callable<Integer> {
  private static final int[] WANTED = {1, 1_000, 10_000};
  private static final int FIELD = 1;

  @Option(
      names = "--keys",
      split = ",",
      defaultValue = "100000,1000000,10000000",
      description = "How many keys there are; ${DEFAULT-VALUE}.")
  private List<Integer> counts = List.of();

  @Option(
      names = "--splits",
      split = ",",
      defaultValue = "1,10,30",
      description = "Over how many splits; ${DEFAULT-VALUE}.")
  private List<Integer> splits = List.of();

  @Option(
      names = "--kind",
      split = ",",
      defaultValue = "bigint,varchar",
      description = "Kinds of keys; ${DEFAULT-VALUE}.")
  private List<Kind> kinds = List.of();

  private final List<String> lines = new ArrayList<>();

  private enum Kind {
    BIGINT,
    VARCHAR;

    /** Key number i: different for each number, in no order. */
    Key key(long i) {
      long mixed = i * 0x9E3779B97F4A7C15L;
      mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
      return this == BIGINT ? Key.of(mixed) : Key.of("doc-" + Long.toUnsignedString(mixed, 36));
    }
  }

  private KeyBench() {}

  public static void main(String[] args) {
    System.exit(run(args));
  }

  /** The exit status. */
  static int run(String... args) {
    return new CommandLine(new KeyBench()).setCaseInsensitiveEnumValuesAllowed(true).execute(args);
  }

  /** Something that has row ids by key. */
  interface Finder {
    Map<Key, Long> find(Set<Key> keys) throws RocksDBException;
  }

  @Option(
      names = "--statements",
      defaultValue = "0",
      description = "Rows of a table that is written to through JDBC; ${DEFAULT-VALUE} for none.")
  private int statementRows;

  @Override
  public Integer call() throws Exception {
    lines.add(
        "| keys | splits | in | first, ms | 1 key, µs | 1,000, ms | 10,000, ms | writing, s |");
    lines.add("|---|---:|---|---:|---:|---:|---:|---:|");
    for (Kind kind : kinds) {
      for (int count : counts) {
        for (int in : splits) {
          inFolder(folder -> columns(folder, kind, count, in));
        }
        inFolder(folder -> rocks(folder, kind, count));
      }
    }
    if (statementRows > 0) {
      inFolder(this::statements);
    }
    lines.forEach(System.out::println);
    return 0;
  }

  /** Work that leaves files. */
  private interface Work {
    void run(Path folder) throws RocksDBException, SQLException;
  }

  private static void inFolder(Work work) throws Exception {
    Path folder = Files.createTempDirectory("loam-keys");
    try {
      work.run(folder);
    } finally {
      WordNetBench.deleteAll(folder);
    }
  }

  private void columns(Path folder, Kind kind, int count, int splits) throws RocksDBException {
    long start = System.nanoTime();
    long[] firstRows = new long[splits + 1];
    Arrays.setAll(firstRows, s -> (long) count * s / splits);
    for (int s = 0; s < splits; s++) {
      int size = (int) (firstRows[s + 1] - firstRows[s]);
      TreeMap<Integer, Column> columns = new TreeMap<>();
      columns.put(FIELD, column(kind, firstRows[s], size));
      ColumnFile.write(folder.resolve("s" + s), size, columns);
    }
    double written = seconds(start);
    start = cpuNanos();
    KeyIndex[] leaves = new KeyIndex[splits];
    for (int s = 0; s < splits; s++) {
      Column column = ColumnFile.open(folder.resolve("s" + s), "s" + s).read(FIELD).orElseThrow();
      leaves[s] = KeyIndex.of(column);
    }
    Finder finder = keys -> findInColumns(leaves, firstRows, keys);
    finder.find(Set.of(kind.key(5)));
    double first = (cpuNanos() - start) / 1e9;
    measure(kind, count, String.valueOf(splits), "columns", finder, first, written);
  }

  private static Column column(Kind kind, long first, int size) {
    if (kind == Kind.BIGINT) {
      long[] values = new long[size];
      Arrays.setAll(values, i -> (Long) kind.key(first + i).value());
      return new Column.Longs(Column.LongKind.BIGINT, values, null);
    }
    String[] strings = new String[size];
    Arrays.setAll(strings, i -> (String) kind.key(first + i).value());
    String[] dictionary = strings.clone();
    Arrays.sort(dictionary);
    int[] codes = new int[size];
    Arrays.setAll(codes, i -> Arrays.binarySearch(dictionary, strings[i]) + 1);
    return new Column.Keywords(codes, dictionary);
  }

  private static Map<Key, Long> findInColumns(KeyIndex[] leaves, long[] firstRows, Set<Key> keys) {
    Set<Object> values = new HashSet<>();
    keys.forEach(key -> values.add(key.value()));
    KeyIndex.Wanted wanted = KeyIndex.Wanted.of(values);
    Map<Key, Long> found = new HashMap<>();
    for (int s = 0; s < leaves.length; s++) {
      long firstRow = firstRows[s];
      leaves[s].find(wanted, (value, doc) -> found.put(Key.ofValue(value), firstRow + doc));
    }
    return found;
  }

  private void rocks(Path folder, Kind kind, int count) throws RocksDBException {
    long start = System.nanoTime();
    try (RocksKeys rocks = RocksKeys.open(folder.resolve("db"))) {
      for (long i = 0; i < count; i += 1_000) {
        Map<Key, Long> rows = new HashMap<>();
        for (long j = i; j < Math.min(count, i + 1_000); j++) {
          rows.put(kind.key(j), j);
        }
        rocks.put(rows, RocksKeys.Durability.LATER);
      }
      rocks.settle();
    }
    double written = seconds(start);
    start = cpuNanos();
    try (RocksKeys rocks = RocksKeys.open(folder.resolve("db"))) {
      rocks.find(Set.of(kind.key(5)));
      double first = (cpuNanos() - start) / 1e9;
      measure(kind, count, "", "RocksDB", rocks::find, first, written);
      for (int rows : new int[] {1, 1_000}) {
        puts(rocks, kind, count, rows);
      }
    }
  }

  /** What a commit would have to add. */
  private void puts(RocksKeys rocks, Kind kind, int count, int rows) throws RocksDBException {
    Timings times = new Timings();
    for (int i = 0; i < 50; i++) {
      Map<Key, Long> more = new HashMap<>();
      for (int j = 0; j < rows; j++) {
        long number = (1L << 40) + (long) i * rows + j;
        more.put(kind.key(number), number);
      }
      long start = System.nanoTime();
      rocks.put(more, RocksKeys.Durability.NOW);
      times.add(System.nanoTime() - start);
    }
    lines.add(
        String.format(
            Locale.ROOT,
            "| %,d %s | | RocksDB, putting %,d keys: %.2f ms | | | | | |",
            count,
            kind,
            rows,
            times.quantileMillis(0.5)));
  }

  /** Whole statements, and in turns with them what RocksDB would do for the same keys. */
  private void statements(Path folder) throws SQLException, RocksDBException {
    try (Connection connection = DriverManager.getConnection("jdbc:loam:" + folder.resolve("w"));
        RocksKeys rocks = RocksKeys.open(folder.resolve("db"))) {
      try (Statement create = connection.createStatement()) {
        create.execute("CREATE TABLE docs (id BIGINT PRIMARY KEY, uses INTEGER)");
      }
      for (int i = 0; i < statementRows; i += 50_000) {
        int end = Math.min(statementRows, i + 50_000);
        upsert(connection, i, end, 1);
        rocks.put(rows(i, end, 1), RocksKeys.Durability.LATER);
      }
      rocks.settle();
      lines.add("");
      lines.add("| rows of UPSERT | statement, p50, ms | RocksDB: finding, ms | putting, ms |");
      lines.add("|---:|---:|---:|---:|");
      for (int rows : new int[] {1, 1_000, 10_000}) {
        statements(connection, rocks, rows);
      }
    }
  }

  private void statements(Connection connection, RocksKeys rocks, int rows)
      throws SQLException, RocksDBException {
    Timings statements = new Timings();
    Timings finds = new Timings();
    Timings puts = new Timings();
    for (int i = 0; i < (rows == 1 ? 200 : 20); i++) {
      Map<Key, Long> keys = rows(i * rows, (i + 1) * rows, 7);
      long start = System.nanoTime();
      upsert(connection, i * rows, (i + 1) * rows, 7);
      long written = System.nanoTime();
      rocks.find(keys.keySet());
      long found = System.nanoTime();
      rocks.put(keys, RocksKeys.Durability.NOW);
      statements.add(written - start);
      finds.add(found - written);
      puts.add(System.nanoTime() - found);
    }
    lines.add(
        String.format(
            Locale.ROOT,
            "| %,d | %.1f | %.2f | %.2f |",
            rows,
            statements.quantileMillis(0.5),
            finds.quantileMillis(0.5),
            puts.quantileMillis(0.5)));
  }

  private long number(int i, int step) {
    return (long) i * step % statementRows;
  }

  private Map<Key, Long> rows(int from, int to, int step) {
    Map<Key, Long> rows = new HashMap<>();
    for (int i = from; i < to; i++) {
      rows.put(Kind.BIGINT.key(number(i, step)), (long) i);
    }
    return rows;
  }

  /** Every {@code step}-th key from the first on. */
  private void upsert(Connection connection, int from, int to, int step) throws SQLException {
    try (PreparedStatement upsert = connection.prepareStatement("UPSERT INTO docs VALUES (?, ?)")) {
      for (int i = from; i < to; i++) {
        upsert.setLong(1, (Long) Kind.BIGINT.key(number(i, step)).value());
        upsert.setInt(2, i);
        upsert.addBatch();
      }
      upsert.executeBatch();
    }
  }

  /** Half of the keys are there. */
  private void measure(
      Kind kind,
      int count,
      String splits,
      String name,
      Finder finder,
      double firstSeconds,
      double writtenSeconds)
      throws RocksDBException {
    Random random = new Random(1);
    double[] millis = new double[WANTED.length];
    for (int w = 0; w < WANTED.length; w++) {
      Timings times = new Timings();
      for (int repeat = 0; repeat < (WANTED[w] == 1 ? 5_000 : 40); repeat++) {
        Set<Key> keys = new HashSet<>();
        int there = 0;
        for (int i = 0; i < WANTED[w]; i++) {
          boolean hit = random.nextBoolean();
          there += hit && keys.add(kind.key(random.nextInt(count))) ? 1 : 0;
          if (!hit) {
            keys.add(kind.key((long) count + random.nextInt(1 << 30)));
          }
        }
        long start = cpuNanos();
        int found = finder.find(keys).size();
        times.add(cpuNanos() - start);
        if (found != there) {
          throw new IllegalStateException(name + ": found=" + found + ", there=" + there);
        }
      }
      millis[w] = times.quantileMillis(0.5);
    }
    lines.add(
        String.format(
            Locale.ROOT,
            "| %,d %s | %s | %s | %,.0f | %.1f | %.2f | %.1f | %.1f |",
            count,
            kind,
            splits,
            name,
            firstSeconds * 1e3,
            millis[0] * 1e3,
            millis[1],
            millis[2],
            writtenSeconds));
    System.err.println(lines.get(lines.size() - 1));
  }

  /** This thread's own time, since others may be at work on the machine. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }
}
