package io.loam.calcite;

import io.loam.CollectionName;
import io.loam.calcite.parser.Listings;
import io.loam.schema.CollectionSchema;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.ConventionTraitDef;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCostFactory;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.volcano.VolcanoPlanner;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.prepare.CalcitePrepareImpl;
import org.apache.calcite.rel.RelCollationTraitDef;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.runtime.Bindable;
import org.apache.calcite.runtime.Typed;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.tools.Program;
import org.apache.calcite.util.CancelFlag;
import org.apache.calcite.util.Pair;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/** Plans one statement, and remembers what {@link LoamPrepare} asks about the plan. */
final class StatementPlanner extends CalcitePrepareImpl {
  private final Map<PlanDependencies.Source, CollectionSchema> read = new LinkedHashMap<>();
  private final Set<CollectionName> described = new LinkedHashSet<>();
  private final Map<CollectionName, CollectionSchema> written = new LinkedHashMap<>();
  private final boolean knowsOrders;
  private Optional<RowSink> insertTarget = Optional.empty();

  private StatementPlanner(boolean knowsOrders) {
    this.knowsOrders = knowsOrders;
  }

  /**
   * Plans with a planner, and again where that fails at the order of a product with a constant that
   * is no literal, such as {@code id * (1 + ?)}, with one that does not look for orders.
   */
  static <T> T plan(Function<StatementPlanner, T> plan) {
    try {
      return plan.apply(new StatementPlanner(true));
    } catch (AssertionError e) {
      if (!String.valueOf(e.getMessage()).startsWith("not a literal")) {
        throw e;
      }
      return plan.apply(new StatementPlanner(false));
    }
  }

  PlanDependencies dependencies() {
    return new PlanDependencies(read, described, written, insertTarget);
  }

  /** Without rules, which most statements do without; {@link LoamProgram} adds them. */
  @Override
  protected RelOptPlanner createPlanner(
      Context prepareContext,
      org.apache.calcite.plan.@Nullable Context externalContext,
      @Nullable RelOptCostFactory costFactory) {
    RelOptPlanner planner =
        new VolcanoPlanner(
            costFactory,
            Contexts.chain(
                externalContext == null ? Contexts.of(prepareContext.config()) : externalContext,
                cancelFlag(prepareContext)));
    planner.addRelTraitDef(ConventionTraitDef.INSTANCE);
    if (knowsOrders) {
      planner.addRelTraitDef(RelCollationTraitDef.INSTANCE);
    }
    planner.setExecutor(GeneratedPlan.executor(RexUtil.EXECUTOR));
    return planner;
  }

  /** By which the rules of a statement that is cancelled stop. */
  private static org.apache.calcite.plan.Context cancelFlag(Context prepareContext) {
    AtomicBoolean flag = DataContext.Variable.CANCEL_FLAG.get(prepareContext.getDataContext());
    return flag == null ? Contexts.empty() : Contexts.of(new CancelFlag(flag));
  }

  @Override
  protected CalcitePreparingStmt getPreparingStmt(
      Context context, Type elementType, CalciteCatalogReader reader, RelOptPlanner planner) {
    return new Statement(
        context,
        elementType,
        reader,
        createCluster(planner, new LoamRexBuilder(context.getTypeFactory())));
  }

  private final class Statement extends CalcitePreparingStmt {
    private final JavaTypeFactory types;
    private final RelOptCluster cluster;

    Statement(
        Context context, Type elementType, CalciteCatalogReader reader, RelOptCluster cluster) {
      super(
          StatementPlanner.this,
          context,
          reader,
          context.getTypeFactory(),
          context.getRootSchema(),
          elementType == Object[].class ? EnumerableRel.Prefer.ARRAY : EnumerableRel.Prefer.CUSTOM,
          cluster,
          EnumerableConvention.INSTANCE,
          createConvertletTable());
      this.types = context.getTypeFactory();
      this.cluster = cluster;
    }

    @Override
    protected SqlValidator createSqlValidator(
        CatalogReader catalogReader, UnaryOperator<SqlValidator.Config> transform) {
      return LoamValidator.create(
          (CalciteCatalogReader) catalogReader, types, context.config().conformance());
    }

    /** There are none, and Calcite would look for them in all tables of the warehouse. */
    @Override
    protected List<CalciteSchema.LatticeEntry> getLattices() {
      return List.of();
    }

    /** IN lists of any length stay conditions, which may be pushed down. */
    @Override
    protected SqlToRelConverter getSqlToRelConverter(
        SqlValidator validator, CatalogReader catalogReader, SqlToRelConverter.Config config) {
      return new LoamSqlToRel(
          this,
          validator,
          catalogReader,
          cluster,
          convertletTable,
          config.withInSubQueryThreshold(Integer.MAX_VALUE));
    }

    /** Called before scans lose the columns that nobody names. */
    @Override
    protected RelRoot trimUnusedFields(RelRoot root) {
      return super.trimUnusedFields(root.withRel(SearchExpressions.resolve(root.rel)));
    }

    @Override
    protected Program getProgram() {
      return LoamProgram.INSTANCE;
    }

    @Override
    protected PreparedResult implement(RelRoot root) {
      note(root.rel);
      RelRoot narrowed = narrow(root);
      Optional<DirectPlan> direct = DirectPlan.of(narrowed.rel);
      return direct.isPresent() && narrowed.isRefTrivial()
          ? new Direct(
              narrowed,
              Objects.requireNonNull(parameterRowType),
              Objects.requireNonNull(fieldOrigins),
              direct.get())
          : super.implement(root);
    }

    /** A scan that is the whole plan gives just the columns of the result. */
    private RelRoot narrow(RelRoot root) {
      return root.rel instanceof LoamScan scan
              && !root.isRefTrivial()
              && scan.spec().aggregation().isEmpty()
          ? RelRoot.of(
                  ScanRules.narrow(scan, Pair.left(root.fields), root.validatedRowType), root.kind)
              .withCollation(root.collation)
          : root;
    }

    private void note(RelNode rel) {
      if (rel instanceof LoamScan scan) {
        LoamTable table = scan.getTable().unwrapOrThrow(LoamTable.class);
        read.put(new PlanDependencies.Source(table.name(), table.version()), table.schema());
      } else if (rel instanceof LoamModify modify) {
        noteTarget(modify);
      } else if (rel instanceof LoamInsertValues insert) {
        noteTarget(insert.modify());
      } else if (rel.getTable() != null) {
        describedBy(rel.getTable()).ifPresent(described::add);
      }
      rel.getInputs().forEach(this::note);
    }

    /** The collection that a system table, or a call of loam_recall, is about. */
    private Optional<CollectionName> describedBy(RelOptTable table) {
      List<String> path = table.getQualifiedName();
      String name = VersionedName.strip(Util.last(path));
      return path.size() < 2 || name.equalsIgnoreCase(Listings.TABLES)
          ? Optional.empty()
          : Optional.of(
              new CollectionName(path.get(path.size() - 2), SystemTables.collection(name)));
    }

    private void noteTarget(LoamModify modify) {
      written.put(modify.target().name(), modify.target().schema());
      if (modify.mode() == LoamModify.Mode.INSERT || modify.mode() == LoamModify.Mode.UPSERT) {
        insertTarget = Optional.of(modify.sink());
      }
    }

    /** The result of preparing a plan that runs without generated code. */
    private final class Direct extends PreparedResultImpl {
      private final TypedPlan bindable;

      Direct(
          RelRoot root,
          RelDataType parameters,
          List<? extends @Nullable List<String>> origins,
          DirectPlan plan) {
        super(
            root.rel.getRowType(),
            parameters,
            origins,
            root.collation.getFieldCollations().isEmpty() ? List.of() : List.of(root.collation),
            root.rel,
            mapTableModOp(root.kind.belongsTo(SqlKind.DML), root.kind),
            root.kind.belongsTo(SqlKind.DML));
        this.bindable = new TypedPlan(plan, root.rel.getRowType());
      }

      @Override
      public String getCode() {
        return "";
      }

      @Override
      public Bindable<?> getBindable(Meta.CursorFactory cursorFactory) {
        return bindable;
      }

      @Override
      public Type getElementType() {
        return bindable.getElementType();
      }
    }
  }

  private record TypedPlan(DirectPlan plan, RelDataType rowType)
      implements Bindable<@Nullable Object>, Typed {
    @Override
    public Enumerable<@Nullable Object> bind(DataContext context) {
      return plan.execute(StatementContext.of(context));
    }

    @Override
    public Type getElementType() {
      return rowType.getFieldCount() == 1 ? Object.class : Object[].class;
    }
  }
}
