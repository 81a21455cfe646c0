package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.lucene.util.SmallFloat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Searches of so many texts that several threads search parts of them, in one split and in several,
 * against brute force, bit for bit. Texts are short and their words few, so that most scores tie;
 * keys are in another order than rows.
 */
class ManyTextsTest {
  private static final int ROWS = 55_000;

  /** A prime above {@link #ROWS}, so that all keys differ. */
  private static final long KEYS = 60_013;

  private static final int PARTS = 1_000;

  @TempDir static Path folder;
  private static Connection connection;
  private static final Map<String, Texts> TABLES = new LinkedHashMap<>();

  private record Text(long id, int part, List<String> words) {
    static Text random(Random random, int row) {
      List<String> words = new ArrayList<>(List.of("common"));
      for (int i = random.nextInt(5); i > 0; i--) {
        words.add("w" + (int) Math.pow(60, random.nextDouble()));
      }
      Collections.shuffle(words, random);
      return new Text(row * 7_919L % KEYS, random.nextInt(PARTS), words);
    }
  }

  private record Scored(Text text, double score) {
    static final Comparator<Scored> ORDER =
        Comparator.comparingDouble((Scored s) -> -s.score()).thenComparingLong(s -> s.text().id());

    List<Object> row() {
      return List.of(text.id(), score);
    }
  }

  /** The score of a clause in a text, 0 where it does not match. */
  private interface Clause {
    double score(Text text);
  }

  /**
   * A query in the simple syntax.
   *
   * @param needed how many of the clauses must match
   */
  private record Query(String text, int needed, List<Clause> clauses) {
    List<Scored> all(List<Text> live) {
      List<Scored> all = new ArrayList<>();
      for (Text text : live) {
        int matching = 0;
        double score = 0;
        for (Clause clause : clauses) {
          double ofClause = clause.score(text);
          matching += ofClause > 0 ? 1 : 0;
          score += ofClause;
        }
        if (matching >= needed) {
          all.add(new Scored(text, score));
        }
      }
      all.sort(Scored.ORDER);
      return all;
    }
  }

  /** The live texts of a table, and BM25 over them as its formula says. */
  private record Texts(List<Text> live, double averageLength, Map<String, Integer> frequencies) {
    static Texts of(List<Text> live) {
      Map<String, Integer> frequencies = new HashMap<>();
      long tokens = 0;
      for (Text text : live) {
        tokens += text.words().size();
        new HashSet<>(text.words()).forEach(word -> frequencies.merge(word, 1, Integer::sum));
      }
      return new Texts(live, (double) tokens / live.size(), frequencies);
    }

    private double idf(String word) {
      int n = frequencies.getOrDefault(word, 0);
      return StrictMath.log(1 + (live.size() - n + 0.5) / (n + 0.5));
    }

    private double score(double idf, long count, Text text) {
      int length = SmallFloat.byte4ToInt(SmallFloat.intToByte4(text.words().size()));
      double norm = 1.2 * (1 - 0.75 + 0.75 * length / averageLength);
      return 1.0 * idf * (1.2 + 1) * count / (count + norm);
    }

    Clause term(String word) {
      double idf = idf(word);
      return text -> score(idf, Collections.frequency(text.words(), word), text);
    }

    Clause phrase(String first, String second) {
      double idf = idf(first) + idf(second);
      return text -> {
        List<String> words = text.words();
        IntPredicate here = i -> words.get(i).equals(first) && words.get(i + 1).equals(second);
        return score(idf, IntStream.range(0, words.size() - 1).filter(here).count(), text);
      };
    }

    static Clause prefix(String prefix) {
      return text -> text.words().stream().anyMatch(word -> word.startsWith(prefix)) ? 1 : 0;
    }

    List<Query> queries() {
      return List.of(
          new Query("common", 1, List.of(term("common"))),
          new Query("w1 common w40", 1, List.of(term("common"), term("w1"), term("w40"))),
          new Query("+common +w2", 2, List.of(term("common"), term("w2"))),
          new Query("com*", 1, List.of(prefix("com"))),
          new Query("w3 common w5*", 1, List.of(term("common"), term("w3"), prefix("w5"))),
          new Query("\"common w1\" common", 1, List.of(term("common"), phrase("common", "w1"))),
          new Query("common nowhere", 1, List.of(term("common"))));
    }
  }

  private record Filter(String sql, Predicate<Text> allowed) {}

  private static final List<Filter> FILTERS =
      List.of(
          new Filter("id >= 0", text -> true),
          new Filter("part < 970", text -> text.part() < 970),
          new Filter("part < 100", text -> text.part() < 100));

  @BeforeAll
  static void load() throws SQLException {
    connection = Sql.connect(folder);
    create("single", ROWS);
    create("several", 27_000, 2_000, 25_500, 500);
    delete("several", text -> text.part() % 100 == 3, "MOD(part, 100) = 3");
  }

  private static void create(String table, int... sizes) throws SQLException {
    Random random = new Random(ROWS);
    Sql.run(
        connection,
        "CREATE TABLE "
            + table
            + " (id BIGINT PRIMARY KEY, part INTEGER, body TEXT ANALYZER 'whitespace')");
    List<Text> live = new ArrayList<>();
    for (int size : sizes) {
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO " + table + " VALUES (?, ?, ?)")) {
        for (int i = 0; i < size; i++) {
          Text text = Text.random(random, live.size());
          live.add(text);
          Sql.bind(insert, text.id(), text.part(), String.join(" ", text.words()));
          insert.addBatch();
        }
        insert.executeBatch();
      }
    }
    TABLES.put(table, Texts.of(live));
  }

  private static void delete(String table, Predicate<Text> gone, String where) throws SQLException {
    Sql.run(connection, "DELETE FROM " + table + " WHERE " + where);
    Texts before = Objects.requireNonNull(TABLES.get(table));
    TABLES.put(table, Texts.of(before.live().stream().filter(gone.negate()).toList()));
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  private static List<List<Object>> part(
      List<Scored> all, Predicate<Text> allowed, int offset, int count) {
    return all.stream()
        .filter(s -> allowed.test(s.text()))
        .skip(offset)
        .limit(count)
        .map(Scored::row)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"single", "several"})
  void p6p7p8_theBestOfAllPartsAreTheBest(String table) throws SQLException {
    Texts texts = Objects.requireNonNull(TABLES.get(table));
    for (Query query : texts.queries()) {
      List<Scored> all = query.all(texts.live());
      for (Filter filter : FILTERS) {
        for (int k : new int[] {1, 1_000}) {
          String sql =
              "SELECT id, _score FROM bm25('%s', 'body', ?, k => %d, filter => '%s')"
                  .formatted(table, k, filter.sql);
          assertThat(Sql.rows(connection, sql, query.text))
              .as(sql + " " + query.text)
              .isEqualTo(part(all, filter.allowed, 0, k));
        }
      }
      for (int offset : new int[] {7, 10_000}) {
        String sql =
            "SELECT id, score() FROM %s WHERE match(body, ?) ORDER BY score() DESC LIMIT 10 OFFSET %d"
                .formatted(table, offset);
        assertThat(Sql.rows(connection, sql, query.text))
            .as(sql + " " + query.text)
            .isEqualTo(part(all, text -> true, offset, 10));
      }
    }
  }

  /** What this class is about. */
  @Test
  void tablesHaveTheirSplits() throws SQLException {
    assertThat(Sql.column(connection, "SELECT documents FROM \"single$splits\""))
        .containsExactly((long) ROWS);
    assertThat(Sql.column(connection, "SELECT documents FROM \"several$splits\"")).hasSize(3);
  }
}
