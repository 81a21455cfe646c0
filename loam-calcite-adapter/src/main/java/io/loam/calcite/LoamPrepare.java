package io.loam.calcite;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.loam.CollectionName;
import io.loam.Warehouse;
import io.loam.store.Traffic;
import java.lang.reflect.Type;
import java.sql.DatabaseMetaData;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.calcite.DataContexts;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.prepare.CalcitePrepareImpl;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.util.Util;

/**
 * Parses, validates and plans statements over one warehouse, and keeps their plans. Shared by all
 * connections to the warehouse; safe for use by several threads.
 *
 * <p>All errors are {@link io.loam.error.LoamException}s, also those of the rows.
 */
public final class LoamPrepare extends CalcitePrepareImpl {
  private static final int MOST_PLANS = 1_000;

  /** Longer statements are made for one use, so their plans would only take memory. */
  private static final int MOST_KEPT_CHARS = 20_000;

  private static final Pattern TERMINATOR = Pattern.compile("[;\\s]+$");

  private record PlanKey(String sql, Type elementType, long maxRows, List<String> schemaPath) {
    PlanKey of(String otherSql) {
      return new PlanKey(otherSql, elementType, maxRows, schemaPath);
    }
  }

  private final Warehouse warehouse;
  private final Cache<PlanKey, LoamSignature<?>> plans =
      Caffeine.newBuilder().maximumSize(MOST_PLANS).build();

  public LoamPrepare(Warehouse warehouse) {
    this.warehouse = warehouse;
  }

  /** The warehouse that statements run over. */
  public Warehouse warehouse() {
    return warehouse;
  }

  @Override
  public <T> CalciteSignature<T> prepareSql(
      Context context, Query<T> given, Type elementType, long maxRowCount) {
    if (given.sql == null) {
      return super.prepareSql(context, given, elementType, maxRowCount);
    }
    String sql = TERMINATOR.matcher(given.sql).replaceFirst("");
    PlanKey key = new PlanKey(sql, elementType, maxRowCount, context.getDefaultSchemaPath());
    try {
      Optional<LoamSignature<T>> kept = kept(key);
      return kept.isPresent() ? kept.get() : prepare(context, key);
    } catch (RuntimeException | AssertionError e) {
      throw CalciteErrors.translate(e, new Suggestions(warehouse, schema(context), sql));
    }
  }

  @SuppressWarnings("unchecked") // The element type is part of the key.
  private <T> Optional<LoamSignature<T>> kept(PlanKey key) {
    return Optional.ofNullable((LoamSignature<T>) plans.getIfPresent(key))
        .filter(LoamSignature::isCurrent);
  }

  private <T> CalciteSignature<T> prepare(Context context, PlanKey key) {
    Optional<String> analysed = ExplainAnalyze.query(key.sql);
    if (analysed.isPresent()) {
      return analyse(context, key.sql, analysed.get(), key.elementType);
    }
    Optional<SqlNode> statement = parse(key.sql);
    if (statement.filter(Ddl::is).isPresent()) {
      return ddl(context, key.sql, statement.get());
    }
    if (statement.filter(ProcedureCall::is).isPresent()) {
      return call(context, key.sql, ProcedureCall.of(statement.get()), key.elementType);
    }
    Optional<CalciteSignature<T>> insert =
        statement
            .flatMap(node -> LongInsert.of(key.sql, node))
            .flatMap(many -> longInsert(context, key, many));
    return insert.isPresent() ? insert.get() : plan(context, key);
  }

  /** Nothing where the text is wrong, which planning it will tell. */
  private static Optional<SqlNode> parse(String sql) {
    return DeepStack.call(
        sql,
        () -> {
          try {
            return Optional.of(SqlParser.create(sql, LoamParser.config()).parseStmt());
          } catch (SqlParseException e) {
            return Optional.empty();
          }
        });
  }

  private <T> Optional<CalciteSignature<T>> longInsert(
      Context context, PlanKey key, LongInsert insert) {
    LoamSignature<T> one = plan(context, key.of(insert.rowStatement()));
    return insert.signature(key.sql, one).map(s -> new LoamSignature<>(s, warehouse));
  }

  private <T> LoamSignature<T> plan(Context context, PlanKey key) {
    Optional<LoamSignature<T>> kept = kept(key);
    if (kept.isPresent()) {
      return kept.get();
    }
    LoamSignature<T> signature = DeepStack.call(key.sql, () -> newPlan(context, key));
    if (key.sql.length() <= MOST_KEPT_CHARS && !ExplainAnalyze.isExplanation(key.sql)) {
      plans.put(key, signature);
    }
    return signature;
  }

  private <T> LoamSignature<T> newPlan(Context context, PlanKey key) {
    // Plans are shared and kept, so they must not hold the connection that was first.
    Replanning kept = Replanning.of(context, DataContexts.EMPTY);
    return StatementPlanner.plan(
        planner -> {
          CalciteSignature<T> plan =
              planner.prepareSql(
                  Replanning.of(context, context.getDataContext()),
                  Query.of(key.sql),
                  key.elementType,
                  key.maxRows);
          return new LoamSignature<>(
              plan,
              warehouse,
              planner.dependencies(),
              running -> plan(Replanning.of(kept, running), key));
        });
  }

  private <T> CalciteSignature<T> analyse(
      Context context, String sql, String analysed, Type elementType) {
    List<String> path = context.getDefaultSchemaPath();
    Traffic before = Traffic.ofThread();
    LoamSignature<Object> query = plan(context, new PlanKey(analysed, elementType, -1, path));
    Traffic planning = Traffic.ofThread().since(before);
    Query<T> explain = Query.of("EXPLAIN PLAN FOR " + analysed);
    CalciteSignature<T> plan =
        DeepStack.call(
            analysed,
            () ->
                StatementPlanner.plan(
                    planner -> planner.prepareSql(context, explain, elementType, -1)));
    return new LoamSignature<>(ExplainAnalyze.signature(sql, plan, query, planning), warehouse);
  }

  private <T> CalciteSignature<T> call(
      Context context, String sql, ProcedureCall call, Type elementType) {
    Query<T> columns = Query.of(call.procedure().columnsQuery());
    CalciteSignature<T> plan =
        StatementPlanner.plan(planner -> planner.prepareSql(context, columns, elementType, -1));
    return new LoamSignature<>(call.signature(sql, plan, warehouse, schema(context)), warehouse);
  }

  /** A statement that changes the catalog when it runs, not yet when it is prepared. */
  private <T> CalciteSignature<T> ddl(Context context, String sql, SqlNode statement) {
    Ddl ddl = new Ddl(warehouse, schema(context));
    CalciteSignature<T> signature =
        new CalciteSignature<>(
            sql,
            List.of(),
            Map.of(),
            RelOptUtil.createDmlRowType(SqlKind.INSERT, context.getTypeFactory()),
            List.of(rowCount()),
            Meta.CursorFactory.OBJECT,
            context.getRootSchema(),
            List.of(),
            -1,
            data -> new Execution<>(ddl, statement, Session.of(data)),
            Meta.StatementType.IS_DML);
    return new LoamSignature<>(signature, warehouse);
  }

  private static final class Execution<T> extends AbstractEnumerable<T> {
    private final Ddl ddl;
    private final SqlNode statement;
    private final Session session;

    Execution(Ddl ddl, SqlNode statement, Session session) {
      this.ddl = ddl;
      this.statement = statement;
      this.session = session;
    }

    @Override
    @SuppressWarnings("unchecked") // The one column is a long.
    public Enumerator<T> enumerator() {
      session.checkOutsideTransaction(FirstWord.nameOf(statement));
      ddl.execute(statement);
      return (Enumerator<T>) Linq4j.singletonEnumerator((Object) 0L);
    }
  }

  /** The column by which Avatica finds a statement's number of rows. */
  private static ColumnMetaData rowCount() {
    return new ColumnMetaData(
        0,
        false,
        false,
        false,
        false,
        DatabaseMetaData.columnNoNulls,
        true,
        19,
        "ROWCOUNT",
        "ROWCOUNT",
        null,
        19,
        0,
        null,
        null,
        ColumnMetaData.scalar(Types.BIGINT, "BIGINT", ColumnMetaData.Rep.LONG),
        true,
        false,
        false,
        Long.class.getName());
  }

  private static String schema(Context context) {
    List<String> path = context.getDefaultSchemaPath();
    return path.isEmpty() ? CollectionName.DEFAULT_SCHEMA : Util.last(path);
  }
}
