package io.loam.bench;

import io.loam.demo.Embedder;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A hybrid search beside its legs asked one after the other. */
@Command(
    name = "hybrid",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Hybrid search beside its legs as statements of their own.")
final class HybridBench extends SideBySide {
  private static final String LEGS = "its legs";
  private static final int BATCH = 10_000;
  private static final int TOP = 10;
  private static final int RRF_K = 60;
  private static final String TEXT = "bm25('docs', 'body', ?, k => 100, syntax => 'terms')";
  private static final String VECTOR = "vector_search('docs', 'embedding', ?, k => 100)";

  @Option(names = "--rows", defaultValue = "117791", description = "Rows; ${DEFAULT-VALUE}.")
  private int rowCount;

  @Override
  List<String> allEngines() {
    return List.of(LoamEngine.NAME, LEGS);
  }

  @Override
  void measure(Path work, Race race, Report report)
      throws IOException, SQLException, InterruptedException {
    Corpus corpus = Corpus.read(rowCount, questions());
    Vectors vectors = Vectors.of(corpus.synsets(), false);
    report.note(String.format(Locale.ROOT, "%,d rows, %s", rowCount, vectors.origin()));
    String url = "jdbc:loam:" + work.resolve("hybrid").toAbsolutePath();
    load(url, corpus, vectors);
    int[] asked = new Random(5).ints(questions(), 0, corpus.docs().size()).toArray();
    JdbcAsker.Binder text = (s, q) -> s.setString(1, String.join(" ", corpus.questions().get(q)));
    JdbcAsker.Binder vector = (s, q) -> s.setObject(1, vectors.rows()[asked[q]]);
    JdbcAsker.Binder both =
        (s, q) -> {
          text.bind(s, q);
          s.setObject(2, vectors.rows()[asked[q]]);
        };
    Contestant.Askers textLeg = JdbcAsker.of(url, "SELECT id, _score FROM " + TEXT, text);
    Contestant.Askers vectorLeg = JdbcAsker.of(url, "SELECT id, _score FROM " + VECTOR, vector);
    race.run(
        "hybrid rrf of two legs of 100, top 10",
        questions(),
        0,
        List.of(
            new Contestant(
                LoamEngine.NAME,
                JdbcAsker.of(
                    url,
                    "SELECT id, _score FROM hybrid(" + TEXT + ", " + VECTOR + ", k => " + TOP + ")",
                    both)),
            new Contestant(LEGS, () -> inTurn(textLeg.open(), vectorLeg.open()))));
  }

  private static Asker inTurn(Asker first, Asker second) {
    return new Asker() {
      @Override
      public long[] ask(int question) throws IOException, SQLException {
        return fused(first.ask(question), second.ask(question));
      }

      @Override
      public void close() throws IOException, SQLException {
        first.close();
        second.close();
      }
    };
  }

  /** The best of what the legs found: for each row, the sum of 1 / (60 + its place in a leg). */
  private static long[] fused(long[]... legs) {
    Map<Long, Double> scores = new HashMap<>();
    for (long[] leg : legs) {
      for (int place = 0; place < leg.length; place++) {
        scores.merge(leg[place], 1.0 / (RRF_K + place + 1), Double::sum);
      }
    }
    return scores.entrySet().stream()
        .sorted(
            Map.Entry.<Long, Double>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .mapToLong(Map.Entry::getKey)
        .limit(TOP)
        .toArray();
  }

  private static void load(String url, Corpus corpus, Vectors vectors) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE docs (id BIGINT PRIMARY KEY, body TEXT ANALYZER 'english',"
              + " embedding VECTOR(%d))".formatted(Embedder.DIMENSION));
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO docs VALUES (?, ?, ?)")) {
        for (int row = 0; row < corpus.docs().size(); row++) {
          insert.setLong(1, corpus.docs().get(row).id());
          insert.setString(2, corpus.docs().get(row).body());
          insert.setObject(3, vectors.rows()[row]);
          insert.addBatch();
          if ((row + 1) % BATCH == 0 || row + 1 == corpus.docs().size()) {
            insert.executeBatch();
          }
        }
      }
    }
  }
}
