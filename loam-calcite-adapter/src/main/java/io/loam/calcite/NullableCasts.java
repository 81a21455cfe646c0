package io.loam.calcite;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlKind;

/**
 * Makes casts of what may be NULL to what may not be give NULL all the same. Calcite casts so where
 * a condition such as that of COALESCE keeps NULL out, but then simplifies the condition away; the
 * generated code takes NULL for zero.
 */
final class NullableCasts extends RexShuttle {
  private final RexBuilder rexBuilder;

  NullableCasts(RexBuilder rexBuilder) {
    this.rexBuilder = rexBuilder;
  }

  /** The expression, with the type that it had. */
  static RexNode correct(RexNode expression, RexBuilder rexBuilder) {
    RexNode corrected = expression.accept(new NullableCasts(rexBuilder));
    return corrected.getType().equals(expression.getType())
        ? corrected
        : rexBuilder.makeAbstractCast(expression.getType(), corrected, false);
  }

  @Override
  public RexNode visitCall(RexCall call) {
    RexNode visited = super.visitCall(call);
    if (!(visited instanceof RexCall corrected)) {
      return visited;
    }
    List<RexNode> operands = corrected.getOperands();
    boolean castsNull =
        call.getKind() == SqlKind.CAST
            && !call.getType().isNullable()
            && operands.get(0).getType().isNullable();
    if (!castsNull && operands.equals(call.getOperands())) {
      return call;
    }
    if (isNeverNull(call.getKind())) {
      return corrected;
    }
    RelDataType nullable =
        rexBuilder.getTypeFactory().createTypeWithNullability(call.getType(), true);
    return castsNull && operands.get(0).getType().equals(nullable)
        ? operands.get(0)
        : corrected.clone(nullable, operands);
  }

  private static boolean isNeverNull(SqlKind kind) {
    return switch (kind) {
      case IS_NULL,
          IS_NOT_NULL,
          IS_TRUE,
          IS_NOT_TRUE,
          IS_FALSE,
          IS_NOT_FALSE,
          IS_DISTINCT_FROM,
          IS_NOT_DISTINCT_FROM ->
          true;
      default -> false;
    };
  }
}
