package io.loam.calcite;

import io.loam.calcite.parser.SqlMergeClause.Action;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.linq4j.tree.Types;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.tools.RelBuilder;

/**
 * Writes its input's rows to a collection as one commit and gives their number. Rows are the
 * fields' values, the row id, or both, as {@link Mode} says.
 */
final class LoamModify extends SingleRel implements EnumerableRel {
  private static final Method RUN =
      Types.lookupMethod(RowSink.class, "run", Enumerable.class, DataContext.class);

  /** What happens to a row. */
  enum Mode {
    /** Values of all fields. */
    INSERT,
    /** Values of all fields. */
    UPSERT,
    /** Values of all fields, then the row id. */
    UPDATE,
    /** As {@link MergeInsert} has them. */
    MERGE,
    /** The row id. */
    DELETE;

    /** Whether rows may name rows of the target. */
    boolean namesRowIds() {
      return this == UPDATE || this == MERGE || this == DELETE;
    }
  }

  private final LoamTable target;
  private final Mode mode;

  /** What the clauses of a MERGE do. */
  private final List<Action> actions;

  private LoamModify(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelNode input,
      LoamTable target,
      Mode mode,
      List<Action> actions) {
    super(cluster, traits, input);
    this.target = target;
    this.mode = mode;
    this.actions = actions;
  }

  /** UPSERT, of what Calcite takes for an INSERT. */
  static LoamModify upsert(TableModify insert) {
    return create(insert, Mode.UPSERT);
  }

  /** MERGE of rows as {@link Mode#MERGE} has them. */
  static LoamModify merge(LoamTable target, RelNode rows, List<Action> actions) {
    RelOptCluster cluster = rows.getCluster();
    return new LoamModify(
        cluster, cluster.traitSetOf(Convention.NONE), rows, target, Mode.MERGE, actions);
  }

  /** The modification that Calcite's node stands for, with the columns that it needs. */
  static LoamModify of(TableModify modify) {
    return switch (modify.getOperation()) {
      case INSERT -> create(modify, Mode.INSERT);
      case UPDATE -> create(modify, Mode.UPDATE);
      case DELETE -> create(modify, Mode.DELETE);
      case MERGE ->
          throw new LoamException(
              ErrorCode.INTERNAL, "MERGE was not rewritten; report this with the statement");
    };
  }

  private static LoamModify create(TableModify modify, Mode mode) {
    RelOptCluster cluster = modify.getCluster();
    LoamTable target = modify.getTable().unwrapOrThrow(LoamTable.class);
    RelNode input = modify.getInput();
    RexBuilder rexBuilder = cluster.getRexBuilder();
    List<RexNode> columns = new ArrayList<>();
    if (mode != Mode.DELETE) {
      int fields = target.schema().fields().size();
      int width = modify.getTable().getRowType().getFieldCount();
      int rowId =
          modify.getTable().getRowType().getFieldNames().indexOf(SystemColumns.ROW_ID.sqlName());
      for (int i = 0; i < fields; i++) {
        String name = modify.getTable().getRowType().getFieldNames().get(i);
        List<String> updated = modify.getUpdateColumnList();
        int update = updated == null ? -1 : updated.indexOf(name);
        columns.add(rexBuilder.makeInputRef(input, update < 0 ? i : width + update));
      }
      if (mode == Mode.UPDATE) {
        columns.add(rexBuilder.makeInputRef(input, rowId));
      }
      input = withoutCasts(input, columns, target.schema().fields());
    }
    return new LoamModify(
        cluster, cluster.traitSetOf(Convention.NONE), input, target, mode, List.of());
  }

  /** The columns of the input, without casts that are left to {@link RowSink}. */
  private static RelNode withoutCasts(RelNode input, List<RexNode> columns, List<Field> fields) {
    RelNode source = input;
    List<RexNode> values = columns;
    while (source instanceof Project project && project.getVariablesSet().isEmpty()) {
      List<RexNode> merged =
          RelOptUtil.pushPastProjectUnlessBloat(values, project, RelBuilder.Config.DEFAULT.bloat());
      if (merged == null) {
        break;
      }
      values = merged;
      source = project.getInput();
    }
    List<RexNode> written = new ArrayList<>(values);
    for (int i = 0; i < fields.size(); i++) {
      written.set(
          i,
          ColumnCasts.without(written.get(i), fields.get(i), input.getCluster().getTypeFactory()));
    }
    return LogicalProject.create(source, List.of(), written, (List<String>) null, Set.of());
  }

  LoamTable target() {
    return target;
  }

  Mode mode() {
    return mode;
  }

  LoamModify toEnumerable(RelNode input) {
    return new LoamModify(
        getCluster(),
        traitSet.replace(EnumerableConvention.INSTANCE),
        input,
        target,
        mode,
        actions);
  }

  /** What the rows are given to. */
  RowSink sink() {
    return new RowSink(target.name(), target.schema(), mode, actions);
  }

  @Override
  public LoamModify copy(RelTraitSet traits, List<RelNode> inputs) {
    return new LoamModify(getCluster(), traits, inputs.get(0), target, mode, actions);
  }

  @Override
  protected RelDataType deriveRowType() {
    return RelOptUtil.createDmlRowType(SqlKind.INSERT, getCluster().getTypeFactory());
  }

  @Override
  public RelWriter explainTerms(RelWriter pw) {
    return super.explainTerms(pw)
        .item("collection", target.name())
        .item("mode", mode.name().toLowerCase(Locale.ROOT))
        .itemIf("clauses", actions, !actions.isEmpty());
  }

  @Override
  public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
    BlockBuilder block = new BlockBuilder();
    Result input = implementor.visitChild(this, 0, (EnumerableRel) getInput(), Prefer.ARRAY);
    Expression rows = block.append("rows", input.block);
    PhysType physType =
        PhysTypeImpl.of(implementor.getTypeFactory(), getRowType(), JavaRowFormat.SCALAR, false);
    block.add(
        Expressions.return_(
            null,
            Expressions.call(
                implementor.stash(sink(), RowSink.class), RUN, rows, DataContext.ROOT)));
    return implementor.result(physType, block.toBlock());
  }
}
