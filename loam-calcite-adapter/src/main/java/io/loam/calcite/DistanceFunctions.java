package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.function.VectorValues;
import io.loam.vector.Metric;
import io.loam.vector.VectorScores;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.schema.impl.ScalarFunctionImpl;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlUserDefinedFunction;
import org.jspecify.annotations.Nullable;

/**
 * Distances of two vectors, smaller is nearer. A scan that is sorted by the distance of a column
 * becomes a search; elsewhere they are computed row by row.
 */
public final class DistanceFunctions {
  private static final Map<Metric, SqlFunction> BY_METRIC =
      Map.of(
          Metric.COSINE, distance("COSINE_DISTANCE", "cosine"),
          Metric.L2, distance("L2_DISTANCE", "l2"),
          Metric.DOT, distance("NEGATIVE_INNER_PRODUCT", "negativeInnerProduct"));

  private DistanceFunctions() {}

  static List<SqlFunction> all() {
    return List.copyOf(BY_METRIC.values());
  }

  /** The metric that a function computes. */
  static Optional<Metric> metric(SqlOperator operator) {
    return BY_METRIC.entrySet().stream()
        .filter(e -> e.getValue().equals(operator))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** The name of the function of a metric. */
  static String name(Metric metric) {
    SqlFunction function = BY_METRIC.get(metric);
    return function == null ? "" : function.getName().toLowerCase(Locale.ROOT);
  }

  private static SqlFunction distance(String name, String method) {
    return new SqlUserDefinedFunction(
        new SqlIdentifier(name, SqlParserPos.ZERO),
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.DOUBLE_NULLABLE,
        InferTypes.ANY_NULLABLE,
        OperandTypes.operandMetadata(
            List.of(SqlTypeFamily.ANY, SqlTypeFamily.ANY),
            factory ->
                List.of(
                    factory.createSqlType(SqlTypeName.ANY), factory.createSqlType(SqlTypeName.ANY)),
            i -> i == 0 ? "a" : "b",
            i -> false),
        ScalarFunctionImpl.create(DistanceFunctions.class, method));
  }

  /** Called by generated code. */
  public static @Nullable Double cosine(@Nullable Object a, @Nullable Object b) {
    return distance(Metric.COSINE, a, b);
  }

  /** Called by generated code. */
  public static @Nullable Double l2(@Nullable Object a, @Nullable Object b) {
    return distance(Metric.L2, a, b);
  }

  /** Called by generated code. */
  public static @Nullable Double negativeInnerProduct(@Nullable Object a, @Nullable Object b) {
    return distance(Metric.DOT, a, b);
  }

  private static @Nullable Double distance(Metric metric, @Nullable Object a, @Nullable Object b) {
    if (a == null || b == null) {
      return null;
    }
    float[] left = vector(a);
    float[] right = vector(b);
    if (left.length != right.length) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          "%s: vectors differ in dimension: first=%d, second=%d; give vectors of one dimension"
              .formatted(name(metric), left.length, right.length));
    }
    return VectorScores.distance(metric, right, left, 0, left.length);
  }

  private static float[] vector(Object value) {
    return value instanceof VectorView view ? view.values() : VectorValues.parse(value);
  }
}
