package io.loam.query;

import io.loam.column.Column;
import io.loam.column.KeywordOrdinals;
import io.loam.doc.DocSet;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.leaf.Leaf;
import io.loam.schema.SchemaBuilder;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the groups of leaves, one leaf after the other. Whole numbers of all kinds, booleans and
 * dates are longs here. No result depends on which leaf holds which documents, nor on which of
 * several aggregators that are merged in the end.
 */
final class Aggregator {
  private final Aggregation aggregation;
  private final IntFunction<OptionalInt> scales;
  private final Groups groups;

  /** All documents of each group; counted if a call asks for it. */
  private final GroupValue.Counts rows = new GroupValue.Counts();

  private final boolean isRowsCounted;

  /** By call; for {@code COUNT} those documents that have no value. */
  private final List<GroupValue> values;

  /**
   * @param scales digits after the point of a decimal field, by number; none for other fields
   * @param ordinals of the leaves' keywords, by field, where they are known
   */
  Aggregator(
      Aggregation aggregation,
      IntFunction<OptionalInt> scales,
      Map<Integer, KeywordOrdinals> ordinals) {
    this.aggregation = aggregation;
    this.scales = scales;
    this.groups = new Groups(aggregation.groupFields(), ordinals);
    this.isRowsCounted = aggregation.calls().stream().anyMatch(call -> isCount(call.function()));
    this.values =
        aggregation.calls().stream()
            .map(
                call ->
                    isCount(call.function())
                        ? new GroupValue.Counts()
                        : GroupValue.of(call.function()))
            .toList();
  }

  /** Adds some documents of each leaf. */
  void addAll(List<Leaf> leaves, List<DocSet> docs) {
    for (int leaf = 0; leaf < leaves.size(); leaf++) {
      if (docs.get(leaf).cardinality() > 0) {
        add(leaf, leaves.get(leaf), docs.get(leaf));
      }
    }
  }

  /** How many rows have to be looked at: none of leaves whose dictionaries tell all. */
  static long rowsToScan(Aggregation aggregation, List<Leaf> leaves, List<DocSet> docs) {
    long rows = 0;
    for (int i = 0; i < leaves.size(); i++) {
      Leaf leaf = leaves.get(i);
      DocSet set = docs.get(i);
      boolean known =
          aggregation.groupFields().isEmpty()
              && aggregation.calls().stream()
                  .allMatch(call -> dictionary(aggregation, call, leaf, set).isPresent());
      rows += known ? 0 : set.cardinality();
    }
    return rows;
  }

  /** The column whose dictionary has just the values that a call counts, if there is one. */
  private static Optional<Column.Keywords> dictionary(
      Aggregation aggregation, Aggregation.Call call, Leaf leaf, DocSet docs) {
    return call.function() == Aggregation.Function.COUNT_DISTINCT
            && aggregation.groupFields().isEmpty()
            && docs.isAll()
        ? leaf.column(call.fieldNumber())
            .filter(Column.Keywords.class::isInstance)
            .map(Column.Keywords.class::cast)
        : Optional.empty();
  }

  private void add(int number, Leaf leaf, DocSet docs) {
    groups.begin(number, leaf);
    List<GroupValue> ofAll = new ArrayList<>();
    List<GroupValue> ofPresent = new ArrayList<>();
    List<GroupValue> ofMissing = new ArrayList<>();
    if (isRowsCounted) {
      ofAll.add(rows);
    }
    for (int i = 0; i < values.size(); i++) {
      Aggregation.Call call = aggregation.calls().get(i);
      GroupValue value = values.get(i);
      Optional<Column.Keywords> dictionary = dictionary(aggregation, call, leaf, docs);
      Optional<Column> column =
          call.function() == Aggregation.Function.COUNT_ROWS
              ? Optional.empty()
              : leaf.column(call.fieldNumber());
      if (dictionary.isPresent()) {
        ((DistinctCounts) value).addWhole(dictionary.get());
      } else if (column.isPresent()) {
        value.begin(column.get());
        boolean hasNulls = hasNulls(column.get());
        if (call.function() != Aggregation.Function.COUNT) {
          (hasNulls ? ofPresent : ofAll).add(value);
        } else if (hasNulls) {
          ofMissing.add(value);
        }
      } else if (call.function() == Aggregation.Function.COUNT) {
        ofAll.add(value);
      }
    }
    if (aggregation.groupFields().isEmpty() && ofAll.isEmpty() && ofPresent.isEmpty()) {
      return;
    }
    LeafGroups numbers = new LeafGroups(leaf, docs, aggregation.groupFields(), groups);
    numbers.forEachBlock(
        block -> {
          ofAll.forEach(value -> value.add(block, groups.count()));
          ofPresent.forEach(value -> value.addPresent(block, groups.count()));
          ofMissing.forEach(value -> value.addMissing(block, groups.count()));
        });
    ofAll.forEach(GroupValue::end);
    ofPresent.forEach(GroupValue::end);
  }

  private static boolean isCount(Aggregation.Function function) {
    return function == Aggregation.Function.COUNT_ROWS || function == Aggregation.Function.COUNT;
  }

  /** Adds what another one has added up. */
  void merge(Aggregator other) {
    int[] numbers = groups.adopt(other.groups);
    rows.merge(other.rows, numbers, groups.count());
    for (int i = 0; i < values.size(); i++) {
      values.get(i).merge(other.values.get(i), numbers, groups.count());
    }
  }

  private static boolean hasNulls(Column column) {
    return !(column instanceof Column.Longs longs && longs.nulls() == null)
        && !(column instanceof Column.Doubles doubles && doubles.nulls() == null)
        && !(column instanceof Column.Decimals decimals && decimals.nulls() == null);
  }

  /** A row for each group. */
  RowBatch rows() {
    List<RowBatch.Values> columns = new ArrayList<>();
    for (int place = 0; place < aggregation.groupFields().size(); place++) {
      int field = place;
      columns.add(column(group -> groups.value(group, field)));
    }
    for (int i = 0; i < values.size(); i++) {
      Aggregation.Call call = aggregation.calls().get(i);
      GroupValue value = values.get(i);
      columns.add(
          isCount(call.function())
              ? column(group -> rows.value(group) - ((GroupValue.Counts) value).value(group))
              : column(group -> result(call, value.value(group))));
    }
    return new RowBatch(groups.count(), columns);
  }

  private RowBatch.Values column(IntFunction<@Nullable Object> value) {
    @Nullable Object[] column = new Object[groups.count()];
    Arrays.setAll(column, value);
    return BatchValues.objects(column);
  }

  private @Nullable Object result(Aggregation.Call call, @Nullable Object value) {
    if (!(value instanceof BigInteger sum)) {
      return value;
    }
    if (call.function() == Aggregation.Function.WIDE_SUM) {
      return new BigDecimal(sum);
    }
    OptionalInt scale = scales.apply(call.fieldNumber());
    if (scale.isPresent()) {
      BigDecimal decimal = new BigDecimal(sum, scale.getAsInt());
      if (decimal.precision() > SchemaBuilder.MAX_DECIMAL_DIGITS) {
        throw new LoamException(
            ErrorCode.OUT_OF_RANGE,
            "sum has more digits than a DECIMAL: sum="
                + decimal
                + ", most="
                + SchemaBuilder.MAX_DECIMAL_DIGITS
                + "; sum CAST(... AS DOUBLE) instead");
      }
      return decimal;
    }
    if (sum.bitLength() >= Long.SIZE) {
      throw new LoamException(
          ErrorCode.OUT_OF_RANGE,
          "sum is out of BIGINT's range: sum=" + sum + "; sum CAST(... AS DECIMAL(38, 0)) instead");
    }
    return sum.longValue();
  }
}
