package io.loam.query;

import io.loam.column.Predicate;
import io.loam.column.SortKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * All that is pushed down into one read of one collection: the one object that the SQL layer hands
 * to core.
 *
 * <p>Rows come from {@code search}, best first, or from a scan of all documents. {@code filter}
 * then keeps the rows for which it is true (after the search's k), {@code sort} orders them (a
 * search's order and, within equal sort keys, key order otherwise), and {@code offset} and {@code
 * limit} cut them.
 *
 * @param output the result's columns, in order
 * @param sort empty for the search's order, or for a scan's unspecified one
 */
public record SearchRequest(
    Optional<Search> search,
    Optional<Predicate> filter,
    List<OutputColumn> output,
    List<SortKey> sort,
    long offset,
    OptionalLong limit) {
  public SearchRequest {
    output = List.copyOf(output);
    sort = List.copyOf(sort);
  }

  /** A scan of all documents. */
  public static SearchRequest scan(List<OutputColumn> output) {
    return new SearchRequest(
        Optional.empty(), Optional.empty(), output, List.of(), 0, OptionalLong.empty());
  }

  /** A search without anything on top. */
  public static SearchRequest search(Search search, List<OutputColumn> output) {
    return new SearchRequest(
        Optional.of(search), Optional.empty(), output, List.of(), 0, OptionalLong.empty());
  }

  public SearchRequest withFilter(Predicate predicate) {
    return new SearchRequest(search, Optional.of(predicate), output, sort, offset, limit);
  }

  public SearchRequest withSort(List<SortKey> keys, long skip, OptionalLong most) {
    return new SearchRequest(search, filter, output, keys, skip, most);
  }
}
