package io.loam.calcite;

import io.loam.CollectionName;
import io.loam.Warehouse;
import io.loam.commit.WriteBatch;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.query.QueryProfile;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.avatica.AvaticaParameter;
import org.apache.calcite.linq4j.QueryProvider;
import org.apache.calcite.schema.SchemaPlus;
import org.jspecify.annotations.Nullable;

/**
 * What one execution of a statement shares: one snapshot per collection and version, so that all of
 * the statement reads the same rows, and where its writes go. Used by one thread.
 */
final class StatementContext implements DataContext, AutoCloseable {
  /** The name by which a context knows its statement. */
  static final String KEY = "loam.statement";

  private record SnapshotKey(String schema, String name, VersionSpec version) {}

  private final DataContext connection;
  private final Session session;
  private final Warehouse warehouse;
  private final Map<String, Object> constants;
  private final List<AvaticaParameter> described;
  private final @Nullable Object @Nullable [] parameters;
  private final Map<SnapshotKey, Snapshot> snapshots = new LinkedHashMap<>();
  private final @Nullable WriteBatch collected;
  private final @Nullable AtomicBoolean cancelled;
  private @Nullable ScanProfiles profiles;

  /**
   * @param constants of the plan, by the names that generated code gives them
   * @param described the plan's parameters
   * @param parameters values that go before the connection's, or null
   * @param collected takes writes instead of a commit, or null
   */
  StatementContext(
      DataContext connection,
      Warehouse warehouse,
      Map<String, Object> constants,
      List<AvaticaParameter> described,
      @Nullable Object @Nullable [] parameters,
      @Nullable WriteBatch collected) {
    this.connection = connection;
    this.session = Session.of(connection);
    this.warehouse = warehouse;
    this.constants = constants;
    this.described = described;
    this.parameters = parameters;
    this.collected = collected;
    this.cancelled = DataContext.Variable.CANCEL_FLAG.get(connection);
  }

  /** The statement that generated code runs in. */
  static StatementContext of(DataContext context) {
    return (StatementContext) context.get(KEY);
  }

  /** Fails where the statement was cancelled, or its thread interrupted, which it stays. */
  void checkpoint() {
    if (cancelled != null && cancelled.get()) {
      throw new LoamException(ErrorCode.CANCELLED, "statement cancelled; run it again if wanted");
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new LoamException(
          ErrorCode.CANCELLED, "statement was interrupted; run it again if wanted");
    }
  }

  Warehouse warehouse() {
    return warehouse;
  }

  Session session() {
    return session;
  }

  /** The statement's snapshot of a collection, opened on first use. */
  Snapshot snapshot(CollectionName name, VersionSpec version) {
    return snapshots.computeIfAbsent(
        new SnapshotKey(
            name.schema().toLowerCase(Locale.ROOT), name.name().toLowerCase(Locale.ROOT), version),
        key -> open(name, version));
  }

  /**
   * Opens collections that the statement reads, and fails with {@link StalePlanException} where one
   * has other columns than the plan was made for.
   */
  void open(PlanDependencies planned) {
    planned.described().forEach(warehouse::get);
    planned
        .read()
        .forEach(
            (source, schema) -> {
              if (!snapshot(source.name(), source.version()).schema().equals(schema)) {
                throw new StalePlanException(source.name());
              }
            });
  }

  private Snapshot open(CollectionName name, VersionSpec version) {
    SqlTransaction transaction = session.transaction();
    return transaction != null && version instanceof VersionSpec.Latest
        ? transaction.snapshot(name)
        : warehouse.get(name).snapshot(version);
  }

  /** Collects from now on what scans do. */
  void collect(ScanProfiles into) {
    profiles = into;
  }

  /** Where a scan tells what it does. */
  QueryProfile profile(ScanSpec spec) {
    return profiles == null ? new QueryProfile() : profiles.of(spec);
  }

  /** Where writes are collected instead of being committed, or null. */
  @Nullable WriteBatch collected() {
    return collected;
  }

  @Override
  public @Nullable SchemaPlus getRootSchema() {
    return connection.getRootSchema();
  }

  @Override
  public JavaTypeFactory getTypeFactory() {
    return connection.getTypeFactory();
  }

  @Override
  public QueryProvider getQueryProvider() {
    return connection.getQueryProvider();
  }

  @Override
  public @Nullable Object get(String name) {
    if (name.equals(KEY)) {
      return this;
    }
    if (name.startsWith("?")) {
      return RowCounts.value(Integer.parseInt(name.substring(1)), this::parameter);
    }
    Object stashed = constants.get(name);
    return stashed == null ? connection.get(name) : stashed;
  }

  private @Nullable Object parameter(int number) {
    Object value = parameters == null ? connection.get("?" + number) : parameters[number];
    return value instanceof BoundValue bound ? bound.as(described.get(number)) : value;
  }

  @Override
  public void close() {
    snapshots.values().forEach(Snapshot::close);
    snapshots.clear();
  }
}
