package io.loam.query;

import io.loam.column.Column;
import io.loam.doc.DocSet;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.leaf.Leaf;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds up the groups of all leaves. Whole numbers of all kinds are longs here. */
final class Aggregator {
  private final Aggregation aggregation;

  /** By group values, the calls' values so far. */
  private final Map<List<@Nullable Object>, @Nullable Object[]> groups = new LinkedHashMap<>();

  Aggregator(Aggregation aggregation) {
    this.aggregation = aggregation;
    if (aggregation.groupFields().isEmpty()) {
      groups.put(List.of(), none());
    }
  }

  private @Nullable Object[] none() {
    return aggregation.calls().stream()
        .map(
            call ->
                switch (call.function()) {
                  case COUNT_ROWS, COUNT -> 0L;
                  case SUM, MIN, MAX -> null;
                })
        .toArray();
  }

  void add(Leaf leaf, DocSet docs) {
    LeafGroups found = new LeafGroups(leaf, docs, aggregation.groupFields());
    List<@Nullable Object[]> values = aggregation.calls().stream().map(found::values).toList();
    for (int group = 0; group < found.count(); group++) {
      int doc = found.firstDoc(group);
      if (doc < 0) {
        continue;
      }
      @Nullable Object[] sofar = groups.computeIfAbsent(key(leaf, doc), key -> none());
      for (int call = 0; call < sofar.length; call++) {
        sofar[call] =
            both(aggregation.calls().get(call).function(), sofar[call], values.get(call)[group]);
      }
    }
  }

  private List<@Nullable Object> key(Leaf leaf, int doc) {
    @Nullable Object[] key = new Object[aggregation.groupFields().size()];
    for (int i = 0; i < key.length; i++) {
      Column column = leaf.column(aggregation.groupFields().get(i)).orElse(null);
      if (column instanceof Column.Longs longs) {
        key[i] = longs.isNull(doc) ? null : (Object) longs.values()[doc];
      } else {
        key[i] = column == null ? null : column.value(doc);
      }
    }
    return Arrays.asList(key);
  }

  private static @Nullable Object both(
      Aggregation.Function function, @Nullable Object a, @Nullable Object b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return switch (function) {
      case COUNT_ROWS, COUNT -> (long) a + (long) b;
      case SUM -> ((BigInteger) a).add((BigInteger) b);
      case MIN -> compare(a, b) <= 0 ? a : b;
      case MAX -> compare(a, b) >= 0 ? a : b;
    };
  }

  private static int compare(Object a, Object b) {
    return a instanceof String x ? x.compareTo((String) b) : Long.compare((long) a, (long) b);
  }

  /** A row for each group. */
  RowBatch rows() {
    int width = aggregation.groupFields().size() + aggregation.calls().size();
    List<RowBatch.Values> columns = new ArrayList<>();
    for (int column = 0; column < width; column++) {
      columns.add(BatchValues.objects(column(column)));
    }
    return new RowBatch(groups.size(), columns);
  }

  private @Nullable Object[] column(int column) {
    int call = column - aggregation.groupFields().size();
    @Nullable Object[] values = new Object[groups.size()];
    int row = 0;
    for (Map.Entry<List<@Nullable Object>, @Nullable Object[]> group : groups.entrySet()) {
      values[row++] = call < 0 ? group.getKey().get(column) : exact(group.getValue()[call]);
    }
    return values;
  }

  private static @Nullable Object exact(@Nullable Object value) {
    if (!(value instanceof BigInteger sum)) {
      return value;
    }
    if (sum.bitLength() >= Long.SIZE) {
      throw new LoamException(
          ErrorCode.OUT_OF_RANGE,
          "sum is out of BIGINT's range: sum=" + sum + "; sum CAST(... AS DECIMAL(38, 0)) instead");
    }
    return sum.longValue();
  }
}
