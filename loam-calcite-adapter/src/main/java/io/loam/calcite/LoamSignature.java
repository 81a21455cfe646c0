package io.loam.calcite;

import io.loam.CollectionName;
import io.loam.Warehouse;
import io.loam.commit.WriteBatch;
import io.loam.schema.CollectionSchema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.DataContext;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement: Calcite's signature, run within a {@link StatementContext}. It holds
 * nothing of one execution, so that connections share it.
 *
 * @param <T> the rows
 */
final class LoamSignature<T> extends CalciteSignature<T> {
  private final CalciteSignature<T> plan;
  private final Warehouse warehouse;
  private final Map<CollectionName, CollectionSchema> schemas;
  private final Optional<RowSink> insertTarget;

  /**
   * @param schemas of the collections that the plan was made for, at the head
   * @param insertTarget of an INSERT or UPSERT
   */
  LoamSignature(
      CalciteSignature<T> plan,
      Warehouse warehouse,
      Map<CollectionName, CollectionSchema> schemas,
      Optional<RowSink> insertTarget) {
    super(
        plan.sql,
        plan.parameters,
        plan.internalParameters,
        plan.rowType,
        plan.columns,
        plan.cursorFactory,
        plan.rootSchema,
        List.copyOf(plan.getCollationList()),
        -1,
        null,
        plan.statementType);
    this.plan = plan;
    this.warehouse = warehouse;
    this.schemas = Map.copyOf(schemas);
    this.insertTarget = insertTarget;
  }

  Warehouse warehouse() {
    return warehouse;
  }

  /** Where an INSERT or UPSERT puts its rows. */
  Optional<RowSink> insertTarget() {
    return insertTarget;
  }

  /** Whether a new plan of the same text would be the same. */
  boolean isCurrent() {
    return schemas.entrySet().stream()
        .allMatch(
            entry ->
                warehouse
                    .find(entry.getKey())
                    .filter(collection -> collection.schema().equals(entry.getValue()))
                    .isPresent());
  }

  @Override
  public Enumerable<T> enumerable(DataContext connection) {
    return new AbstractEnumerable<>() {
      @Override
      public Enumerator<T> enumerator() {
        return new Execution<>(plan, statement(connection, null, null));
      }
    };
  }

  /** A new execution; the caller closes it. */
  StatementContext statement(
      DataContext connection,
      @Nullable Object @Nullable [] parameters,
      @Nullable WriteBatch collected) {
    return new StatementContext(
        connection, warehouse, plan.internalParameters, parameters, collected);
  }

  /** Runs within a statement that the caller closes. */
  Enumerable<T> run(StatementContext statement) {
    return plan.enumerable(statement);
  }

  /** Closes the statement with the rows, or as soon as they end or fail. */
  private static final class Execution<T> implements Enumerator<T> {
    private final StatementContext statement;
    private final Enumerator<T> rows;

    Execution(CalciteSignature<T> plan, StatementContext statement) {
      this.statement = statement;
      try {
        this.rows = plan.enumerable(statement).enumerator();
      } catch (RuntimeException | Error e) {
        statement.close();
        throw translated(e);
      }
    }

    @Override
    public T current() {
      try {
        return rows.current();
      } catch (RuntimeException | Error e) {
        close();
        throw translated(e);
      }
    }

    @Override
    public boolean moveNext() {
      boolean more = false;
      try {
        more = rows.moveNext();
        return more;
      } catch (RuntimeException | Error e) {
        throw translated(e);
      } finally {
        if (!more) {
          close();
        }
      }
    }

    private static RuntimeException translated(Throwable failure) {
      if (failure instanceof VirtualMachineError error) {
        throw error;
      }
      return CalciteErrors.translate(failure);
    }

    @Override
    public void reset() {
      throw new UnsupportedOperationException("rows are read once");
    }

    @Override
    public void close() {
      try {
        rows.close();
      } finally {
        statement.close();
      }
    }
  }
}
