package io.loam.calcite;

import io.loam.Warehouse;
import io.loam.commit.WriteBatch;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
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
  private static final int MOST_PLANS = 20;

  /** The class of SQLSTATEs. */
  private static final String WRONG_VALUES = "22";

  private final CalciteSignature<T> plan;
  private final Warehouse warehouse;
  private final PlanDependencies dependencies;
  private final Function<DataContext, LoamSignature<T>> replan;

  /** Whether the generated class failed at its constants, after which Java never tries it again. */
  private volatile boolean broken;

  /** A statement whose plan depends on no collection. */
  LoamSignature(CalciteSignature<T> plan, Warehouse warehouse) {
    this(
        plan,
        warehouse,
        PlanDependencies.NONE,
        context -> {
          throw new IllegalStateException("plan without dependencies is stale");
        });
  }

  /**
   * @param replan makes the plan anew, for the connection that runs it
   */
  LoamSignature(
      CalciteSignature<T> plan,
      Warehouse warehouse,
      PlanDependencies dependencies,
      Function<DataContext, LoamSignature<T>> replan) {
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
    this.dependencies = dependencies;
    this.replan = replan;
  }

  Warehouse warehouse() {
    return warehouse;
  }

  /** Where an INSERT or UPSERT puts its rows. */
  Optional<RowSink> insertTarget() {
    return dependencies.insertTarget();
  }

  /** Whether a new plan of the same text would be the same. */
  boolean isCurrent() {
    return !broken && dependencies.areCurrent(warehouse);
  }

  /**
   * Whether a value may only be wrong since this plan is not for the columns that there are now.
   * Values are wrong before anything is written, so the statement can run again.
   */
  boolean isBehind(LoamException failure) {
    return failure.code().sqlState().startsWith(WRONG_VALUES) && !isCurrent();
  }

  /**
   * The plan for the columns that there are now. Fails where the statement would give others than
   * it was prepared for.
   */
  LoamSignature<T> replanned(DataContext connection) {
    LoamSignature<T> other = replan.apply(connection);
    if (!other.rowType.getFullTypeString().equals(rowType.getFullTypeString())
        || other.parameters.size() != parameters.size()) {
      throw new LoamException(
          ErrorCode.UNSUPPORTED,
          "columns of a prepared statement's result have changed: prepared="
              + rowType
              + ", now="
              + other.rowType
              + "; prepare it again");
    }
    return other;
  }

  @Override
  public Enumerable<T> enumerable(DataContext connection) {
    return new AbstractEnumerable<>() {
      @Override
      public Enumerator<T> enumerator() {
        return start(connection);
      }
    };
  }

  /** Starts an execution, with another plan where this one is for other columns. */
  private Execution<T> start(DataContext connection) {
    LoamSignature<T> current = broken ? replanned(connection) : this;
    for (int plans = 1; ; plans++) {
      try {
        return new Execution<>(current, connection);
      } catch (StalePlanException e) {
        if (plans == MOST_PLANS) {
          throw e.asConflict();
        }
        current = replanned(connection);
      } catch (LoamException e) {
        if (plans == MOST_PLANS || !current.isBehind(e)) {
          throw e;
        }
        current = replanned(connection);
      }
    }
  }

  /** A new execution; the caller closes it. */
  StatementContext statement(
      DataContext connection,
      @Nullable Object @Nullable [] parameters,
      @Nullable WriteBatch collected) {
    return new StatementContext(
        connection, warehouse, plan.internalParameters, plan.parameters, parameters, collected);
  }

  /** Runs within a statement that the caller closes. */
  Enumerable<T> run(StatementContext statement) {
    return plan.enumerable(statement);
  }

  /** Closes the statement with the rows, or as soon as they end or fail. */
  private static final class Execution<T> implements Enumerator<T> {
    private final StatementContext statement;
    private final Enumerator<T> rows;

    Execution(LoamSignature<T> signature, DataContext connection) {
      this.statement = signature.statement(connection, null, null);
      try {
        statement.open(signature.dependencies);
        this.rows = signature.plan.enumerable(statement).enumerator();
      } catch (StalePlanException e) {
        statement.close();
        throw e;
      } catch (RuntimeException | Error e) {
        statement.close();
        signature.broken = e instanceof LinkageError;
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
