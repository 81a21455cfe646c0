package io.loam.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.loam.column.Predicate;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.query.Fusion;
import io.loam.query.Search;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.FieldType;
import io.loam.schema.SparseVector;
import io.loam.schema.TypeKind;
import io.loam.text.QuerySyntax;
import io.loam.text.TextQueries;
import io.loam.vector.Metric;
import io.loam.vector.VectorQuery.Precision;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FunctionSpecTest {
  private static final CollectionSchema SCHEMA =
      new CollectionSchema(
          1,
          List.of(
              new Field(1, "id", FieldType.of(TypeKind.BIGINT), false, "", ""),
              new Field(2, "title", FieldType.of(TypeKind.TEXT), true, "english", ""),
              new Field(3, "body", FieldType.of(TypeKind.TEXT), true, "english", ""),
              new Field(4, "embedding", FieldType.vector(2), true, "", "cosine"),
              new Field(5, "terms", FieldType.of(TypeKind.SPARSEVECTOR), true, "", "")),
          1,
          6,
          Map.of());

  @Test
  void vectorSearchTakesEveryFormOfAVector() {
    List<Object> forms =
        List.of(
            new float[] {1, 2},
            new double[] {1, 2},
            List.of(1, 2.0),
            new Object[] {1L, 2f},
            "[1, 2.0]");
    for (Object form : forms) {
      Search.Vector search = (Search.Vector) vector(Map.of("query", form, "metric", "L2"));
      assertThat(search.query()).containsExactly(1f, 2f);
      assertThat(search.metric()).contains(Metric.L2);
      assertThat(search.k()).isEqualTo(10);
    }
  }

  @Test
  void bm25ReadsBoostsSyntaxAndOperator() {
    assertThat(
            bind(
                "bm25",
                Map.of(
                    "columns",
                    "Title^2, body",
                    "query",
                    "+",
                    "operator",
                    "AND",
                    "syntax",
                    "terms",
                    "k",
                    7,
                    "filter",
                    new Predicate.Constant(true))))
        .isEqualTo(
            new Search.Text(
                List.of(new Search.BoostedField(2, 2), new Search.BoostedField(3, 1)),
                "+",
                new TextQueries.Options(QuerySyntax.TERMS, true, 0),
                7,
                Optional.of(new Predicate.Constant(true)),
                OptionalDouble.empty()));
  }

  @Test
  void sparseMatchTakesEveryFormOfASparseVector() {
    SparseVector wanted = new SparseVector(new int[] {3, 12}, new float[] {1, 0.5f});
    List<Object> forms =
        List.of(
            "{\"12\":0.5,\"3\":1}",
            Map.of(12, 0.5, "3", 1),
            List.of(List.of(12L, 3L), List.of(0.5, 1)),
            wanted);
    for (Object form : forms) {
      assertThat(
              ((Search.Sparse) bind("sparse_match", Map.of("column", "terms", "query", form)))
                  .query())
          .isEqualTo(wanted);
    }
  }

  @Test
  void hybridWeighsItsLegs() {
    Search leg = vector(Map.of("query", new float[] {1, 0}));
    Search.Hybrid search =
        (Search.Hybrid)
            FunctionSpec.find("HYBRID")
                .orElseThrow()
                .bind(
                    new Arguments<>(
                        List.of(leg, leg), Map.of("weights", List.of(0.1, 2), "rrf_k", 5)),
                    SCHEMA,
                    10);
    assertThat(search.fusion()).isEqualTo(new Fusion.ReciprocalRank(5));
    assertThat(search.legs()).extracting(Search.Leg::weight).containsExactly(0.1, 2.0);
  }

  @Test
  void namedArgumentsFollowPositionalOnes() {
    FunctionSpec spec = FunctionSpec.find("bm25").orElseThrow();
    Arguments<String> arguments =
        spec.arrange(
            List.of(
                positional("'docs'"), positional("'body'"), named("K", "3"), named("query", "?")));
    assertThat(arguments.values())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("collection", "'docs'", "columns", "'body'", "k", "3", "query", "?"));
    assertThat(messages(() -> spec.arrange(List.of(named("kk", "1")))))
        .contains("unknown argument: argument=kk; did you mean k?");
    assertThat(messages(() -> spec.arrange(List.of(named("k", "1"), positional("2")))))
        .contains("put the named ones last");
    assertThat(messages(() -> spec.arrange(List.of(positional("1"), named("collection", "2")))))
        .contains("given twice");
    assertThat(messages(() -> spec.arrange(List.of(positional("1")))))
        .contains(
            "argument missing: argument=columns; use bm25(collection, columns, query, k => 10");
  }

  @Test
  void badValuesSayWhatIsWrong() {
    float[] ok = {1, 2};
    refused(
        "vector_search",
        ErrorCode.UNKNOWN_COLUMN,
        "did you mean embedding?",
        "column",
        "embeding",
        "query",
        ok);
    refused(
        "vector_search",
        ErrorCode.TYPE_MISMATCH,
        "type=TEXT, wanted=VECTOR; use one of embedding",
        "column",
        "title",
        "query",
        ok);
    refused(
        "vector_search",
        ErrorCode.INVALID_ARGUMENT,
        "given=1, wanted=2",
        "column",
        "embedding",
        "query",
        new float[1]);
    refused(
        "vector_search",
        ErrorCode.INVALID_ARGUMENT,
        "position=2, value=NaN",
        "column",
        "embedding",
        "query",
        new float[] {0, Float.NaN});
    refused(
        "vector_search",
        ErrorCode.INVALID_ARGUMENT,
        "argument is null: argument=query",
        "column",
        "embedding",
        "query",
        null);
    refused(
        "vector_search",
        ErrorCode.INVALID_ARGUMENT,
        "use one of cosine, l2, dot",
        "column",
        "embedding",
        "query",
        ok,
        "metric",
        "x");
    refused(
        "vector_search",
        ErrorCode.TYPE_MISMATCH,
        "not a vector",
        "column",
        "embedding",
        "query",
        3);
    refused("bm25", ErrorCode.INVALID_ARGUMENT, "k=0", "columns", "body", "query", "x", "k", 0);
    refused("bm25", ErrorCode.INVALID_ARGUMENT, "k=-1", "columns", "body", "query", "x", "k", -1L);
    refused("bm25", ErrorCode.INVALID_ARGUMENT, "k=1.5", "columns", "body", "query", "x", "k", 1.5);
    refused(
        "bm25",
        ErrorCode.INVALID_ARGUMENT,
        "value=ten",
        "columns",
        "body",
        "query",
        "x",
        "k",
        "ten");
    refused(
        "bm25",
        ErrorCode.LIMIT_EXCEEDED,
        "k=100001, limit=100000",
        "columns",
        "body",
        "query",
        "x",
        "k",
        100_001);
    refused(
        "bm25",
        ErrorCode.INVALID_ARGUMENT,
        "boost out of range",
        "columns",
        "body^0",
        "query",
        "x");
    refused(
        "bm25",
        ErrorCode.INVALID_ARGUMENT,
        "column given twice",
        "columns",
        "body,BODY",
        "query",
        "x");
    refused(
        "bm25",
        ErrorCode.INVALID_ARGUMENT,
        "minimum_should_match=-1",
        "columns",
        "body",
        "query",
        "x",
        "minimum_should_match",
        -1);
    refused(
        "sparse_match",
        ErrorCode.INVALID_ARGUMENT,
        "index twice",
        "column",
        "terms",
        "query",
        List.of(List.of(1, 1), List.of(1, 2)));
    refused(
        "sparse_match",
        ErrorCode.OUT_OF_RANGE,
        "index=-1",
        "column",
        "terms",
        "query",
        Map.of(-1, 1));
    refused("hybrid", ErrorCode.INVALID_ARGUMENT, "legs=0", "k", 3);
  }

  @Test
  void hybridFusesInThreeWays() {
    Search leg = vector(Map.of("query", new float[] {1, 0}));
    assertThat(hybrid(List.of(leg, leg), Map.of()).fusion())
        .isEqualTo(new Fusion.ReciprocalRank(60));
    assertThat(hybrid(List.of(leg, leg), Map.of("fusion", "Weighted", "min_score", 0.5)))
        .extracting(Search.Hybrid::fusion, Search.Hybrid::minScore)
        .containsExactly(new Fusion.MinMax(), OptionalDouble.of(0.5));
    assertThat(hybrid(List.of(leg, leg), Map.of("fusion", "dbsf")).fusion())
        .isEqualTo(new Fusion.Distribution());
    assertThat(hybrid(Collections.nCopies(16, leg), Map.of()).legs()).hasSize(16);
    assertThat(messages(() -> hybrid(Collections.nCopies(17, leg), Map.of())))
        .contains("legs=17, limit=16");
    assertThat(messages(() -> hybrid(List.of(leg), Map.of()))).contains("legs=1");
    assertThat(messages(() -> hybrid(List.of(leg, leg), Map.of("fusion", "sum"))))
        .contains("fusion=sum; use one of rrf, weighted, dbsf");
    assertThat(messages(() -> hybrid(List.of(leg, leg), Map.of("fusion", "dbsf", "rrf_k", 60))))
        .contains("rrf_k is of fusion rrf only: fusion=dbsf");
    assertThat(messages(() -> hybrid(List.of(leg, leg), Map.of("weights", List.of(1)))))
        .contains("given=1, legs=2");
    assertThat(messages(() -> hybrid(List.of(leg, leg), Map.of("weights", List.of(1, -1)))))
        .contains("weight=-1.0");
  }

  private static Search.Hybrid hybrid(List<Search> legs, Map<String, Object> values) {
    return (Search.Hybrid)
        FunctionSpec.find("hybrid")
            .orElseThrow()
            .bind(new Arguments<>(new ArrayList<>(legs), new HashMap<>(values)), SCHEMA, 10);
  }

  @Test
  void thresholdsAndModifiersAreRead() {
    assertThat(
            ((Search.Vector) vector(Map.of("query", new float[] {1, 0}, "max_distance", "0.25")))
                .maxDistance())
        .hasValue(0.25);
    assertThat(
            ((Search.Vector) vector(Map.of("query", new float[] {1, 0}, "nprobes", 7, "refine", 3)))
                .precision())
        .isEqualTo(new Precision(false, 7, 3));
    assertThat(messages(() -> vector(Map.of("query", new float[] {1, 0}, "nprobes", -1))))
        .contains("nprobes=-1; use 0 or a larger whole number");
    Search.Sparse sparse =
        (Search.Sparse)
            bind(
                "sparse_match",
                Map.of("column", "terms", "query", "{}", "modifier", "IDF", "min_score", -1));
    assertThat(sparse.modifier()).isEqualTo(Search.SparseModifier.IDF);
    assertThat(sparse.minScore()).hasValue(-1);
    refused(
        "sparse_match",
        ErrorCode.INVALID_ARGUMENT,
        "unknown modifier: modifier=tf; use one of none, idf",
        "column",
        "terms",
        "query",
        "{}",
        "modifier",
        "tf");
    refused(
        "bm25",
        ErrorCode.INVALID_ARGUMENT,
        "min_score is too large",
        "columns",
        "body",
        "query",
        "x",
        "min_score",
        "1e999");
    refused(
        "bm25",
        ErrorCode.INVALID_ARGUMENT,
        "argument is not a number: argument=min_score, value=NaN",
        "columns",
        "body",
        "query",
        "x",
        "min_score",
        Double.NaN);
  }

  @Test
  void theLargestKIsAllowed() {
    assertThat(bind("bm25", Map.of("columns", "body", "query", "x", "k", 100_000)).k())
        .isEqualTo(100_000);
  }

  private static void refused(
      String function, ErrorCode code, String message, @Nullable Object... namesAndValues) {
    Map<String, @Nullable Object> values = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      values.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    LoamException error = catchThrowableOfType(LoamException.class, () -> bind(function, values));
    assertThat(error).as(function + values).isNotNull();
    assertThat(error.code()).as(error.getMessage()).isEqualTo(code);
    assertThat(error).hasMessageContaining(message);
  }

  private static Search vector(Map<String, Object> values) {
    Map<String, @Nullable Object> all = new HashMap<>(values);
    all.put("column", "embedding");
    return bind("vector_search", all);
  }

  private static Search bind(String function, Map<String, ? extends @Nullable Object> values) {
    return FunctionSpec.find(function)
        .orElseThrow()
        .bind(new Arguments<>(new ArrayList<>(), new HashMap<>(values)), SCHEMA, 10);
  }

  private static Argument<String> positional(String value) {
    return new Argument<>(Optional.empty(), value);
  }

  private static Argument<String> named(String name, String value) {
    return new Argument<>(Optional.of(name), value);
  }

  private static String messages(Runnable call) {
    return catchThrowableOfType(LoamException.class, call::run).getMessage();
  }
}
