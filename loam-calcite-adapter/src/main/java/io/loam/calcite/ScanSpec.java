package io.loam.calcite;

import io.loam.CollectionName;
import io.loam.column.Predicate;
import io.loam.column.SortKey;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.query.Aggregation;
import io.loam.query.OutputColumn;
import io.loam.query.Search;
import io.loam.query.SearchRequest;
import io.loam.query.VersionSpec;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Limits;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.calcite.DataContext;

/**
 * All that is pushed into one {@link LoamScan}: a {@link SearchRequest} short of its parameters'
 * values. Immutable.
 *
 * @param output the columns, in order; not used with {@code grouping}
 * @param grouping whether the rows of the result are groups of rows instead
 */
record ScanSpec(
    CollectionName collection,
    VersionSpec version,
    CollectionSchema schema,
    Optional<ScanSearch> search,
    Optional<PredicatePlan> filter,
    List<OutputColumn> output,
    List<SortKey> sort,
    Optional<Operand> offset,
    Optional<Operand> limit,
    Optional<Grouping> grouping) {
  ScanSpec {
    output = List.copyOf(output);
    sort = List.copyOf(sort);
  }

  static ScanSpec of(LoamTable table, List<OutputColumn> output) {
    return new ScanSpec(
        table.name(),
        table.version(),
        table.schema(),
        Optional.empty(),
        Optional.empty(),
        output,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  ScanSpec withSearch(ScanSearch ranked) {
    return new ScanSpec(
        collection,
        version,
        schema,
        Optional.of(ranked),
        filter,
        output,
        sort,
        offset,
        limit,
        grouping);
  }

  /** Keeps only rows that the condition is true for, too. */
  ScanSpec withFilter(PredicatePlan condition) {
    PredicatePlan all = filter.map(f -> f.and(condition)).orElse(condition);
    return new ScanSpec(
        collection,
        version,
        schema,
        search,
        Optional.of(all),
        output,
        sort,
        offset,
        limit,
        grouping);
  }

  ScanSpec withOutput(List<OutputColumn> columns) {
    return new ScanSpec(
        collection, version, schema, search, filter, columns, sort, offset, limit, grouping);
  }

  ScanSpec withSort(List<SortKey> keys, Optional<Operand> skip, Optional<Operand> most) {
    return new ScanSpec(
        collection, version, schema, search, filter, output, keys, skip, most, grouping);
  }

  /** Gives the groups of the rows instead of the rows. */
  ScanSpec withAggregation(Aggregation groups) {
    return new ScanSpec(
        collection,
        version,
        schema,
        search,
        filter,
        output,
        sort,
        offset,
        limit,
        Optional.of(new Grouping(groups, Optional.empty())));
  }

  /** Gives the groups in an order, or some of them. */
  ScanSpec withGroupOrder(GroupOrder order) {
    return new ScanSpec(
        collection,
        version,
        schema,
        search,
        filter,
        output,
        sort,
        offset,
        limit,
        grouping.map(g -> new Grouping(g.aggregation(), Optional.of(order))));
  }

  /**
   * Groups of rows.
   *
   * @param order none for any order and all groups
   */
  record Grouping(Aggregation aggregation, Optional<GroupOrder> order) {}

  /** What is computed of groups, if the result are groups. */
  Optional<Aggregation> aggregation() {
    return grouping.map(Grouping::aggregation);
  }

  Optional<GroupOrder> groupOrder() {
    return grouping.flatMap(Grouping::order);
  }

  boolean limited() {
    return offset.isPresent() || limit.isPresent();
  }

  /** The request with the statement's parameters in it. */
  SearchRequest bind(DataContext context) {
    long skip = offset.map(o -> o.count(context, "OFFSET")).orElse(0L);
    OptionalLong most =
        limit.map(l -> OptionalLong.of(l.count(context, "LIMIT"))).orElse(OptionalLong.empty());
    Optional<Predicate> condition = filter.map(f -> f.bind(context));
    if (search.isPresent() && search.get() instanceof Ranking ranking) {
      Search ranked = ranking.bind(context, neededRows(skip, most), condition);
      return new SearchRequest(Optional.of(ranked), Optional.empty(), output, sort, skip, most);
    }
    if (search.isPresent() && skip + most.orElse(0) > Limits.MAX_K && skip > 0) {
      throw new LoamException(
          ErrorCode.LIMIT_EXCEEDED,
          "OFFSET + LIMIT of a search is too large: offset="
              + skip
              + ", limit="
              + most.orElse(0)
              + ", most="
              + Limits.MAX_K
              + "; ask for fewer rows");
    }
    return new SearchRequest(
        search.map(s -> ((SearchCall) s).bind(context, schema)),
        condition,
        output,
        sort,
        skip,
        most);
  }

  /** How many of the best rows the request needs; all of them if it sorts them otherwise. */
  private int neededRows(long skip, OptionalLong most) {
    if (!sort.isEmpty() || most.isEmpty() || grouping.isPresent()) {
      return Integer.MAX_VALUE;
    }
    long rows = Math.min(skip, Integer.MAX_VALUE) + Math.min(most.getAsLong(), Integer.MAX_VALUE);
    return (int) Math.max(1, Math.min(rows, Integer.MAX_VALUE));
  }

  /** The output columns' names, as EXPLAIN shows them. */
  List<String> outputNames() {
    return output.stream().map(this::name).toList();
  }

  private String name(OutputColumn column) {
    return switch (column.kind()) {
      case FIELD -> schema.field(column.number()).name();
      case LEG_SCORE -> "_score_" + column.number();
      case RANK -> "_rank_" + column.number();
      case SCORE, DISTANCE, SOURCE, ROW_ID, VERSION ->
          "_" + column.kind().name().toLowerCase(Locale.ROOT);
    };
  }

  /** The groups' columns and values, as EXPLAIN shows them. */
  String aggregationText() {
    return String.join(", ", groupColumns());
  }

  private List<String> groupColumns() {
    return aggregation().stream()
        .flatMap(
            a ->
                Stream.concat(
                    a.groupFields().stream().map(f -> schema.field(f).name()),
                    a.calls().stream().map(this::text)))
        .toList();
  }

  /** The order of groups, as SQL writes it. */
  String groupOrderText() {
    return groupOrder().map(order -> order.text(groupColumns())).orElse("");
  }

  private String text(Aggregation.Call call) {
    return switch (call.function()) {
      case COUNT_ROWS -> "count(*)";
      case COUNT_DISTINCT -> "count(DISTINCT " + schema.field(call.fieldNumber()).name() + ")";
      case COUNT, SUM, WIDE_SUM, MIN, MAX ->
          call.function().name().toLowerCase(Locale.ROOT)
              + "("
              + schema.field(call.fieldNumber()).name()
              + ")";
    };
  }

  /** The sort, as SQL writes it. */
  String sortText() {
    return sort.stream()
        .map(
            key ->
                schema.field(key.fieldNumber()).name()
                    + (key.descending() ? " DESC" : "")
                    + (key.nullsFirst() ? " NULLS FIRST" : ""))
        .collect(Collectors.joining(", "));
  }
}
