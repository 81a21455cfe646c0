package io.loam.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** BM25 over JDBC beside Lucene called from Java. */
@Command(
    name = "text",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "BM25 beside Lucene: words and phrases, filters, small commits, deletes.")
final class TextBench extends SideBySide {
  private static final int ADDS = 100;

  /** Of documents that are deleted: one of so many. */
  private static final int DELETED = 100;

  /** Ties at the last place and stop words in phrases differ. */
  private static final double LEAST_AGREEMENT = 0.8;

  @Option(
      names = "--docs",
      defaultValue = "117791",
      description = "Definitions of WordNet; ${DEFAULT-VALUE}.")
  private int docCount;

  @Option(
      names = "--generated",
      defaultValue = "0",
      description = "Generated documents to use instead of WordNet; ${DEFAULT-VALUE}.")
  private int generated;

  @Override
  List<String> allEngines() {
    return List.of(LoamEngine.NAME, LuceneEngine.NAME);
  }

  @Override
  void measure(Path work, Race race, Report report)
      throws IOException, SQLException, InterruptedException {
    Corpus corpus =
        generated > 0
            ? GeneratedCorpus.of(generated, questions())
            : Corpus.read(docCount, questions());
    report.note(String.format(Locale.ROOT, "%,d documents", corpus.docs().size()));
    List<Engine> engines = new ArrayList<>();
    LuceneEngine lucene = new LuceneEngine(work);
    engines.add(lucene);
    try {
      if (race.has(LoamEngine.NAME)) {
        engines.add(0, new LoamEngine(work));
      }
      for (Engine engine : engines) {
        if (race.has(engine.name())) {
          engine.load(corpus.docs());
        }
      }
      Matches matches = new Matches(race, corpus, LoamEngine.url(work), lucene);
      for (Mode mode : Mode.values()) {
        matches.run(mode, 10, null, "");
        matches.run(mode, 100, null, "");
      }
      matches.run(Mode.OR, 10, corpus.docs().get(0).topic(), " with a filter");
      for (Doc doc : added(corpus)) {
        for (Engine engine : engines) {
          if (race.has(engine.name())) {
            engine.add(doc);
          }
        }
      }
      matches.run(Mode.OR, 10, null, " after " + ADDS + " one-row INSERTs");
      delete(corpus, race, LoamEngine.url(work), lucene);
      matches.run(Mode.OR, 10, null, " after deletes of 1 %");
    } finally {
      for (Engine engine : engines) {
        engine.close();
      }
    }
  }

  private static List<Doc> added(Corpus corpus) {
    long first = corpus.docs().stream().mapToLong(Doc::id).max().orElseThrow() + 1;
    return IntStream.range(0, ADDS)
        .mapToObj(
            i -> {
              Doc model = corpus.docs().get(i * 7 % corpus.docs().size());
              return new Doc(first + i, model.topic(), model.uses(), model.body());
            })
        .toList();
  }

  private static void delete(Corpus corpus, Race race, String url, LuceneEngine lucene)
      throws IOException, SQLException {
    List<Long> ids =
        IntStream.range(0, corpus.docs().size() / DELETED)
            .mapToObj(i -> corpus.docs().get(i * DELETED).id())
            .toList();
    if (race.has(LuceneEngine.NAME)) {
      lucene.delete(ids);
    }
    if (race.has(LoamEngine.NAME)) {
      try (var connection = DriverManager.getConnection(url);
          PreparedStatement delete = connection.prepareStatement("DELETE FROM docs WHERE id = ?")) {
        for (long id : ids) {
          delete.setLong(1, id);
          delete.addBatch();
        }
        delete.executeBatch();
      }
    }
  }

  /** Searches of one corpus. */
  private record Matches(Race race, Corpus corpus, String url, LuceneEngine lucene) {
    void run(Mode mode, int top, @Nullable String topic, String when)
        throws IOException, SQLException, InterruptedException {
      List<List<String>> asked = mode == Mode.PHRASE ? corpus.phrases() : corpus.questions();
      String reading =
          mode == Mode.PHRASE
              ? "syntax => 'phrase'"
              : "syntax => 'terms', operator => '%s'"
                  .formatted(mode.name().toLowerCase(Locale.ROOT));
      String filter = topic == null ? "" : ", filter => 'topic = ''" + topic + "'''";
      String sql =
          "SELECT id, topic, _score FROM bm25('docs', 'body', ?, k => %d, %s%s)"
              .formatted(top, reading, filter);
      race.run(
          "bm25 " + mode + ", top " + top + when,
          asked.size(),
          LEAST_AGREEMENT,
          List.of(
              new Contestant(
                  LoamEngine.NAME,
                  JdbcAsker.of(url, sql, (s, q) -> s.setString(1, String.join(" ", asked.get(q))))),
              new Contestant(
                  LuceneEngine.NAME,
                  () ->
                      question ->
                          lucene.search(mode, asked.get(question), top, topic).stream()
                              .mapToLong(Engine.Hit::id)
                              .toArray())));
    }
  }
}
