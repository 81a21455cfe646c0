package io.loam.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.loam.doc.Hit;
import io.loam.schema.TextScoring;
import io.loam.text.TextFixtures.TestDocs;
import io.loam.text.TextFixtures.TestLeaf;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Terms, boolean queries and phrases find the documents that Lucene finds, in its order, with
 * scores that are 2.2 times Lucene's, which leaves the constant factor k1 + 1 out.
 */
class LuceneCongruenceTest {
  private static final int DOCUMENTS = 10_000;
  private static final double FACTOR = 2.2;

  /** Lucene adds in 32-bit floats. */
  private static final double PRECISION = 1e-6;

  @TempDir static Path folder;
  private static TestLeaf leaf;
  private static Directory directory;
  private static DirectoryReader reader;
  private static IndexSearcher lucene;

  /** The same query for both. */
  private record Pair(TextQuery ours, Query theirs) {
    static Pair term(String term) {
      return new Pair(new TextQuery.Term(1, term, 1), new TermQuery(new Term("f", term)));
    }

    static Pair phrase(List<String> terms) {
      return new Pair(
          new TextQuery.Phrase(1, terms, 1), new PhraseQuery("f", terms.toArray(String[]::new)));
    }

    static Pair bool(List<Pair> must, List<Pair> should, List<Pair> mustNot, int leastShould) {
      BooleanQuery.Builder theirs = new BooleanQuery.Builder();
      must.forEach(p -> theirs.add(p.theirs, BooleanClause.Occur.MUST));
      should.forEach(p -> theirs.add(p.theirs, BooleanClause.Occur.SHOULD));
      mustNot.forEach(p -> theirs.add(p.theirs, BooleanClause.Occur.MUST_NOT));
      theirs.setMinimumNumberShouldMatch(leastShould);
      return new Pair(
          new TextQuery.Bool(
              must.stream().map(Pair::ours).toList(),
              should.stream().map(Pair::ours).toList(),
              mustNot.stream().map(Pair::ours).toList(),
              leastShould),
          theirs.build());
    }
  }

  @BeforeAll
  static void index() throws IOException {
    Random random = new Random(17);
    List<Map<Integer, List<String>>> docs = new ArrayList<>();
    directory = new ByteBuffersDirectory();
    try (IndexWriter writer =
        new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
      for (int doc = 0; doc < DOCUMENTS; doc++) {
        List<String> tokens = TextFixtures.zipfTokens(random, 1 + random.nextInt(120), 2_000);
        docs.add(Map.of(1, tokens));
        Document document = new Document();
        document.add(new TextField("f", String.join(" ", tokens), Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    leaf = TextFixtures.splitLeaf(new TestDocs(docs, new boolean[DOCUMENTS]), folder);
    reader = DirectoryReader.open(directory);
    lucene = new IndexSearcher(reader);
  }

  @AfterAll
  static void close() throws IOException {
    reader.close();
    directory.close();
  }

  @Test
  void terms() throws IOException {
    Random random = new Random(1);
    for (int i = 0; i < 60; i++) {
      check(Pair.term(TextFixtures.zipfTerm(random, 2_000)));
    }
  }

  @Test
  void phrases() throws IOException {
    Random random = new Random(2);
    for (int i = 0; i < 60; i++) {
      check(Pair.phrase(TextFixtures.zipfTokens(random, 2 + random.nextInt(2), 30)));
    }
  }

  @Test
  void booleanQueries() throws IOException {
    Random random = new Random(3);
    for (int i = 0; i < 100; i++) {
      List<Pair> must = clauses(random, random.nextInt(3));
      List<Pair> should = clauses(random, random.nextInt(must.isEmpty() ? 1 : 0, 5));
      List<Pair> mustNot = clauses(random, random.nextInt(2));
      check(Pair.bool(must, should, mustNot, random.nextInt(Math.min(3, should.size() + 1))));
    }
  }

  /** Terms and phrases, each once, since a query's equal clauses are one for us. */
  private static List<Pair> clauses(Random random, int count) {
    List<Pair> clauses = new ArrayList<>();
    while (clauses.size() < count) {
      Pair clause =
          random.nextInt(4) == 0
              ? Pair.phrase(TextFixtures.zipfTokens(random, 2, 20))
              : Pair.term(TextFixtures.zipfTerm(random, 300));
      if (!clauses.contains(clause)) {
        clauses.add(clause);
      }
    }
    return clauses;
  }

  private static void check(Pair query) throws IOException {
    List<Hit> ours =
        new TextSearch(
                query.ours,
                field -> TextScoring.DEFAULT,
                List.of(leaf),
                DOCUMENTS,
                (l1, d1, l2, d2) -> Integer.compare(d1, d2))
            .run(List.of(leaf.live()), new TextSearchStats())
            .toList();
    ScoreDoc[] theirs = lucene.search(query.theirs, DOCUMENTS).scoreDocs;
    assertThat(ours).as(query.toString()).hasSameSizeAs(theirs);
    double[] scores = new double[DOCUMENTS];
    int[] places = new int[DOCUMENTS];
    for (int i = 0; i < theirs.length; i++) {
      scores[theirs[i].doc] = theirs[i].score;
      places[theirs[i].doc] = i;
    }
    for (int i = 0; i < ours.size(); i++) {
      Hit hit = ours.get(i);
      assertThat(hit.score() / scores[hit.doc()])
          .as(query.toString())
          .isCloseTo(FACTOR, within(FACTOR * PRECISION));
      if (i > 0 && ours.get(i - 1).score() > hit.score() * (1 + 4 * PRECISION)) {
        assertThat(places[ours.get(i - 1).doc()])
            .as(query.toString())
            .isLessThan(places[hit.doc()]);
      }
    }
  }
}
