package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.rex.RexWindowBounds;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Windows whose RANGE counts from a key, as generated code can run them: it counts upwards only,
 * adds milliseconds to days, and cannot count from NULL.
 */
final class RangeFrames {
  private RangeFrames() {}

  /** What a window consists of. */
  record Frame(
      SqlAggFunction function,
      List<RexNode> partition,
      List<RexFieldCollation> order,
      RexWindowBound lower,
      RexWindowBound upper) {}

  static Frame of(Frame frame, RexWindow window, RexBuilder rexBuilder) {
    boolean counts = !window.isRows() && (isOffset(frame.lower) || isOffset(frame.upper));
    if (!counts || frame.order.size() != 1) {
      return frame;
    }
    return withoutNulls(upwards(timestamps(frame, rexBuilder)), rexBuilder);
  }

  private static boolean isOffset(RexWindowBound bound) {
    return bound.getOffset() != null;
  }

  private static Frame by(Frame frame, RexNode key) {
    RexFieldCollation order = new RexFieldCollation(key, frame.order.get(0).right);
    return new Frame(frame.function, frame.partition, List.of(order), frame.lower, frame.upper);
  }

  /** Days become times, to which intervals can be added. */
  private static Frame timestamps(Frame frame, RexBuilder rexBuilder) {
    RexNode key = frame.order.get(0).left;
    if (key.getType().getSqlTypeName() != SqlTypeName.DATE) {
      return frame;
    }
    RelDataType timestamp =
        rexBuilder
            .getTypeFactory()
            .createTypeWithNullability(
                rexBuilder.getTypeFactory().createSqlType(SqlTypeName.TIMESTAMP),
                key.getType().isNullable());
    return by(frame, rexBuilder.makeCast(timestamp, key));
  }

  /** What follows in falling order precedes in rising order. */
  private static Frame upwards(Frame frame) {
    RexFieldCollation order = frame.order.get(0);
    if (!order.getDirection().isDescending()) {
      return frame;
    }
    return new Frame(
        mirrored(frame.function),
        frame.partition,
        List.of(new RexFieldCollation(order.left, Set.of())),
        mirrored(frame.upper),
        mirrored(frame.lower));
  }

  private static SqlAggFunction mirrored(SqlAggFunction function) {
    return switch (function.getKind()) {
      case SUM, SUM0, COUNT, MIN, MAX, AVG, ANY_VALUE, OTHER_FUNCTION -> function;
      case FIRST_VALUE -> SqlStdOperatorTable.LAST_VALUE;
      case LAST_VALUE -> SqlStdOperatorTable.FIRST_VALUE;
      default ->
          throw new LoamException(
              ErrorCode.UNSUPPORTED,
              "function is not supported where RANGE counts in falling order: function="
                  + function.getName()
                  + "; order by the negated key, or use ROWS");
    };
  }

  private static RexWindowBound mirrored(RexWindowBound bound) {
    if (bound.isCurrentRow()) {
      return bound;
    }
    RexNode offset = bound.getOffset();
    if (offset == null) {
      return bound.isPreceding()
          ? RexWindowBounds.UNBOUNDED_FOLLOWING
          : RexWindowBounds.UNBOUNDED_PRECEDING;
    }
    return bound.isPreceding()
        ? RexWindowBounds.following(offset)
        : RexWindowBounds.preceding(offset);
  }

  /**
   * Rows with NULL see each other and nobody else does: they become a partition of their own, in
   * which all have one key. Not where the frame has no end on one side, so that it may hold them,
   * too, or leaves the row itself out.
   */
  private static Frame withoutNulls(Frame frame, RexBuilder rexBuilder) {
    RexNode key = frame.order.get(0).left;
    boolean ends = !frame.lower.isUnbounded() && !frame.upper.isUnbounded();
    boolean holdsRow = !frame.lower.isFollowing() && !frame.upper.isPreceding();
    if (!key.getType().isNullable() || !ends || !holdsRow) {
      return frame;
    }
    List<RexNode> partition = new ArrayList<>(frame.partition);
    partition.add(rexBuilder.makeCall(SqlStdOperatorTable.IS_NULL, key));
    RexNode value = rexBuilder.makeNotNull(key);
    RexNode present =
        rexBuilder.makeCall(
            SqlStdOperatorTable.CASE,
            rexBuilder.makeCall(SqlStdOperatorTable.IS_NOT_NULL, key),
            value,
            rexBuilder.makeZeroLiteral(value.getType()));
    Frame apart = new Frame(frame.function, partition, frame.order, frame.lower, frame.upper);
    return by(apart, present);
  }
}
