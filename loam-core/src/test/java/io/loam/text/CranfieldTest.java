package io.loam.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.loam.doc.Hit;
import io.loam.schema.TextScoring;
import io.loam.text.TextFixtures.TestLeaf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rankings are as good as Lucene's on a public collection of questions and judgements. */
class CranfieldTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path DATA = Path.of(System.getProperty("loam.testdata", ""), "cranfield");

  @ParameterizedTest
  @CsvSource({"english, 0.5168", "standard, 0.4945"})
  void meetsTheReferenceFigure(String analyzer, double reference) throws IOException {
    assumeThat(DATA.resolve("docs.jsonl")).exists();
    List<String> ids = new ArrayList<>();
    TokenBuilder builder = new TokenBuilder();
    for (String line : Files.readAllLines(DATA.resolve("docs.jsonl"))) {
      JsonNode doc = JSON.readTree(line);
      ids.add(doc.get("id").asText());
      builder.addText(analyzer, doc.path("title").asText("") + " " + doc.path("body").asText(""));
    }
    Map<Integer, TokenReader> readers = Map.of(1, builder.build());
    List<QueryField> fields = List.of(new QueryField(1, analyzer, 1));
    Map<String, Map<String, Integer>> judgements = judgements();
    double sum = 0;
    TestLeaf leaf =
        new TestLeaf(ids.size(), DeleteBitmap.NONE.live(ids.size()), readers, DeleteBitmap.NONE);
    for (String line : Files.readAllLines(DATA.resolve("queries.jsonl"))) {
      JsonNode question = JSON.readTree(line);
      TextQuery query =
          TextQueries.parse(
              question.get("text").asText(),
              new TextQueries.Options(QuerySyntax.SIMPLE, false, 0),
              fields,
              name -> Optional.empty());
      List<Hit> hits =
          new TextSearch(
                  query,
                  field -> TextScoring.DEFAULT,
                  List.of(leaf),
                  10,
                  (l1, d1, l2, d2) -> Integer.compare(d1, d2))
              .run(List.of(leaf.live()), new TextSearchStats())
              .toList();
      sum +=
          ndcg(
              hits.stream().map(h -> ids.get(h.doc())).toList(),
              judgements.getOrDefault(question.get("qid").asText(), Map.of()));
    }
    assertThat(sum / 225).isCloseTo(reference, offset(0.005));
  }

  private static Map<String, Map<String, Integer>> judgements() throws IOException {
    Map<String, Map<String, Integer>> judgements = new HashMap<>();
    for (String line : Files.readAllLines(DATA.resolve("qrels.tsv"))) {
      String[] parts = line.split("\t", -1);
      if (!parts[0].equals("qid")) {
        judgements
            .computeIfAbsent(parts[0], q -> new HashMap<>())
            .put(parts[1], Integer.parseInt(parts[2]));
      }
    }
    return judgements;
  }

  private static double ndcg(List<String> found, Map<String, Integer> relevance) {
    double gain = 0;
    for (int rank = 0; rank < found.size(); rank++) {
      gain += relevance.getOrDefault(found.get(rank), 0) / log2(rank + 2);
    }
    List<Integer> best =
        relevance.values().stream().sorted(Comparator.reverseOrder()).limit(10).toList();
    double ideal = 0;
    for (int rank = 0; rank < best.size(); rank++) {
      ideal += best.get(rank) / log2(rank + 2);
    }
    return ideal == 0 ? 0 : gain / ideal;
  }

  private static double log2(double x) {
    return Math.log(x) / Math.log(2);
  }
}
