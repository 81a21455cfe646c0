package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.math.BigDecimal;
import java.util.function.IntFunction;
import org.apache.calcite.adapter.enumerable.EnumerableLimit;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * LIMIT and OFFSET of generated code, which counts rows in ints and takes numbers below 0 for none.
 * Larger numbers, of which SQL has BIGINTs, mean all rows that such code can count.
 *
 * <p>A parameter that counts rows is named by a number of its own in generated code, so that {@link
 * StatementContext} knows that it has to give an int.
 */
final class RowCounts {
  private static final int OF_LIMIT = 1 << 28;
  private static final int OF_SORT = 1 << 29;

  /** A sort adds the two numbers. */
  private static final int MOST_OF_SORT = Integer.MAX_VALUE / 2;

  private RowCounts() {}

  static RelNode ofLimit(EnumerableLimit limit) {
    RexBuilder builder = limit.getCluster().getRexBuilder();
    return EnumerableLimit.create(
        limit.getInput(),
        count(limit.offset, OF_LIMIT, builder),
        count(limit.fetch, OF_LIMIT, builder));
  }

  static Sort ofSort(Sort sort) {
    RexBuilder builder = sort.getCluster().getRexBuilder();
    return sort.copy(
        sort.getTraitSet(),
        sort.getInput(),
        sort.getCollation(),
        count(sort.offset, OF_SORT, builder),
        count(sort.fetch, OF_SORT, builder));
  }

  private static @Nullable RexNode count(
      @Nullable RexNode given, int user, RexBuilder builder) {
    if (given instanceof RexDynamicParam parameter && parameter.getIndex() < OF_LIMIT) {
      return builder.makeDynamicParam(parameter.getType(), user + parameter.getIndex());
    }
    BigDecimal number =
        given instanceof RexLiteral literal ? literal.getValueAs(BigDecimal.class) : null;
    return number == null || number.compareTo(BigDecimal.valueOf(most(user))) <= 0
        ? given
        : builder.makeExactLiteral(BigDecimal.valueOf(most(user)));
  }

  private static int most(int user) {
    return user >= OF_SORT ? MOST_OF_SORT : Integer.MAX_VALUE;
  }

  /** The value of a parameter by its number in generated code. */
  static @Nullable Object value(int number, IntFunction<@Nullable Object> parameters) {
    if (number < OF_LIMIT) {
      return parameters.apply(number);
    }
    Object value = parameters.apply(number % OF_LIMIT);
    if (!(value instanceof Number count) || count.longValue() < 0) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          "LIMIT or OFFSET is not a whole number from 0: value=" + value + "; give such a number");
    }
    return (int) Math.min(count.longValue(), most(number));
  }
}
