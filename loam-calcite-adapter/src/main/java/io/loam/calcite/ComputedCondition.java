package io.loam.calcite;

import io.loam.query.OutputColumn;
import io.loam.query.RowCondition;
import io.loam.schema.CollectionSchema;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.function.Function1;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexExecutorImpl;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.jspecify.annotations.Nullable;

/**
 * Conditions that core has no kernel for, as generated code over the values of each row, so that
 * they can narrow a search all the same.
 */
final class ComputedCondition {
  /** The name by which generated code asks for the row. */
  private static final String ROW = "inputRecord";

  /** How Calcite marks a literal's character set. */
  private static final Pattern LITERAL_TYPE =
      Pattern.compile("_UTF-8('(?:[^']|'')*')(?::VARCHAR(?:\\(\\d+\\))? CHARACTER SET \"UTF-8\")?");

  private final CollectionSchema schema;
  private final List<OutputColumn> columns;
  private final RexBuilder rexBuilder;

  /**
   * @param columns what the conditions' input references mean
   */
  ComputedCondition(CollectionSchema schema, List<OutputColumn> columns, RexBuilder rexBuilder) {
    this.schema = schema;
    this.columns = columns;
    this.rexBuilder = rexBuilder;
  }

  /** The condition, or nothing where it reads more than a row's own columns. */
  Optional<PredicatePlan> translate(RexNode condition) {
    Reading reading = new Reading();
    RexNode overRow =
        GeneratedPlan.of(
            reading.apply(RexUtil.expandSearch(rexBuilder, null, condition)), rexBuilder);
    if (!reading.possible) {
      return Optional.empty();
    }
    RelDataTypeFactory.Builder rowType = rexBuilder.getTypeFactory().builder();
    for (int i = 0; i < reading.references.size(); i++) {
      rowType.add("c" + i, reading.references.get(i).getType());
    }
    Function1<DataContext, @Nullable Object[]> code =
        RexExecutorImpl.getExecutable(rexBuilder, List.of(overRow), rowType.build()).getFunction();
    List<OutputColumn> read =
        reading.references.stream().map(ref -> columns.get(ref.getIndex())).toList();
    RowReader reader = RowReader.of(schema, read);
    return Optional.of(
        new PredicatePlan(
            text(condition),
            context ->
                new RowCondition(
                    read,
                    batch -> passing(code, new OuterRow(context, ROW, null), reader.read(batch)))));
  }

  /** A condition with columns by name. */
  String text(RexNode condition) {
    String text = RexUtil.expandSearch(rexBuilder, null, condition).toString();
    for (int i = columns.size() - 1; i >= 0; i--) {
      text = text.replace("$" + i, name(columns.get(i)));
    }
    return LITERAL_TYPE.matcher(text).replaceAll("$1");
  }

  private String name(OutputColumn column) {
    return column.kind() == OutputColumn.Kind.FIELD
        ? schema.field(column.number()).name()
        : "_" + column.kind().name().toLowerCase(Locale.ROOT);
  }

  private static BitSet passing(
      Function1<DataContext, @Nullable Object[]> code, OuterRow context, @Nullable Object[] rows) {
    BitSet passing = new BitSet();
    for (int i = 0; i < rows.length; i++) {
      context.value = rows[i] instanceof Object[] row ? row : new Object[] {rows[i]};
      passing.set(i, Boolean.TRUE.equals(code.apply(context)[0]));
    }
    return passing;
  }

  /** Renumbers references to the columns that are read. */
  private final class Reading extends RexShuttle {
    private final List<RexInputRef> references = new ArrayList<>();
    private boolean possible = true;

    @Override
    public RexNode visitInputRef(RexInputRef ref) {
      possible &=
          switch (columns.get(ref.getIndex()).kind()) {
            case FIELD, SOURCE, ROW_ID, VERSION -> true;
            case SCORE, DISTANCE, RANK, LEG_SCORE -> false;
          };
      int place = references.indexOf(ref);
      if (place < 0) {
        place = references.size();
        references.add(ref);
      }
      return new RexInputRef(place, ref.getType());
    }

    @Override
    public RexNode visitCall(RexCall call) {
      possible &=
          call.getOperator().isDeterministic() && !call.getOperator().equals(InList.OPERATOR);
      return super.visitCall(call);
    }

    @Override
    public RexNode visitOver(RexOver over) {
      possible = false;
      return over;
    }

    @Override
    public RexNode visitSubQuery(RexSubQuery query) {
      possible = false;
      return query;
    }

    @Override
    public RexNode visitCorrelVariable(RexCorrelVariable variable) {
      possible = false;
      return variable;
    }
  }
}
