package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.function.IntFunction;
import org.apache.calcite.adapter.enumerable.EnumerableLimit;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.jspecify.annotations.Nullable;

/**
 * LIMIT and OFFSET of generated code, which counts rows in ints and takes numbers below 0 for none.
 * Larger numbers, of which SQL has BIGINTs, mean all rows that such code can count.
 *
 * <p>A parameter that counts rows is named by a number of its own in generated code, so that {@link
 * StatementContext} knows that it has to give an int.
 */
final class RowCounts {
  private static final int FIRST_NUMBER = 1 << 28;

  /**
   * More rows than a table has. Calcite reckons with numbers of rows in doubles, and goes on
   * without end where the one that it just made seems to be less than it is.
   */
  private static final long MOST_PLANNED = 1L << 50;

  private RowCounts() {}

  /** The number of rows that is planned with, in the place of that of the statement. */
  static @Nullable SqlNode planned(@Nullable SqlNode given) {
    if (!(given instanceof SqlNumericLiteral literal)) {
      return given;
    }
    BigDecimal rows = literal.bigDecimalValue();
    if (rows.stripTrailingZeros().scale() > 0) {
      throw noCount(literal.toValue());
    }
    return rows.compareTo(BigDecimal.valueOf(MOST_PLANNED)) <= 0
        ? given
        : SqlLiteral.createExactNumeric(String.valueOf(MOST_PLANNED), literal.getParserPosition());
  }

  static RelNode ofLimit(EnumerableLimit limit) {
    RexBuilder builder = limit.getCluster().getRexBuilder();
    return EnumerableLimit.create(
        limit.getInput(), count(limit.offset, builder), count(limit.fetch, builder));
  }

  private static @Nullable RexNode count(@Nullable RexNode given, RexBuilder builder) {
    if (given instanceof RexDynamicParam parameter) {
      return builder.makeDynamicParam(parameter.getType(), FIRST_NUMBER + parameter.getIndex());
    }
    BigDecimal most = BigDecimal.valueOf(Integer.MAX_VALUE);
    return given instanceof RexLiteral literal
            && Objects.requireNonNull(literal.getValueAs(BigDecimal.class)).compareTo(most) > 0
        ? builder.makeExactLiteral(most)
        : given;
  }

  /** The value of a parameter by its number in generated code. */
  static @Nullable Object value(int number, IntFunction<@Nullable Object> parameters) {
    if (number < FIRST_NUMBER) {
      return parameters.apply(number);
    }
    Object value = parameters.apply(number - FIRST_NUMBER);
    if (!(value instanceof Number count) || count.longValue() < 0) {
      throw noCount(value);
    }
    return (int) Math.min(count.longValue(), Integer.MAX_VALUE);
  }

  private static LoamException noCount(@Nullable Object value) {
    return new LoamException(
        ErrorCode.INVALID_ARGUMENT,
        "LIMIT or OFFSET is not a whole number from 0: value=" + value + "; give such a number");
  }
}
