package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.linq4j.QueryProvider;
import org.apache.calcite.linq4j.function.Function1;
import org.apache.calcite.schema.SchemaPlus;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a query that reads itself: those of its first part, then round by round those that
 * its other part makes of the rows of the round before, until a round gives none. Used by one
 * thread.
 */
public final class RecursiveRows implements Enumerator<@Nullable Object> {
  private static final int MOST_ROWS = Limits.MAX_STATEMENT_ROWS;
  private static final String PREFIX = "loam.round.";

  private final DataContext statement;
  private final Function1<DataContext, Enumerable<@Nullable Object>> next;

  /** What the other part reads. */
  private final List<@Nullable Object> before = new ArrayList<>();

  /** The rows so far, where each is given once only. */
  private final @Nullable Set<@Nullable Object> given;

  private List<@Nullable Object> round = new ArrayList<>();
  private Enumerator<@Nullable Object> rows;
  private @Nullable Object row;

  private RecursiveRows(
      DataContext outer,
      String name,
      boolean all,
      Function1<DataContext, Enumerable<@Nullable Object>> first,
      Function1<DataContext, Enumerable<@Nullable Object>> next) {
    this.statement = new Scope(outer, PREFIX + name, before);
    this.next = next;
    this.given = all ? null : new HashSet<>();
    this.rows = first.apply(statement).enumerator();
  }

  /**
   * Called by generated code.
   *
   * @param name by which the parts find the rows of the round before
   * @param all whether a row may be given more than once
   * @param first makes the rows of the first part
   * @param next makes the rows of a round
   */
  public static Enumerable<@Nullable Object> of(
      DataContext statement,
      String name,
      boolean all,
      Function1<DataContext, Enumerable<@Nullable Object>> first,
      Function1<DataContext, Enumerable<@Nullable Object>> next) {
    return new AbstractEnumerable<>() {
      @Override
      public Enumerator<@Nullable Object> enumerator() {
        return new RecursiveRows(statement, name, all, first, next);
      }
    };
  }

  /** Called by generated code: what a query of that name reads of itself. */
  @SuppressWarnings("unchecked") // As a scope has it.
  public static Enumerable<@Nullable Object> before(DataContext scope, String name) {
    Object rows = scope.get(PREFIX + name);
    if (rows == null) {
      // Calcite does not look for them there, and makes no rounds.
      throw new LoamException(
          ErrorCode.UNSUPPORTED,
          "recursive query reads itself in subqueries only: query="
              + name
              + "; name it in FROM, as a JOIN does");
    }
    return Linq4j.asEnumerable((List<@Nullable Object>) rows);
  }

  @Override
  public @Nullable Object current() {
    return row;
  }

  @Override
  public boolean moveNext() {
    while (true) {
      while (rows.moveNext()) {
        Checkpoints.pass(statement);
        row = rows.current();
        if (given == null || given.add(comparable(row))) {
          keep(row);
          return true;
        }
      }
      close();
      if (round.isEmpty()) {
        return false;
      }
      before.clear();
      before.addAll(round);
      round = new ArrayList<>();
      rows = next.apply(statement).enumerator();
    }
  }

  private void keep(@Nullable Object kept) {
    round.add(kept);
    if (round.size() > MOST_ROWS || (given != null && given.size() > MOST_ROWS)) {
      throw new LoamException(
          ErrorCode.LIMIT_EXCEEDED,
          "recursive query has too many rows: "
              + (given == null ? "in one round" : "in all")
              + ", limit="
              + MOST_ROWS
              + "; give its other part a condition that ends it");
    }
  }

  private static @Nullable Object comparable(@Nullable Object row) {
    return row instanceof @Nullable Object[] values ? Arrays.asList(values) : row;
  }

  @Override
  public void reset() {
    throw new UnsupportedOperationException("rows are read once");
  }

  @Override
  public void close() {
    Enumerator<@Nullable Object> read = rows;
    rows = Linq4j.emptyEnumerator();
    read.close();
  }

  /** A statement that knows the rows of a round, as no other does. */
  private record Scope(DataContext outer, String key, List<@Nullable Object> rows)
      implements DataContext {
    @Override
    public @Nullable Object get(String name) {
      return name.equals(key) ? rows : outer.get(name);
    }

    @Override
    public @Nullable SchemaPlus getRootSchema() {
      return outer.getRootSchema();
    }

    @Override
    public JavaTypeFactory getTypeFactory() {
      return outer.getTypeFactory();
    }

    @Override
    public QueryProvider getQueryProvider() {
      return outer.getQueryProvider();
    }
  }
}
