package io.loam.schema;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Builds a collection's first schema from declared columns and checks it as a whole. Not safe for
 * use by several threads.
 */
public final class SchemaBuilder {
  private static final String DEFAULT_METRIC = "cosine";
  private static final List<String> METRICS = List.of(DEFAULT_METRIC, "l2", "dot");
  private static final Set<String> RESERVED =
      Set.of("_source", "_row_id", "_version", "_score", "_distance");
  private static final List<String> RESERVED_PREFIXES = List.of("_rank_", "_score_");
  private static final String METRIC_OPTION = "metric.";
  private static final String COMMENT_OPTION = CollectionSchema.COMMENT_OPTION + ".";

  /** What the options begin with that an added column keeps; its folded name follows. */
  public static final List<String> ADDED_OPTIONS =
      Stream.concat(Stream.of(COMMENT_OPTION), TextScoring.OPTIONS.stream()).toList();

  private static final List<String> COLUMN_OPTIONS =
      Stream.concat(Stream.of(METRIC_OPTION), ADDED_OPTIONS.stream()).toList();
  private static final List<String> RETENTION_OPTIONS =
      List.of(Retention.MINUTES_OPTION, Retention.VERSIONS_OPTION);

  /** Most digits of a decimal. */
  public static final int MAX_DECIMAL_DIGITS = 38;

  private record Declared(
      String name, FieldType type, boolean nullable, String analyzer, String metric) {}

  private final List<Declared> columns = new ArrayList<>();
  private final Map<String, String> options = new TreeMap<>();
  private @Nullable String primaryKey;

  /**
   * Declares a column.
   *
   * @param analyzer of a {@code TEXT} column, or empty for the default
   * @param metric of a {@code VECTOR} column, or empty for the default or what the option {@code
   *     metric.<column>} says
   */
  public SchemaBuilder add(
      String name, FieldType type, boolean nullable, String analyzer, String metric) {
    columns.add(
        new Declared(
            name,
            type,
            nullable,
            analyzer.toLowerCase(Locale.ROOT),
            metric.toLowerCase(Locale.ROOT)));
    return this;
  }

  /** Declares the primary key, which makes its column NOT NULL. At most once. */
  public SchemaBuilder primaryKey(String name) {
    if (primaryKey != null) {
      throw invalid(
          "two primary keys", "first=%s, second=%s".formatted(primaryKey, name), "keep one");
    }
    primaryKey = name;
    return this;
  }

  /** Sets an option of WITH; the name in any letter case. */
  public SchemaBuilder option(String name, String value) {
    options.put(fold(name), value);
    return this;
  }

  /**
   * The schema. Fails with {@code DUPLICATE_COLUMN}, {@code UNKNOWN_COLUMN} for a primary key that
   * is no column, {@code LIMIT_EXCEEDED} for too many columns, and else {@code INVALID_SCHEMA}.
   */
  public CollectionSchema build() {
    if (columns.isEmpty()) {
      throw invalid("no columns", "columns=0", "declare at least one");
    }
    if (columns.size() > Limits.MAX_FIELDS) {
      throw new LoamException(
          ErrorCode.LIMIT_EXCEEDED,
          "too many columns: columns=%d, limit=%d; use a JSON column for the rest"
              .formatted(columns.size(), Limits.MAX_FIELDS));
    }
    checkNames();
    checkOptions();
    List<Field> fields = new ArrayList<>();
    int keyField = CollectionSchema.HIDDEN_KEY;
    for (Declared column : columns) {
      int number = fields.size() + 1;
      boolean isKey = primaryKey != null && column.name().equalsIgnoreCase(primaryKey);
      if (isKey) {
        checkKey(column);
        keyField = number;
      }
      checkType(column);
      fields.add(
          new Field(
              number,
              column.name(),
              column.type(),
              column.nullable() && !isKey,
              analyzer(column),
              metric(column)));
    }
    if (primaryKey != null && keyField == CollectionSchema.HIDDEN_KEY) {
      throw new LoamException(
          ErrorCode.UNKNOWN_COLUMN,
          "primary key is no column: column=" + primaryKey + "; declare the column");
    }
    return new CollectionSchema(1, fields, keyField, fields.size() + 1, options);
  }

  private void checkNames() {
    Set<String> seen = new HashSet<>();
    for (Declared column : columns) {
      String folded = fold(column.name());
      if (column.name().isEmpty()) {
        throw invalid("empty column name", "type=" + column.type(), "give the column a name");
      }
      if (RESERVED.contains(folded) || RESERVED_PREFIXES.stream().anyMatch(folded::startsWith)) {
        throw invalid("reserved column name", "column=" + column.name(), "choose another name");
      }
      if (!seen.add(folded)) {
        throw new LoamException(
            ErrorCode.DUPLICATE_COLUMN,
            "column declared twice: column=" + column.name() + "; rename one");
      }
    }
  }

  private void checkOptions() {
    Retention.of(options);
    for (String option : options.keySet()) {
      if (RETENTION_OPTIONS.contains(option) || option.equals(CollectionSchema.COMMENT_OPTION)) {
        continue;
      }
      String kind = option.substring(0, option.indexOf('.') + 1);
      Optional<Declared> column =
          COLUMN_OPTIONS.contains(kind) ? find(option.substring(kind.length())) : Optional.empty();
      if (column.isEmpty()) {
        throw invalid(
            "unknown option",
            "option=" + option,
            "known options: comment, comment.<column>, metric.<column> of a VECTOR, k1.<column> and"
                + " b.<column> of a TEXT, "
                + String.join(", ", RETENTION_OPTIONS));
      }
      checkOption(kind, column.get());
    }
  }

  private void checkOption(String kind, Declared column) {
    if (kind.equals(COMMENT_OPTION)) {
      return;
    }
    if (!kind.equals(METRIC_OPTION)) {
      if (column.type().kind() != TypeKind.TEXT) {
        throw notFor(kind.substring(0, kind.length() - 1), column, "TEXT");
      }
      TextScoring.of(options, fold(column.name()));
    } else if (column.type().kind() != TypeKind.VECTOR) {
      throw notFor("metric", column, "VECTOR");
    }
  }

  private Optional<Declared> find(String name) {
    return columns.stream().filter(c -> c.name().equalsIgnoreCase(name)).findFirst();
  }

  private static void checkKey(Declared column) {
    switch (column.type().kind()) {
      case BIGINT, VARCHAR, UUID -> {}
      case INTEGER,
          REAL,
          DOUBLE,
          DECIMAL,
          BOOLEAN,
          DATE,
          TIMESTAMP,
          VARCHAR_ARRAY,
          TEXT,
          JSON,
          VECTOR,
          SPARSEVECTOR ->
          throw invalid(
              "primary key of this type is not possible",
              "column=%s, type=%s".formatted(column.name(), column.type()),
              "use BIGINT, VARCHAR or UUID");
    }
  }

  private static void checkType(Declared column) {
    FieldType type = column.type();
    String detail = "column=%s, type=%s".formatted(column.name(), type);
    if (type.kind() == TypeKind.VECTOR
        && (type.dimension() < 1 || type.dimension() > Limits.MAX_DIMENSION)) {
      throw invalid("vector dimension out of range", detail, "use 1 to " + Limits.MAX_DIMENSION);
    }
    if (type.kind() == TypeKind.VARCHAR
        && (type.precision() < 0 || type.precision() > Limits.MAX_DOCUMENT_BYTES)) {
      throw invalid(
          "text length out of range",
          detail,
          "use 1 to " + Limits.MAX_DOCUMENT_BYTES + ", or none");
    }
    if (type.kind() == TypeKind.DECIMAL
        && (type.precision() < 1 || type.precision() > MAX_DECIMAL_DIGITS)) {
      throw invalid("decimal precision out of range", detail, "use 1 to " + MAX_DECIMAL_DIGITS);
    }
    if (type.kind() == TypeKind.DECIMAL && (type.scale() < 0 || type.scale() > type.precision())) {
      throw invalid("decimal scale out of range", detail, "use 0 to the precision");
    }
  }

  private static String analyzer(Declared column) {
    if (column.type().kind() != TypeKind.TEXT) {
      if (!column.analyzer().isEmpty()) {
        throw notFor("analyzer", column, "TEXT");
      }
      return "";
    }
    if (column.analyzer().isEmpty()) {
      return AnalyzerNames.DEFAULT;
    }
    if (!AnalyzerNames.ALL.contains(column.analyzer())) {
      throw invalid(
          "unknown analyzer",
          "column=%s, analyzer=%s".formatted(column.name(), column.analyzer()),
          "known analyzers: " + String.join(", ", AnalyzerNames.ALL));
    }
    return column.analyzer();
  }

  private String metric(Declared column) {
    if (column.type().kind() != TypeKind.VECTOR) {
      if (!column.metric().isEmpty()) {
        throw notFor("metric", column, "VECTOR");
      }
      return "";
    }
    String option =
        options.getOrDefault(METRIC_OPTION + fold(column.name()), "").toLowerCase(Locale.ROOT);
    String declared = column.metric().isEmpty() ? option : column.metric();
    if (!option.isEmpty() && !option.equals(declared)) {
      throw invalid(
          "two metrics",
          "column=%s, declared=%s, option=%s".formatted(column.name(), declared, option),
          "keep one");
    }
    String metric = declared.isEmpty() ? DEFAULT_METRIC : declared;
    if (!METRICS.contains(metric)) {
      throw invalid(
          "unknown metric",
          "column=%s, metric=%s".formatted(column.name(), metric),
          "known metrics: " + String.join(", ", METRICS));
    }
    return metric;
  }

  /** The options that belong to a column. */
  static List<String> optionsOf(String column) {
    return COLUMN_OPTIONS.stream().map(kind -> kind + fold(column)).toList();
  }

  /** One form for all names that {@link String#equalsIgnoreCase} calls equal. */
  static String fold(String name) {
    int[] folded =
        name.codePoints().map(c -> Character.toLowerCase(Character.toUpperCase(c))).toArray();
    return new String(folded, 0, folded.length);
  }

  private static LoamException notFor(String what, Declared column, String kind) {
    return invalid(
        what + " does not belong to this type",
        "column=%s, type=%s".formatted(column.name(), column.type()),
        "only %s columns have one".formatted(kind));
  }

  private static LoamException invalid(String problem, String detail, String mend) {
    return new LoamException(
        ErrorCode.INVALID_SCHEMA, "%s: %s; %s".formatted(problem, detail, mend));
  }
}
