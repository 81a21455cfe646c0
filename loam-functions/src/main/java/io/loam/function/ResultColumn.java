package io.loam.function;

import io.loam.query.OutputColumn;

/** A column that a search adds to the collection's own: its SQL name and what fills it. */
public record ResultColumn(String name, OutputColumn source) {
  static final ResultColumn SCORE =
      new ResultColumn("_score", OutputColumn.of(OutputColumn.Kind.SCORE));
  static final ResultColumn DISTANCE =
      new ResultColumn("_distance", OutputColumn.of(OutputColumn.Kind.DISTANCE));

  static ResultColumn rank(int leg) {
    return new ResultColumn("_rank_" + leg, new OutputColumn(OutputColumn.Kind.RANK, leg));
  }

  static ResultColumn score(int leg) {
    return new ResultColumn("_score_" + leg, new OutputColumn(OutputColumn.Kind.LEG_SCORE, leg));
  }
}
