package io.loam.calcite;

import io.loam.column.Predicate;
import io.loam.query.Search;
import java.util.Optional;
import org.apache.calcite.DataContext;

/** Rows whose text matches, by BM25. */
record MatchRanking(MatchQuery query) implements Ranking {

  @Override
  public Search bind(DataContext context, int k, Optional<Predicate> filter) {
    return new Search.Match(query.bind(context), k, filter);
  }

  @Override
  public String toString() {
    return query.text();
  }
}
