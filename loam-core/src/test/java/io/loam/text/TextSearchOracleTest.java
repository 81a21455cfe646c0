package io.loam.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.doc.DocSet;
import io.loam.doc.Hit;
import io.loam.doc.KeyOrder;
import io.loam.doc.TopHits;
import io.loam.schema.TextScoring;
import io.loam.text.TextFixtures.TestDocs;
import io.loam.text.TextFixtures.TestLeaf;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import org.apache.lucene.util.SmallFloat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches equal a slow reading of the formula over lists of tokens, bit for bit. */
class TextSearchOracleTest {
  /** Makes every leaf use its postings. */
  private static final TextSearch.Costs FREE_POSTINGS = new TextSearch.Costs(0, 1, 1, 0);

  /** Makes every leaf score all allowed documents. */
  private static final TextSearch.Costs FREE_SCAN = new TextSearch.Costs(1, 0, 0, 0);

  @TempDir Path folder;

  /** A document and its score, the document by its place in the whole collection. */
  record Scored(int doc, double score) {}

  private static TextScoring standard(int field) {
    return TextScoring.DEFAULT;
  }

  /** Other parameters for each of the two fields, at the ends of their ranges and between. */
  private static IntFunction<TextScoring> other(long seed) {
    List<TextScoring> some =
        List.of(
            new TextScoring(0.5, 0.1),
            new TextScoring(3, 1),
            new TextScoring(0, 0.75),
            new TextScoring(20, 0));
    return field -> some.get((int) (seed + field) % some.size());
  }

  /** BM25 as the formula says, over live documents. */
  private static final class Oracle {
    private final TestDocs docs;
    private final IntFunction<TextScoring> scoring;
    private final long live;
    private final Map<Integer, Double> averages = new HashMap<>();

    Oracle(TestDocs docs, IntFunction<TextScoring> scoring) {
      this.docs = docs;
      this.scoring = scoring;
      long count = 0;
      Map<Integer, Long> tokens = new HashMap<>();
      for (int d = 0; d < docs.docs().size(); d++) {
        if (!docs.deleted()[d]) {
          count++;
          docs.docs().get(d).forEach((f, t) -> tokens.merge(f, (long) t.size(), Long::sum));
        }
      }
      this.live = count;
      for (Map.Entry<Integer, Long> e : tokens.entrySet()) {
        averages.put(e.getKey(), (double) e.getValue() / live);
      }
    }

    List<String> tokens(int doc, int field) {
      return docs.docs().get(doc).getOrDefault(field, List.of());
    }

    double idf(int field, String term) {
      long n = 0;
      for (int d = 0; d < docs.docs().size(); d++) {
        if (!docs.deleted()[d] && tokens(d, field).contains(term)) {
          n++;
        }
      }
      return StrictMath.log(1 + (live - n + 0.5) / (n + 0.5));
    }

    private final Map<TextQuery, Double> idfs = new HashMap<>();

    /** NaN where the document does not match. */
    double score(TextQuery query, int doc) {
      if (query instanceof TextQuery.Term t) {
        double idf = idfs.computeIfAbsent(query, q -> idf(t.fieldNumber(), t.term()));
        int tf = Collections.frequency(tokens(doc, t.fieldNumber()), t.term());
        return termScore(t.boost(), idf, tf, t.fieldNumber(), doc);
      }
      if (query instanceof TextQuery.Phrase p) {
        Double known = idfs.get(query);
        double idf = 0;
        if (known == null) {
          for (String term : p.terms()) {
            idf += idf(p.fieldNumber(), term);
          }
          idfs.put(query, idf);
        } else {
          idf = known;
        }
        List<String> tokens = tokens(doc, p.fieldNumber());
        if (p.slop() > 0) {
          double tf = SloppyPhraseTest.slowCount(tokens, p.terms(), p.slop());
          return termScore(p.boost(), idf, tf, p.fieldNumber(), doc);
        }
        int tf = 0;
        for (int i = 0; i + p.terms().size() <= tokens.size(); i++) {
          tf += tokens.subList(i, i + p.terms().size()).equals(p.terms()) ? 1 : 0;
        }
        return termScore(p.boost(), idf, tf, p.fieldNumber(), doc);
      }
      if (query instanceof TextQuery.Pattern p) {
        boolean matches =
            tokens(doc, p.fieldNumber()).stream().anyMatch(t -> isLike(t, p.pattern()));
        return matches ? p.boost() : Double.NaN;
      }
      return query instanceof TextQuery.Bool bool ? score(bool, doc) : Double.NaN;
    }

    private static boolean isLike(String term, TermPattern pattern) {
      return switch (pattern.kind()) {
        case PREFIX -> term.startsWith(pattern.text());
        case WILDCARD -> term.matches(pattern.text().replace("?", ".").replace("*", ".*"));
        case FUZZY -> distance(term, pattern.text()) <= pattern.edits();
      };
    }

    /** Edits between two words, a transposition of neighbours being one. */
    private static int distance(String a, String b) {
      int[][] d = new int[a.length() + 1][b.length() + 1];
      for (int i = 0; i <= a.length(); i++) {
        for (int j = 0; j <= b.length(); j++) {
          if (i == 0 || j == 0) {
            d[i][j] = i + j;
            continue;
          }
          int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
          d[i][j] = Math.min(d[i - 1][j - 1] + change, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
          if (i > 1
              && j > 1
              && a.charAt(i - 1) == b.charAt(j - 2)
              && a.charAt(i - 2) == b.charAt(j - 1)) {
            d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
          }
        }
      }
      return d[a.length()][b.length()];
    }

    private double score(TextQuery.Bool bool, int doc) {
      for (TextQuery q : bool.mustNot()) {
        if (!Double.isNaN(score(q, doc))) {
          return Double.NaN;
        }
      }
      for (TextQuery q : bool.must()) {
        if (Double.isNaN(score(q, doc))) {
          return Double.NaN;
        }
      }
      List<TextQuery> scoring = new ArrayList<>(bool.must());
      scoring.addAll(bool.should());
      scoring.sort(Comparator.comparing(Oracle::order).thenComparingDouble(Oracle::boost));
      double sum = 0;
      for (TextQuery q : scoring) {
        double s = score(q, doc);
        sum += Double.isNaN(s) ? 0 : s;
      }
      long should = bool.should().stream().filter(q -> !Double.isNaN(score(q, doc))).count();
      int least = bool.must().isEmpty() ? Math.max(1, bool.leastShould()) : bool.leastShould();
      return should >= least ? sum : Double.NaN;
    }

    /**
     * Terms, then phrases, patterns, groups; the tests' queries have one group at most on a level.
     */
    private static String order(TextQuery query) {
      if (query instanceof TextQuery.Term t) {
        return "1 " + t.fieldNumber() + " " + t.term();
      }
      if (query instanceof TextQuery.Phrase p) {
        return "2 " + p.fieldNumber() + " " + String.join("!", p.terms()) + " " + p.slop();
      }
      if (query instanceof TextQuery.Pattern p) {
        TermPattern like = p.pattern();
        return "3 "
            + p.fieldNumber()
            + List.of("PREFIX", "WILDCARD", "FUZZY").indexOf(like.kind().name())
            + like.text()
            + " "
            + like.edits();
      }
      return "4";
    }

    private static double boost(TextQuery query) {
      return query instanceof TextQuery.Term t ? t.boost() : 0;
    }

    private double termScore(double boost, double idf, double tf, int field, int doc) {
      if (tf == 0) {
        return Double.NaN;
      }
      int dl = SmallFloat.byte4ToInt(SmallFloat.intToByte4(tokens(doc, field).size()));
      double k1 = scoring.apply(field).k1();
      double b = scoring.apply(field).b();
      return boost * idf * (k1 + 1) * tf / (tf + k1 * (1 - b + b * dl / averages.get(field)));
    }

    List<Scored> top(TextQuery query, Set<Integer> allowed, int k, int[] key) {
      List<Scored> all = new ArrayList<>();
      for (int d = 0; d < docs.docs().size(); d++) {
        double score = allowed.contains(d) ? score(query, d) : Double.NaN;
        if (!Double.isNaN(score)) {
          all.add(new Scored(d, score));
        }
      }
      all.sort(
          (a, b) ->
              a.score() != b.score()
                  ? Double.compare(b.score(), a.score())
                  : Integer.compare(key[a.doc()], key[b.doc()]));
      return all.subList(0, Math.min(k, all.size()));
    }
  }

  /** A collection cut into leaves at given places; the last leaf may be a tail. */
  private record Layout(int[] ends, List<TestLeaf> leaves) {
    int start(int leaf) {
      return leaf == 0 ? 0 : ends[leaf - 1];
    }

    List<Scored> search(
        TextQuery query,
        IntFunction<TextScoring> scoring,
        Set<Integer> allowed,
        int k,
        int[] key,
        TextSearchStats stats,
        TextSearch.Costs costs) {
      List<DocSet> sets = new ArrayList<>();
      for (int leaf = 0; leaf < ends.length; leaf++) {
        int count = ends[leaf] - start(leaf);
        long[] words = new long[DocSet.wordCount(count)];
        for (int d = 0; d < count; d++) {
          if (allowed.contains(start(leaf) + d)) {
            words[d >> 6] |= 1L << d;
          }
        }
        sets.add(DocSet.ofWords(words, count));
      }
      KeyOrder keys = (l1, d1, l2, d2) -> Integer.compare(key[start(l1) + d1], key[start(l2) + d2]);
      TextSearch search = new TextSearch(query, scoring, leaves, k, keys, costs);
      TopHits top = new TopHits(k, keys);
      parts(sets)
          .forEach(
              part -> {
                TextSearchStats ofPart = new TextSearchStats();
                top.offerAll(search.run(part, ofPart));
                stats.add(ofPart);
              });
      List<Scored> found = new ArrayList<>();
      for (Hit hit : top.toList()) {
        found.add(new Scored(start(hit.leaf()) + hit.doc(), hit.score()));
      }
      return found;
    }
  }

  /** Half of the documents of each leaf, and the others. */
  private static List<List<DocSet>> parts(List<DocSet> sets) {
    return List.of(
        sets.stream().map(set -> set.between(0, set.size() / 2)).toList(),
        sets.stream().map(set -> set.between(set.size() / 2, set.size())).toList());
  }

  private Layout layout(TestDocs docs, boolean tail, int... ends) {
    List<TestLeaf> leaves = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < ends.length; i++) {
      TestDocs slice = docs.slice(start, ends[i]);
      boolean inMemory = tail && i == ends.length - 1;
      leaves.add(inMemory ? TextFixtures.tailLeaf(slice) : TextFixtures.splitLeaf(slice, folder));
      start = ends[i];
    }
    return new Layout(ends, leaves);
  }

  private static TextQuery.Term term(Random random, int vocabulary) {
    double boost = random.nextInt(3) == 0 ? Math.exp(random.nextGaussian()) : 1;
    return new TextQuery.Term(
        1 + random.nextInt(2), TextFixtures.zipfTerm(random, vocabulary), boost);
  }

  private static List<TextQuery> terms(Random random, int most, int vocabulary) {
    Set<TextQuery> terms = new HashSet<>();
    for (int n = 1 + random.nextInt(most); n > 0; n--) {
      terms.add(term(random, vocabulary));
    }
    return new ArrayList<>(terms);
  }

  private static TextQuery.Phrase phrase(Random random, TestDocs docs, int vocabulary) {
    List<String> tokens = docs.docs().get(random.nextInt(docs.docs().size())).get(1);
    if (tokens.size() < 3 || random.nextInt(4) == 0) {
      return new TextQuery.Phrase(
          1, TextFixtures.zipfTokens(random, 2, vocabulary), random.nextInt(3), 1);
    }
    int from = random.nextInt(tokens.size() - 2);
    return new TextQuery.Phrase(
        1, tokens.subList(from, from + 2 + random.nextInt(2)), random.nextInt(2) * 3, 2);
  }

  private static TextQuery.Pattern pattern(Random random, int vocabulary) {
    String word = TextFixtures.zipfTerm(random, vocabulary);
    TermPattern pattern =
        switch (random.nextInt(3)) {
          case 0 -> new TermPattern(TermPattern.Kind.PREFIX, word, 0);
          case 1 -> new TermPattern(TermPattern.Kind.FUZZY, word, 1 + random.nextInt(2));
          default ->
              new TermPattern(
                  TermPattern.Kind.WILDCARD, "?" + word.substring(1, word.length() - 1) + "*", 0);
        };
    return new TextQuery.Pattern(1 + random.nextInt(2), pattern, 0.5);
  }

  private static TextQuery query(Random random, TestDocs docs, int vocabulary) {
    List<TextQuery> none = List.of();
    return switch (random.nextInt(10)) {
      case 0 -> term(random, vocabulary);
      case 1, 2 -> new TextQuery.Bool(none, terms(random, 5, vocabulary), none);
      case 3 -> new TextQuery.Bool(terms(random, 3, vocabulary), none, none);
      case 4 -> phrase(random, docs, vocabulary);
      case 7 -> pattern(random, vocabulary);
      case 8 -> new TextQuery.Bool(none, terms(random, 5, vocabulary), none, 1 + random.nextInt(3));
      case 9 -> {
        List<TextQuery> should = terms(random, 3, vocabulary);
        should.add(pattern(random, vocabulary));
        yield random.nextBoolean()
            ? new TextQuery.Bool(none, should, List.of(pattern(random, vocabulary)))
            : new TextQuery.Bool(
                List.of(pattern(random, vocabulary)), should, none, random.nextInt(3));
      }
      case 5 ->
          new TextQuery.Bool(
              terms(random, 2, vocabulary),
              List.of(phrase(random, docs, vocabulary), term(random, vocabulary)),
              terms(random, 2, vocabulary));
      default -> {
        List<TextQuery> should = terms(random, 3, vocabulary);
        should.add(
            new TextQuery.Bool(
                terms(random, 2, vocabulary),
                terms(random, 2, vocabulary),
                terms(random, 1, vocabulary)));
        yield new TextQuery.Bool(none, should, none);
      }
    };
  }

  private static Set<Integer> allowed(Random random, TestDocs docs) {
    return allowed(random, docs, new double[] {1, 1, 0.5, 0.05, 0.002}[random.nextInt(5)]);
  }

  private static Set<Integer> allowed(Random random, TestDocs docs, double share) {
    Set<Integer> allowed = new HashSet<>();
    for (int d = 0; d < docs.docs().size(); d++) {
      if (!docs.deleted()[d] && random.nextDouble() < share) {
        allowed.add(d);
      }
    }
    return allowed;
  }

  private static int[] shuffledKeys(Random random, int count) {
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(i);
    }
    Collections.shuffle(keys, random);
    return keys.stream().mapToInt(i -> i).toArray();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void p6AndP7SearchEqualsTheFormulaOverAllLayouts(long seed) {
    Random random = new Random(seed);
    int count = 5_000;
    int vocabulary = seed == 2 ? 40 : 3_000;
    TestDocs docs = TextFixtures.zipfDocs(random, count, vocabulary, seed == 3 ? 4 : 1);
    int[] key = shuffledKeys(random, count);
    Oracle byDefault = new Oracle(docs, TextSearchOracleTest::standard);
    Oracle byOther = new Oracle(docs, other(seed));
    int searched = 0;
    int scanned = 0;
    Layout one = layout(docs, false, count);
    Layout some = layout(docs, false, 900, 901, 3_000, count);
    Layout tail = layout(docs, true, 3_500, 4_700, count);
    for (int i = 0; i < 60; i++) {
      Oracle oracle = i % 2 == 0 ? byDefault : byOther;
      TextQuery query = query(random, docs, vocabulary);
      Set<Integer> allowed = allowed(random, docs);
      int k = new int[] {1, 3, 10, 10, 200}[random.nextInt(5)];
      List<Scored> expected = oracle.top(query, allowed, k, key);
      for (Layout layout : List.of(one, some, tail)) {
        for (TextSearch.Costs costs : List.of(FREE_POSTINGS, FREE_SCAN)) {
          TextSearchStats stats = new TextSearchStats();
          assertThat(layout.search(query, oracle.scoring, allowed, k, key, stats, costs))
              .as("seed=%d query=%s k=%d allowed=%d", seed, query, k, allowed.size())
              .isEqualTo(expected);
          searched += stats.searchedLeaves();
          scanned += stats.scannedLeaves();
        }
      }
      assertMatches(oracle, query, some);
    }
    assertThat(searched).isGreaterThan(50);
    assertThat(scanned).isGreaterThan(50);
  }

  private static void assertMatches(Oracle oracle, TextQuery query, Layout layout) {
    for (int leaf = 0; leaf < layout.ends().length; leaf++) {
      DocSet matches = TextSearch.matches(query, layout.leaves().get(leaf));
      for (int d = 0; d < matches.size(); d++) {
        int doc = layout.start(leaf) + d;
        if (layout.leaves().get(leaf).live().contains(d)) {
          assertThat(matches.contains(d)).isEqualTo(!Double.isNaN(oracle.score(query, doc)));
        }
      }
    }
  }

  @Test
  void equalDocumentsAreOrderedByKeyAndTermsOfOneSplitAreFound() {
    List<Map<Integer, List<String>>> list = new ArrayList<>();
    for (int d = 0; d < 6_000; d++) {
      boolean special = d >= 5_000 && d % 500 == 0;
      list.add(
          Map.of(1, d % 10 == 9 ? List.of() : special ? List.of("only", "a") : List.of("a", "b")));
    }
    TestDocs docs = new TestDocs(list, new boolean[6_000]);
    int[] key = shuffledKeys(new Random(5), 6_000);
    Oracle oracle = new Oracle(docs, TextSearchOracleTest::standard);
    Set<Integer> all = allowed(new Random(0), docs, 1);
    Layout layout = layout(docs, false, 5_000, 6_000);
    for (TextQuery query :
        List.of(
            new TextQuery.Term(1, "a", 1),
            new TextQuery.Term(1, "only", 1),
            new TextQuery.Term(1, "absent", 1),
            new TextQuery.Phrase(1, List.of("a", "b"), 1),
            new TextQuery.Term(3, "a", 1),
            new TextQuery.None())) {
      assertThat(
              layout.search(
                  query, oracle.scoring, all, 10, key, new TextSearchStats(), FREE_POSTINGS))
          .isEqualTo(
              query.equals(new TextQuery.Term(3, "a", 1))
                  ? List.of()
                  : oracle.top(query, all, 10, key));
    }
  }

  @Test
  void topTenExaminesFarFewerCandidatesThanItHasMatches() {
    Random random = new Random(11);
    TestDocs docs = TextFixtures.zipfDocs(random, 30_000, 3_000, 3);
    Layout layout = layout(docs, false, 30_000);
    TextQuery query =
        new TextQuery.Bool(
            List.of(),
            List.of(new TextQuery.Term(1, "w2", 1), new TextQuery.Term(1, "w1000", 1)),
            List.of());
    TextSearchStats stats = new TextSearchStats();
    int matches = TextSearch.matches(query, layout.leaves().get(0)).cardinality();
    layout.search(
        query,
        TextSearchOracleTest::standard,
        allowed(new Random(0), docs, 1),
        10,
        new int[30_000],
        stats,
        TextSearch.Costs.MEASURED);
    assertThat(stats.scored()).as(stats.toString()).isLessThan(matches / 10);
  }
}
