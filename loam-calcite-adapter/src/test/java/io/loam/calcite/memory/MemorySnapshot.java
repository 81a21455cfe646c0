package io.loam.calcite.memory;

import io.loam.column.SortKey;
import io.loam.query.Aggregation;
import io.loam.query.BatchCursor;
import io.loam.query.OutputColumn;
import io.loam.query.QueryProfile;
import io.loam.query.RowBatch;
import io.loam.query.Search;
import io.loam.query.SearchRequest;
import io.loam.query.Snapshot;
import io.loam.query.VectorStrategy;
import io.loam.schema.CollectionSchema;
import io.loam.schema.TypeKind;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A version of a collection in memory. */
final class MemorySnapshot implements Snapshot {
  private final long version;
  private final CollectionSchema schema;
  private final List<MemoryRow> rows;
  private final AtomicInteger open;
  private boolean closed;

  MemorySnapshot(long version, CollectionSchema schema, List<MemoryRow> rows, AtomicInteger open) {
    this.version = version;
    this.schema = schema;
    this.rows = rows;
    this.open = open;
    open.incrementAndGet();
  }

  @Override
  public long version() {
    return version;
  }

  @Override
  public CollectionSchema schema() {
    return schema;
  }

  @Override
  public long liveDocuments() {
    return rows.size();
  }

  @Override
  public VectorStrategy strategy(Search.Vector search) {
    return new VectorStrategy(VectorStrategy.Way.EXACT, "rows in memory");
  }

  @Override
  public BatchCursor query(SearchRequest request, QueryProfile profile) {
    List<RowBatch> batches = new ArrayList<>();
    List<MemoryHit> hits = hits(request);
    for (int from = 0; from < hits.size(); from += 3) {
      batches.add(batch(request, hits.subList(from, Math.min(hits.size(), from + 3))));
    }
    return new BatchCursor() {
      private int next;

      @Override
      public @Nullable RowBatch next() {
        if (closed) {
          throw new IllegalStateException("snapshot is closed");
        }
        return next < batches.size() ? batches.get(next++) : null;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public RowBatch aggregate(SearchRequest request, Aggregation aggregation, QueryProfile profile) {
    Map<List<@Nullable Object>, List<MemoryRow>> groups = new LinkedHashMap<>();
    if (aggregation.groupFields().isEmpty()) {
      groups.put(List.of(), new ArrayList<>());
    }
    for (MemoryHit hit : hits(request)) {
      List<@Nullable Object> key = new ArrayList<>();
      aggregation.groupFields().forEach(f -> key.add(value(OutputColumn.field(f), hit)));
      groups.computeIfAbsent(key, k -> new ArrayList<>()).add(hit.row());
    }
    List<@Nullable Object[]> result = new ArrayList<>();
    groups.forEach(
        (key, members) -> {
          List<@Nullable Object> row = new ArrayList<>(key);
          aggregation.calls().forEach(call -> row.add(call(call, members)));
          result.add(row.toArray());
        });
    int width = aggregation.groupFields().size() + aggregation.calls().size();
    List<RowBatch.Values> columns = new ArrayList<>();
    for (int column = 0; column < width; column++) {
      int at = column;
      columns.add(values(result.stream().map(row -> row[at]).toArray()));
    }
    return new RowBatch(result.size(), columns);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private @Nullable Object call(Aggregation.Call call, List<MemoryRow> members) {
    if (call.function() == Aggregation.Function.COUNT_ROWS) {
      return (long) members.size();
    }
    int position = schema.position(call.fieldNumber());
    List<Comparable> values = new ArrayList<>();
    for (MemoryRow row : members) {
      if (row.values()[position] instanceof Comparable value) {
        values.add(value);
      }
    }
    if (call.function() == Aggregation.Function.COUNT) {
      return (long) values.size();
    }
    if (call.function() == Aggregation.Function.COUNT_DISTINCT) {
      return values.stream().distinct().count();
    }
    if (values.isEmpty()) {
      return null;
    }
    return switch (call.function()) {
      case SUM -> sum(schema.field(call.fieldNumber()).kind(), values);
      case WIDE_SUM ->
          values.stream()
              .map(v -> new BigDecimal(v.toString()))
              .reduce(BigDecimal::add)
              .orElseThrow();
      case MIN -> values.stream().min(Comparator.naturalOrder()).orElseThrow();
      case MAX -> values.stream().max(Comparator.naturalOrder()).orElseThrow();
      case COUNT, COUNT_ROWS, COUNT_DISTINCT -> throw new IllegalStateException();
    };
  }

  @SuppressWarnings("rawtypes")
  private static Object sum(TypeKind kind, List<Comparable> values) {
    return switch (kind) {
      case DECIMAL ->
          values.stream().map(v -> (BigDecimal) v).reduce(BigDecimal::add).orElseThrow();
      case DOUBLE, REAL -> values.stream().mapToDouble(v -> ((Number) v).doubleValue()).sum();
      default -> values.stream().mapToLong(v -> ((Number) v).longValue()).sum();
    };
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      open.decrementAndGet();
    }
  }

  private List<MemoryHit> hits(SearchRequest request) {
    MemorySearch search = new MemorySearch(schema, rows);
    List<MemoryHit> hits =
        request
            .search()
            .map(search::run)
            .orElseGet(() -> rows.stream().map(r -> new MemoryHit(r, 0, 0, List.of())).toList());
    hits =
        hits.stream()
            .filter(
                hit ->
                    request
                        .filter()
                        .map(f -> Objects.equals(MemoryPredicate.test(f, schema, hit.row()), true))
                        .orElse(true))
            .toList();
    Comparator<MemoryHit> order = null;
    for (SortKey key : request.sort()) {
      order = order == null ? comparator(key) : order.thenComparing(comparator(key));
    }
    return (order == null ? hits.stream() : hits.stream().sorted(order))
        .skip(request.offset())
        .limit(request.limit().orElse(Long.MAX_VALUE))
        .toList();
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private Comparator<MemoryHit> comparator(SortKey key) {
    int position = schema.position(key.fieldNumber());
    Comparator<Comparable> values =
        key.descending() ? Comparator.reverseOrder() : Comparator.naturalOrder();
    Comparator<Comparable> nulls =
        key.nullsFirst() ? Comparator.nullsFirst(values) : Comparator.nullsLast(values);
    return (a, b) ->
        nulls.compare(
            (Comparable) a.row().values()[position], (Comparable) b.row().values()[position]);
  }

  private RowBatch batch(SearchRequest request, List<MemoryHit> hits) {
    return new RowBatch(
        hits.size(),
        request.output().stream()
            .map(c -> values(hits.stream().map(hit -> value(c, hit)).toArray()))
            .toList());
  }

  private @Nullable Object value(OutputColumn column, MemoryHit hit) {
    return switch (column.kind()) {
      case FIELD -> hit.row().values()[schema.position(column.number())];
      case SCORE -> hit.score();
      case DISTANCE -> hit.distance();
      case RANK -> hit.legs().get(column.number() - 1).rank();
      case LEG_SCORE -> hit.legs().get(column.number() - 1).score();
      case SOURCE -> Arrays.toString(hit.row().values());
      case ROW_ID -> hit.row().rowId();
      case VERSION -> version;
    };
  }

  private static RowBatch.Values values(@Nullable Object[] values) {
    return new RowBatch.Values() {
      @Override
      public boolean isNull(int row) {
        return values[row] == null;
      }

      @Override
      public long getLong(int row) {
        Object value = values[row];
        if (value instanceof Boolean b) {
          return b ? 1 : 0;
        }
        if (value instanceof LocalDate date) {
          return date.toEpochDay();
        }
        if (value instanceof LocalDateTime time) {
          return ChronoUnit.MICROS.between(LocalDate.EPOCH.atStartOfDay(), time);
        }
        return ((Number) Objects.requireNonNull(value)).longValue();
      }

      @Override
      public double getDouble(int row) {
        return ((Number) Objects.requireNonNull(values[row])).doubleValue();
      }

      @Override
      public @Nullable Object get(int row) {
        return values[row];
      }
    };
  }
}
