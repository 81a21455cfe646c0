package io.loam.calcite;

import io.loam.column.Predicate;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.function.Nearest;
import io.loam.query.OutputColumn;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.calcite.DataContexts;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.plan.ConventionTraitDef;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptPredicateList;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.volcano.VolcanoPlanner;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.rex.RexExecutorImpl;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexSimplify;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.fun.SqlAbstractGroupFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlNameMatchers;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;

/** Reads the text of {@code filter =>}: a SQL condition on one collection's columns. */
final class FilterText {
  private FilterText() {}

  /** The condition, all of which core must be able to evaluate. */
  static PredicatePlan translate(String text, CollectionSchema schema) {
    try {
      return DeepStack.call(text, () -> new Reading(schema).translate(text));
    } catch (LoamException e) {
      throw new LoamException(e.code(), "filter: " + e.getMessage(), e);
    } catch (RuntimeException | AssertionError e) {
      LoamException cause = CalciteErrors.translate(e);
      if (cause.code() == ErrorCode.INTERNAL && CalciteErrors.isOfCalcite(e)) {
        throw new LoamException(
            ErrorCode.UNSUPPORTED,
            "filter: uses a function or operator that is not supported, or not for such arguments:"
                + " filter="
                + text
                + "; correct it, or put it in WHERE",
            e);
      }
      throw new LoamException(cause.code(), "filter: " + cause.getMessage(), e);
    }
  }

  private static final RexExecutor EXECUTOR =
      GeneratedPlan.executor(new RexExecutorImpl(DataContexts.EMPTY));

  private static final class Reading {
    private final CollectionSchema schema;
    private final RelOptCluster cluster;
    private final LoamValidator validator;
    private final SqlToRelConverter converter;

    Reading(CollectionSchema schema) {
      this.schema = schema;
      LoamTypeFactory types = new LoamTypeFactory();
      Properties anyLetterCase = new Properties();
      anyLetterCase.setProperty(CalciteConnectionProperty.CASE_SENSITIVE.camelName(), "false");
      RelOptPlanner planner = new VolcanoPlanner();
      planner.addRelTraitDef(ConventionTraitDef.INSTANCE);
      planner.setExecutor(EXECUTOR);
      this.cluster = RelOptCluster.create(planner, new LoamRexBuilder(types));
      CalciteCatalogReader reader =
          new CalciteCatalogReader(
              CalciteSchema.createRootSchema(false, false),
              List.of(),
              types,
              new CalciteConnectionConfigImpl(anyLetterCase));
      this.validator = LoamValidator.create(reader, types, LoamParser.CONFORMANCE);
      this.converter =
          new SqlToRelConverter(
              (rowType, query, schemaPath, viewPath) -> {
                throw new UnsupportedOperationException("no views");
              },
              validator,
              reader,
              cluster,
              StandardConvertletTable.INSTANCE,
              // A long IN list stays a condition instead of becoming a join.
              SqlToRelConverter.config().withInSubQueryThreshold(Integer.MAX_VALUE));
    }

    PredicatePlan translate(String text) {
      SqlNode condition = parse(text).accept(new ColumnNames());
      List<OutputColumn> columns = new ArrayList<>();
      Map<String, RelDataType> types = new HashMap<>();
      Map<String, RexNode> references = new HashMap<>();
      for (Field field : schema.fields()) {
        RelDataType type = SqlTypes.of(cluster.getTypeFactory(), field);
        types.put(field.name(), type);
        references.put(field.name(), cluster.getRexBuilder().makeInputRef(type, columns.size()));
        columns.add(OutputColumn.field(field.number()));
      }
      references.put(
          SystemColumns.SOURCE.sqlName(),
          cluster
              .getRexBuilder()
              .makeInputRef(
                  SqlTypes.of(cluster.getTypeFactory(), OutputColumn.Kind.SOURCE), columns.size()));
      types.put(
          SystemColumns.SOURCE.sqlName(),
          SqlTypes.of(cluster.getTypeFactory(), OutputColumn.Kind.SOURCE));
      columns.add(OutputColumn.of(OutputColumn.Kind.SOURCE));
      SqlNode valid = validator.validateParameterizedExpression(condition, types);
      RexNode rex =
          new RexSimplify(cluster.getRexBuilder(), RelOptPredicateList.EMPTY, EXECUTOR)
              .simplifyUnknownAsFalse(converter.convertExpression(valid, references));
      if (rex.getType().getSqlTypeName() != SqlTypeName.BOOLEAN) {
        throw new LoamException(
            ErrorCode.TYPE_MISMATCH,
            "not a condition: type=" + rex.getType() + "; compare a column with a value");
      }
      RexNode resolved =
          SearchExpressions.resolve(
              rex,
              cluster.getRexBuilder(),
              node ->
                  node instanceof RexInputRef ref && ref.getIndex() < schema.fields().size()
                      ? Optional.of(schema.fields().get(ref.getIndex()))
                      : Optional.empty());
      return translate(resolved, columns);
    }

    private static SqlNode parse(String text) {
      try {
        return SqlParser.create(text, LoamParser.config()).parseExpression();
      } catch (SqlParseException e) {
        throw CalciteErrors.translate(e);
      }
    }

    private PredicatePlan translate(RexNode rex, List<OutputColumn> columns) {
      PredicateTranslator translator =
          new PredicateTranslator(schema, columns, cluster.getRexBuilder());
      ComputedCondition computed = new ComputedCondition(schema, columns, cluster.getRexBuilder());
      List<PredicatePlan> parts = new ArrayList<>();
      for (RexNode part : RelOptUtil.conjunctions(rex)) {
        parts.add(
            translator
                .translate(part)
                .or(() -> computed.translate(part))
                .orElseThrow(
                    () ->
                        new LoamException(
                            ErrorCode.UNSUPPORTED,
                            "part of the condition cannot narrow a search: part="
                                + computed.text(part)
                                + "; put it in WHERE")));
      }
      return parts.isEmpty()
          ? new PredicatePlan("TRUE", context -> new Predicate.Constant(true))
          : PredicatePlan.and(parts);
    }

    /** Refuses what is computed of several rows, or of the search that the filter is for. */
    private void checkOfOneRow(SqlCall call) {
      SqlOperator operator = resolved(call);
      if (operator.isAggregator()
          || operator instanceof SqlAbstractGroupFunction
          || call.getKind() == SqlKind.OVER) {
        throw new LoamException(
            ErrorCode.UNSUPPORTED,
            "a filter is about one row, so it has no aggregates and no window functions: given="
                + call
                + "; compute them in a query around the search");
      }
      if (operator.equals(TextFunctions.SCORE)) {
        throw new LoamException(
            ErrorCode.UNSUPPORTED,
            "a filter is computed before the search, so it has no score(); put a condition on"
                + " _score in WHERE");
      }
      if (operator.equals(SqlStdOperatorTable.MEMBER_OF)) {
        throw new LoamException(
            ErrorCode.UNSUPPORTED, "MEMBER OF is not supported; use array_contains(array, value)");
      }
    }

    /** The operator of a call; functions have theirs only once they were looked up. */
    private SqlOperator resolved(SqlCall call) {
      if (!(call.getOperator() instanceof SqlUnresolvedFunction function)) {
        return call.getOperator();
      }
      List<SqlOperator> found = new ArrayList<>();
      validator
          .getOperatorTable()
          .lookupOperatorOverloads(
              function.getNameAsId(),
              null,
              SqlSyntax.FUNCTION,
              found,
              SqlNameMatchers.withCaseSensitive(false));
      return found.isEmpty() ? function : found.get(0);
    }

    /** Spells columns as declared, and refuses what a filter cannot hold. */
    private final class ColumnNames extends LongConditions {
      @Override
      public SqlNode visit(SqlIdentifier id) {
        if (!id.isSimple()) {
          return id;
        }
        String name = id.getSimple();
        if (name.equalsIgnoreCase(SystemColumns.SOURCE.sqlName())) {
          return new SqlIdentifier(SystemColumns.SOURCE.sqlName(), id.getParserPosition());
        }
        Optional<Field> field = schema.find(name);
        if (field.isPresent()) {
          return new SqlIdentifier(field.get().name(), id.getParserPosition());
        }
        SqlCall constant = validator.makeNullaryCall(id);
        if (constant != null) {
          return constant;
        }
        throw new LoamException(
            ErrorCode.UNKNOWN_COLUMN,
            "unknown column: column="
                + name
                + "; "
                + Nearest.advice(name, schema.fields().stream().map(Field::name).toList()));
      }

      @Override
      public SqlNode visit(SqlDynamicParam parameter) {
        throw new LoamException(
            ErrorCode.UNSUPPORTED,
            "a filter's text has no parameters; bind the whole text, or put the value in it");
      }

      @Override
      public SqlNode visit(SqlCall call) {
        if (call.isA(SqlKind.QUERY)) {
          throw new LoamException(
              ErrorCode.UNSUPPORTED, "a filter has no subquery; put it in WHERE");
        }
        checkOfOneRow(call);
        SqlNode visited = super.visit(call);
        return visited == null ? call : visited;
      }
    }
  }
}
