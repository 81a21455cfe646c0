package io.loam.calcite;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.calcite.adapter.enumerable.EnumerableCalc;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexProgram;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Sorts doubles by whole numbers that order as they do, since Calcite compares them as decimals,
 * which NaN and the infinities are not, and UUIDs in windows, which it does not compare at all.
 */
final class DoubleOrder {
  private DoubleOrder() {}

  /** A sort as it runs, with its keys in columns of their own below it, and these gone above. */
  static RelNode ofSort(Sort sort) {
    List<RelFieldCollation> keys = sort.getCollation().getFieldCollations();
    List<RelDataTypeField> fields = sort.getInput().getRowType().getFieldList();
    if (keys.stream().noneMatch(key -> isApproximate(fields.get(key.getFieldIndex()).getType()))) {
      return sort;
    }
    RexBuilder rexBuilder = sort.getCluster().getRexBuilder();
    List<RexNode> columns = columns(sort.getInput(), fields.size(), rexBuilder);
    RelDataTypeFactory.Builder row = rexBuilder.getTypeFactory().builder();
    row.addAll(fields);
    List<RelFieldCollation> ranks = new ArrayList<>();
    for (RelFieldCollation key : keys) {
      RexNode column = columns.get(key.getFieldIndex());
      if (isApproximate(column.getType())) {
        RexNode rank = rank(NumberFunctions.SORT_RANK, column, rexBuilder);
        ranks.add(key.withFieldIndex(columns.size()));
        row.add("rank" + columns.size(), rank.getType());
        columns.add(rank);
      } else {
        ranks.add(key);
      }
    }
    RelNode ranked =
        EnumerableCalc.create(
            sort.getInput(),
            RexProgram.create(
                sort.getInput().getRowType(), columns, null, row.build(), rexBuilder));
    RelCollation order = RelCollations.of(ranks);
    RelNode sorted =
        sort.copy(sort.getTraitSet().replace(order), ranked, order, sort.offset, sort.fetch);
    return EnumerableCalc.create(
        sorted,
        RexProgram.create(
            sorted.getRowType(),
            columns(sorted, fields.size(), rexBuilder),
            null,
            sort.getRowType(),
            rexBuilder));
  }

  /** Likewise the keys of a window's order; those that its frame counts from stay as they are. */
  static List<RexFieldCollation> ofWindow(RexWindow window, RexBuilder rexBuilder) {
    boolean counts =
        !window.isRows()
            && (window.getLowerBound().getOffset() != null
                || window.getUpperBound().getOffset() != null);
    return counts
        ? window.orderKeys
        : window.orderKeys.stream()
            .flatMap(
                key -> {
                  List<RexFieldCollation> ranks =
                      ranks(key.left.getType())
                          .map(r -> new RexFieldCollation(rank(r, key.left, rexBuilder), key.right))
                          .toList();
                  return ranks.isEmpty() ? Stream.of(key) : ranks.stream();
                })
            .toList();
  }

  /** The whole numbers that order as values of a type do, if generated code cannot order these. */
  private static Stream<SqlFunction> ranks(RelDataType type) {
    if (type.getSqlTypeName() == SqlTypeName.UUID) {
      return Stream.of(NumberFunctions.UUID_HIGH, NumberFunctions.UUID_LOW);
    }
    return isApproximate(type) ? Stream.of(NumberFunctions.RANK) : Stream.empty();
  }

  private static List<RexNode> columns(RelNode rel, int count, RexBuilder rexBuilder) {
    List<RexNode> columns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      columns.add(rexBuilder.makeInputRef(rel, i));
    }
    return columns;
  }

  private static RexNode rank(SqlFunction function, RexNode value, RexBuilder rexBuilder) {
    RelDataTypeFactory types = rexBuilder.getTypeFactory();
    return rexBuilder.makeCall(
        types.createTypeWithNullability(
            types.createSqlType(SqlTypeName.BIGINT), value.getType().isNullable()),
        function,
        List.of(value));
  }

  private static boolean isApproximate(RelDataType type) {
    return SqlTypeUtil.isApproximateNumeric(type);
  }
}
