package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Relevance over the Cranfield collection, against what Lucene and brute force reach on it. The
 * folder {@code loam.testdata} holds the collection in {@code cranfield/}.
 */
class CranfieldTest {
  private static final int DIMENSION = 384;
  private static final int BATCH_ROWS = 500;
  private static final double MARGIN = 0.005;
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path folder;
  private static @Nullable Connection connection;
  private static List<Question> questions = List.of();

  /**
   * @param gains the judged documents' grades by id
   */
  private record Question(String text, float[] vector, String sparse, Map<Long, Integer> gains) {
    /** nDCG@10 of the documents found, best first. */
    double ndcg(List<Long> found) {
      List<Integer> ideal =
          gains.values().stream().sorted(Comparator.reverseOrder()).limit(10).toList();
      return dcg(found.stream().limit(10).map(id -> gains.getOrDefault(id, 0)).toList())
          / dcg(ideal);
    }

    private static double dcg(List<Integer> gains) {
      double sum = 0;
      for (int i = 0; i < gains.size(); i++) {
        sum += gains.get(i) / (Math.log(i + 2) / Math.log(2));
      }
      return sum;
    }
  }

  @BeforeAll
  static void load() throws IOException, SQLException {
    String root = System.getProperty("loam.testdata", "");
    assumeTrue(!root.isEmpty(), "no reference data: set -Dloam.testdata=<folder>");
    Path data = Path.of(root, "cranfield");
    assumeTrue(Files.isDirectory(data), "no reference data: " + data);
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE docs (id BIGINT PRIMARY KEY, english TEXT ANALYZER 'english',"
            + " standard TEXT ANALYZER 'standard', embedding VECTOR(384), terms SPARSEVECTOR)");
    loadDocuments(data);
    questions = questions(data);
  }

  @AfterAll
  static void close() throws SQLException {
    if (connection != null) {
      connection.close();
    }
  }

  private static void loadDocuments(Path data) throws IOException, SQLException {
    List<JsonNode> documents = json(data.resolve("docs.jsonl"));
    List<JsonNode> sparse = json(data.resolve("docs.sparse.jsonl"));
    float[][] vectors = vectors(data.resolve("docs.f32"));
    List<String> ids = Files.readAllLines(data.resolve("docs.ids"));
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO docs VALUES (?, ?, ?, ?, ?)")) {
      for (int i = 0; i < documents.size(); i++) {
        JsonNode document = documents.get(i);
        assertThat(ids.get(i)).isEqualTo(document.get("id").asText());
        assertThat(sparse.get(i).get("id")).isEqualTo(document.get("id"));
        String text = document.get("title").asText() + " " + document.get("body").asText();
        Sql.bind(
            insert, document.get("id").asLong(), text, text, vectors[i], sparseText(sparse.get(i)));
        insert.addBatch();
        if ((i + 1) % BATCH_ROWS == 0 || i + 1 == documents.size()) {
          insert.executeBatch();
        }
      }
    }
  }

  private static List<Question> questions(Path data) throws IOException {
    Map<Integer, Map<Long, Integer>> gains = new HashMap<>();
    try (Stream<String> lines = Files.lines(data.resolve("qrels.tsv")).skip(1)) {
      lines
          .map(line -> line.split("\t", -1))
          .forEach(
              row ->
                  gains
                      .computeIfAbsent(Integer.valueOf(row[0]), q -> new HashMap<>())
                      .put(Long.valueOf(row[1]), Integer.valueOf(row[2])));
    }
    List<JsonNode> texts = json(data.resolve("queries.jsonl"));
    List<JsonNode> sparse = json(data.resolve("queries.sparse.jsonl"));
    float[][] vectors = vectors(data.resolve("queries.f32"));
    List<Question> result = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      JsonNode query = texts.get(i);
      result.add(
          new Question(
              query.get("text").asText(),
              vectors[i],
              sparseText(sparse.get(i)),
              gains.get(query.get("qid").asInt())));
    }
    return result;
  }

  private static List<JsonNode> json(Path file) throws IOException {
    List<JsonNode> result = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      result.add(JSON.readTree(line));
    }
    return result;
  }

  private static String sparseText(JsonNode entries) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < entries.get("indices").size(); i++) {
      parts.add(
          "\"" + entries.get("indices").get(i).asLong() + "\":" + entries.get("values").get(i));
    }
    return "{" + String.join(",", parts) + "}";
  }

  private static float[][] vectors(Path file) throws IOException {
    FloatBuffer values =
        ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    float[][] vectors = new float[values.remaining() / DIMENSION][DIMENSION];
    Arrays.stream(vectors).forEach(values::get);
    return vectors;
  }

  @Test
  void everyDocumentIsThere() throws SQLException {
    assertThat(Sql.rows(connection, "SELECT count(*), count(embedding) FROM docs"))
        .containsExactly(List.of(1400L, 1400L));
  }

  @Test
  void bm25English() throws SQLException {
    check(0.5168, "bm25('docs', 'english', ?, 10, syntax => 'terms')", Question::text);
  }

  @Test
  void bm25Standard() throws SQLException {
    check(0.4945, "bm25('docs', 'standard', ?, 10, syntax => 'terms')", Question::text);
  }

  @Test
  void dense() throws SQLException {
    check(0.5084, "vector_search('docs', 'embedding', ?, 10)", Question::vector);
  }

  @Test
  void sparse() throws SQLException {
    check(0.5185, "sparse_match('docs', 'terms', ?, 10)", Question::sparse);
  }

  @Test
  void hybrid() throws SQLException {
    check(
        0.5548,
        "hybrid(bm25('docs', 'english', ?, 1000, syntax => 'terms'),"
            + " vector_search('docs', 'embedding', ?, 1000), k => 10, rrf_k => 60)",
        Question::text,
        Question::vector);
  }

  /** What one {@code ?} of a search is for a question. */
  private interface Value {
    Object of(Question question);
  }

  private static void check(double reference, String search, Value... values) throws SQLException {
    double sum = 0;
    try (PreparedStatement statement = connection.prepareStatement("SELECT id FROM " + search)) {
      for (Question question : questions) {
        Sql.bind(statement, Arrays.stream(values).map(v -> v.of(question)).toArray());
        try (var rows = statement.executeQuery()) {
          List<Long> found = new ArrayList<>();
          while (rows.next()) {
            found.add(rows.getLong(1));
          }
          assertThat(found).hasSizeLessThanOrEqualTo(10);
          sum += question.ndcg(found);
        }
      }
    }
    assertThat(questions).hasSize(225);
    assertThat(sum / questions.size()).isCloseTo(reference, within(MARGIN));
  }
}
