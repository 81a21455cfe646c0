package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.query.OutputColumn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.jspecify.annotations.Nullable;

/**
 * Makes a scan a ranked search where an operator above it asks for {@code score()}: the conditions
 * of {@code match} that rows must meet move into the scan, whose score the call becomes.
 */
final class ScoreBinding {
  /** Conditions that have moved. */
  private final Set<RexNode> moved = Collections.newSetFromMap(new IdentityHashMap<>());

  private final List<MatchQuery> queries = new ArrayList<>();
  private @Nullable LoamScan target;

  private ScoreBinding() {}

  /** The operator with its scores bound, or itself if it asks for none. */
  static RelNode bind(RelNode rel) {
    boolean[] asked = {false};
    rel.accept(
        new RexShuttle() {
          @Override
          public RexNode visitCall(RexCall call) {
            asked[0] |= call.getOperator().equals(TextFunctions.SCORE);
            return super.visitCall(call);
          }
        });
    return asked[0] ? new ScoreBinding().bound(rel) : rel;
  }

  private RelNode bound(RelNode rel) {
    if (!(rel instanceof Filter) && !(rel instanceof Project)) {
      throw error("score() stands where it has no row; put it in SELECT, WHERE or ORDER BY");
    }
    RelNode source = rel instanceof Filter ? rel : rel.getInput(0);
    collect(source);
    LoamScan scan = target == null ? rankedBefore(source) : target;
    if (scan == null || scorePlace(source, scan) < 0) {
      throw error(
          "score() has no match(column, query) of a table's own column among the conditions that"
              + " rows must meet; add one to WHERE of the same SELECT");
    }
    if (scan.spec().search().map(SearchCall.class::isInstance).orElse(false)) {
      throw error("score() of a search function's rows; name its column _score instead");
    }
    RelNode ranked = queries.isEmpty() ? source : ranked(source, scan);
    RexNode score = rel.getCluster().getRexBuilder().makeInputRef(ranked, scorePlace(source, scan));
    RelNode scored = rel instanceof Filter ? ranked : rel.copy(rel.getTraitSet(), List.of(ranked));
    return scored.accept(
        new RexShuttle() {
          @Override
          public RexNode visitCall(RexCall call) {
            return call.getOperator().equals(TextFunctions.SCORE) ? score : super.visitCall(call);
          }
        });
  }

  /** The scan that a filter's own call of {@code score()} has ranked already. */
  private static @Nullable LoamScan rankedBefore(RelNode source) {
    if (source instanceof LoamScan scan) {
      return scan.spec().search().map(MatchRanking.class::isInstance).orElse(false) ? scan : null;
    }
    if (source instanceof Filter || source instanceof Join) {
      for (RelNode input : source.getInputs()) {
        LoamScan found = rankedBefore(input);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  /** Collects the conditions of a source's filters. */
  private void collect(RelNode source) {
    if (source instanceof Filter filter) {
      RelOptUtil.conjunctions(filter.getCondition())
          .forEach(condition -> collect(filter, condition));
      collect(filter.getInput());
    } else if (source instanceof Join join) {
      collect(join.getLeft());
      if (join.getJoinType().projectsRight()) {
        collect(join.getRight());
      }
    }
  }

  private void collect(Filter filter, RexNode condition) {
    Set<LoamScan> scans = Collections.newSetFromMap(new IdentityHashMap<>());
    Optional<MatchQuery> query =
        MatchQuery.of(
            condition,
            node -> {
              Optional<ColumnOrigins.Origin> origin = ColumnOrigins.ofInput(filter, node);
              origin.ifPresent(o -> scans.add(o.scan()));
              return origin.map(ColumnOrigins.Origin::field);
            });
    if (query.isEmpty()) {
      return;
    }
    if (target != null) {
      scans.add(target);
    }
    if (scans.size() > 1) {
      throw error(
          "score() is ambiguous, since several tables have conditions of match; use bm25 in FROM,"
              + " which gives each its own _score");
    }
    LoamScan scan = scans.iterator().next();
    target = scan;
    queries.add(query.get());
    if (isSameBelow(filter.getInput(), scan)) {
      moved.add(condition);
    }
  }

  /** Whether a scan without some rows is all it takes to filter these from the source. */
  private static boolean isSameBelow(RelNode source, LoamScan scan) {
    if (source instanceof Filter filter) {
      return isSameBelow(filter.getInput(), scan);
    }
    if (source instanceof Join join) {
      return scorePlace(join.getLeft(), scan) >= 0
          ? !join.getJoinType().generatesNullsOnLeft() && isSameBelow(join.getLeft(), scan)
          : !join.getJoinType().generatesNullsOnRight() && isSameBelow(join.getRight(), scan);
    }
    return true;
  }

  /** The source with the ranked scan in it and without the conditions that have moved. */
  private RelNode ranked(RelNode source, LoamScan scan) {
    if (source == scan) {
      return scan.ranking(new MatchRanking(MatchQuery.and(queries)));
    }
    if (source instanceof Filter filter) {
      RexBuilder rexBuilder = filter.getCluster().getRexBuilder();
      List<RexNode> rest = new ArrayList<>(RelOptUtil.conjunctions(filter.getCondition()));
      rest.removeIf(moved::contains);
      RelNode input = ranked(filter.getInput(), scan);
      return rest.isEmpty()
          ? input
          : filter.copy(filter.getTraitSet(), input, RexUtil.composeConjunction(rexBuilder, rest));
    }
    return source instanceof Join join
        ? join.copy(
            join.getTraitSet(),
            List.of(ranked(join.getLeft(), scan), ranked(join.getRight(), scan)))
        : source;
  }

  /** Where the scan's score stands in the source's rows; negative where it does not. */
  private static int scorePlace(RelNode source, LoamScan scan) {
    if (source == scan) {
      return scan.spec().output().indexOf(OutputColumn.of(OutputColumn.Kind.SCORE));
    }
    if (!(source instanceof Filter) && !(source instanceof Join)) {
      return -1;
    }
    int offset = 0;
    for (RelNode input : source.getInputs()) {
      int place = scorePlace(input, scan);
      if (place >= 0) {
        return offset + place;
      }
      offset += input.getRowType().getFieldCount();
    }
    return -1;
  }

  private static LoamException error(String problem) {
    return new LoamException(ErrorCode.INVALID_ARGUMENT, problem);
  }
}
