package io.loam.calcite;

import io.loam.column.Predicate;
import io.loam.query.Search;
import java.util.Optional;
import org.apache.calcite.DataContext;

/** Ranks all rows that a scan's filter lets through, so that the scan's limit is the search's. */
sealed interface Ranking extends ScanSearch permits MatchRanking, DistanceRanking {

  /** The search for the {@code k} best rows. */
  Search bind(DataContext context, int k, Optional<Predicate> filter);
}
