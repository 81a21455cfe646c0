package io.loam.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Sparse search over JDBC beside inverted lists in plain Java. */
@Command(
    name = "sparse",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Sparse search beside inverted lists in plain Java.")
final class SparseBench extends SideBySide {
  private static final int VOCABULARY = 30_000;
  private static final int NONZEROS = 120;
  private static final int QUERY_TERMS = 30;
  private static final int TOP = 10;
  private static final int BATCH = 5_000;
  private static final double LEAST_AGREEMENT = 0.99;

  @Option(names = "--rows", defaultValue = "100000", description = "Rows; ${DEFAULT-VALUE}.")
  private int rowCount;

  @Override
  List<String> allEngines() {
    return List.of(LoamEngine.NAME, InvertedLists.NAME);
  }

  @Override
  void measure(Path work, Race race, Report report)
      throws IOException, SQLException, InterruptedException {
    report.note(
        String.format(
            Locale.ROOT,
            "%,d vectors of %d of %,d indexes; questions of %d indexes",
            rowCount,
            NONZEROS,
            VOCABULARY,
            QUERY_TERMS));
    Random random = new Random(11);
    String url = "jdbc:loam:" + work.resolve("sparse").toAbsolutePath();
    List<Map<Integer, Float>> rows = new ArrayList<>();
    for (int id = 0; id < rowCount; id++) {
      rows.add(vector(random, NONZEROS));
    }
    InvertedLists lists = new InvertedLists();
    if (race.has(InvertedLists.NAME)) {
      for (int id = 0; id < rowCount; id++) {
        lists.add(id, rows.get(id));
      }
      lists.finish();
    }
    if (race.has(LoamEngine.NAME)) {
      load(url, rows);
    }
    rows.clear();
    List<Map<Integer, Float>> queries =
        random.ints(questions()).mapToObj(i -> vector(random, QUERY_TERMS)).toList();
    race.run(
        "sparse_match, top " + TOP,
        queries.size(),
        LEAST_AGREEMENT,
        List.of(
            new Contestant(
                LoamEngine.NAME,
                JdbcAsker.of(
                    url,
                    "SELECT id, _score FROM sparse_match('vectors', 'terms', ?, k => " + TOP + ")",
                    (s, q) -> s.setString(1, text(queries.get(q))))),
            new Contestant(InvertedLists.NAME, () -> lists.asker(queries, rowCount, TOP))));
  }

  private static void load(String url, List<Map<Integer, Float>> rows) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE vectors (id BIGINT PRIMARY KEY, terms SPARSEVECTOR)");
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO vectors VALUES (?, ?)")) {
        for (int id = 0; id < rows.size(); id++) {
          insert.setLong(1, id);
          insert.setString(2, text(rows.get(id)));
          insert.addBatch();
          if ((id + 1) % BATCH == 0 || id + 1 == rows.size()) {
            insert.executeBatch();
          }
        }
      }
    }
  }

  /** Some indexes, low ones more often, as learned sparse vectors have them. */
  private static Map<Integer, Float> vector(Random random, int size) {
    Map<Integer, Float> vector = new TreeMap<>();
    while (vector.size() < size) {
      double skewed = Math.pow(random.nextDouble(), 2.5);
      vector.put((int) (skewed * VOCABULARY), 0.05f + 3 * random.nextFloat());
    }
    return vector;
  }

  private static String text(Map<Integer, Float> vector) {
    return vector.entrySet().stream()
        .map(e -> "\"" + e.getKey() + "\":" + e.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }
}
