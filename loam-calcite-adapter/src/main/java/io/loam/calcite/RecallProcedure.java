package io.loam.calcite;

import io.loam.Collection;
import io.loam.Warehouse;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.query.BatchCursor;
import io.loam.query.OutputColumn;
import io.loam.query.RowBatch;
import io.loam.query.Search;
import io.loam.query.SearchRequest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.schema.Field;
import io.loam.schema.Limits;
import io.loam.schema.TypeKind;
import io.loam.vector.VectorQuery.Precision;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * {@code CALL loam.recall('docs', 'embedding', samples => 100, k => 10)}: compares searches by
 * codes with exact ones, for vectors of the table itself.
 */
final class RecallProcedure implements Procedure {
  static final String COLLECTION = "collection";
  private static final String COLUMN = "column";
  private static final String SAMPLES = "samples";
  private static final String K = "k";
  private static final String NPROBES = "nprobes";
  private static final String REFINE = "refine";
  private static final int MOST_SAMPLES = 10_000;

  @Override
  public String name() {
    return "recall";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter(COLLECTION, ArgumentType.TEXT, true),
        new Parameter(COLUMN, ArgumentType.TEXT, true),
        new Parameter(SAMPLES, ArgumentType.NUMBER, false),
        new Parameter(K, ArgumentType.NUMBER, false),
        new Parameter(NPROBES, ArgumentType.NUMBER, false),
        new Parameter(REFINE, ArgumentType.NUMBER, false));
  }

  @Override
  public String columnsQuery() {
    return "SELECT CAST(NULL AS BIGINT) AS \"samples\", CAST(NULL AS BIGINT) AS \"k\","
        + " CAST(NULL AS DOUBLE) AS \"recall\", CAST(NULL AS DOUBLE) AS \"exact_ms\","
        + " CAST(NULL AS DOUBLE) AS \"approximate_ms\"";
  }

  @Override
  public List<Object[]> run(
      Warehouse warehouse, String defaultSchema, Map<String, Object> arguments) {
    Collection collection =
        warehouse.get(ProcedureCall.table((String) arguments.get(COLLECTION), defaultSchema));
    return List.<Object[]>of(Sample.of(arguments).compare(collection, new VersionSpec.Latest()));
  }

  /** What is compared. */
  record Sample(String column, int samples, int k, int nprobes, int refine) {
    /** Fails with {@code INVALID_ARGUMENT} for numbers out of range. */
    static Sample of(Map<String, Object> arguments) {
      return new Sample(
          (String) arguments.get(COLUMN),
          number(arguments, SAMPLES, 100, 1, MOST_SAMPLES),
          number(arguments, K, 10, 1, Limits.MAX_K),
          number(arguments, NPROBES, 0, 0, Integer.MAX_VALUE),
          number(arguments, REFINE, 0, 0, Integer.MAX_VALUE));
    }

    /** All of it as text; the column comes last, whatever is in its name. */
    String encode() {
      return samples + "," + k + "," + nprobes + "," + refine + "," + column;
    }

    /** Reads what {@link #encode} gave. */
    static Sample decode(String text) {
      String[] parts = text.split(",", 5);
      return new Sample(
          parts[4],
          Integer.parseInt(parts[0]),
          Integer.parseInt(parts[1]),
          Integer.parseInt(parts[2]),
          Integer.parseInt(parts[3]));
    }

    /** The row of the result. */
    Object[] compare(Collection collection, VersionSpec version) {
      try (Snapshot snapshot = collection.snapshot(version)) {
        Field field = field(snapshot, column);
        Precision approximate = new Precision(false, nprobes, refine);
        return new Comparison(snapshot, field.number(), k, approximate).of(samples);
      }
    }
  }

  private static int number(
      Map<String, Object> arguments, String name, int otherwise, int least, int most) {
    if (!(arguments.get(name) instanceof BigDecimal given)) {
      return otherwise;
    }
    if (given.stripTrailingZeros().scale() > 0
        || given.compareTo(BigDecimal.valueOf(least)) < 0
        || given.compareTo(BigDecimal.valueOf(most)) > 0) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          "recall: argument out of range: argument=%s, value=%s; use a whole number from %d to %d"
              .formatted(name, given.toPlainString(), least, most));
    }
    return given.intValueExact();
  }

  private static Field field(Snapshot snapshot, String name) {
    Field field =
        snapshot
            .schema()
            .find(name)
            .orElseThrow(
                () ->
                    new LoamException(
                        ErrorCode.UNKNOWN_COLUMN,
                        "recall: unknown column: column=" + name + "; name a VECTOR column"));
    if (field.kind() != TypeKind.VECTOR) {
      throw new LoamException(
          ErrorCode.TYPE_MISMATCH,
          "recall: column has no vectors: column=" + name + "; name a VECTOR column");
    }
    return field;
  }

  /** Of searches of one snapshot. */
  private static final class Comparison {
    private final Snapshot snapshot;
    private final int fieldNumber;
    private final int k;
    private final Precision approximate;
    private long wanted;
    private long found;
    private final List<Long> exactNanos = new ArrayList<>();
    private final List<Long> approximateNanos = new ArrayList<>();

    Comparison(Snapshot snapshot, int fieldNumber, int k, Precision approximate) {
      this.snapshot = snapshot;
      this.fieldNumber = fieldNumber;
      this.k = k;
      this.approximate = approximate;
    }

    /** For documents at even distances, or for the next ones that have a vector. */
    Object[] of(int samples) {
      long documents = snapshot.liveDocuments();
      long parts = Math.min(samples, documents);
      for (long i = 0; i < parts; i++) {
        vector(i * documents / parts, (i + 1) * documents / parts).ifPresent(this::compare);
      }
      return new Object[] {
        (long) exactNanos.size(),
        (long) k,
        wanted == 0 ? 1.0 : found / (double) wanted,
        medianMillis(exactNanos),
        medianMillis(approximateNanos)
      };
    }

    /** The first vector of the documents {@code from} to before {@code to}. */
    private Optional<float[]> vector(long from, long to) {
      SearchRequest request =
          SearchRequest.scan(List.of(OutputColumn.field(fieldNumber)))
              .withSort(List.of(), from, OptionalLong.of(to - from));
      return values(request, 1).stream().findFirst().map(float[].class::cast);
    }

    private void compare(float[] query) {
      Set<Object> exact = search(query, Precision.EXACT, exactNanos);
      Set<Object> hits = search(query, approximate, approximateNanos);
      wanted += exact.size();
      found += exact.stream().filter(hits::contains).count();
    }

    private Set<Object> search(float[] query, Precision precision, List<Long> nanos) {
      Search search =
          new Search.Vector(
              fieldNumber,
              query,
              Optional.empty(),
              k,
              Optional.empty(),
              OptionalDouble.empty(),
              precision);
      SearchRequest request =
          SearchRequest.search(search, List.of(OutputColumn.of(OutputColumn.Kind.ROW_ID)));
      long start = System.nanoTime();
      Set<Object> rows = new HashSet<>(values(request, k));
      nanos.add(System.nanoTime() - start);
      return rows;
    }

    /** The first values of the request's only column that are not null. */
    private List<Object> values(SearchRequest request, int most) {
      List<Object> values = new ArrayList<>();
      try (BatchCursor cursor = snapshot.query(request)) {
        RowBatch batch = cursor.next();
        for (; batch != null && values.size() < most; batch = cursor.next()) {
          RowBatch.Values column = batch.columns().get(0);
          for (int row = 0; row < batch.size() && values.size() < most; row++) {
            Object value = column.get(row);
            if (value != null) {
              values.add(value);
            }
          }
        }
      }
      return values;
    }

    private static double medianMillis(List<Long> nanos) {
      return nanos.isEmpty()
          ? 0
          : nanos.stream().sorted().skip(nanos.size() / 2).findFirst().orElseThrow() / 1e6;
    }
  }
}
