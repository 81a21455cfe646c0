package io.loam.calcite;

import io.loam.CollectionName;
import io.loam.Warehouse;
import io.loam.calcite.parser.SqlMergeClause.Action;
import io.loam.commit.WriteBatch;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.query.VersionSpec;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Limits;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows to a collection, as one commit or as part of a transaction. Called by generated code,
 * hence public.
 */
public final class RowSink {
  private final CollectionName collection;
  private final CollectionSchema schema;
  private final LoamModify.Mode mode;
  private final List<Action> mergeActions;
  private final List<FieldValues> values;

  /**
   * A sink.
   *
   * @param mergeActions what the clauses of a MERGE do
   */
  RowSink(
      CollectionName collection,
      CollectionSchema schema,
      LoamModify.Mode mode,
      List<Action> mergeActions) {
    this.collection = collection;
    this.schema = schema;
    this.mode = mode;
    this.mergeActions = mergeActions;
    this.values = schema.fields().stream().map(FieldValues::of).toList();
  }

  /** Writes the rows, all read before the first is written, and gives their number. */
  public Enumerable<Long> run(Enumerable<?> rows, DataContext context) {
    StatementContext statement = StatementContext.of(context);
    return new AbstractEnumerable<>() {
      @Override
      public Enumerator<Long> enumerator() {
        return Linq4j.singletonEnumerator(write(rows, statement));
      }
    };
  }

  private long write(Enumerable<?> rows, StatementContext statement) {
    WriteBatch batch = begin(statement);
    Set<Long> merged = new HashSet<>();
    long count = 0;
    try (Enumerator<?> row = rows.enumerator()) {
      while (row.moveNext()) {
        @Nullable Object[] columns =
            row.current() instanceof Object[] several ? several : new Object[] {row.current()};
        if (mode == LoamModify.Mode.MERGE && columns[columns.length - 1] == null) {
          continue; // No clause is for the row.
        }
        if (++count > Limits.MAX_STATEMENT_ROWS) {
          throw new LoamException(
              ErrorCode.LIMIT_EXCEEDED,
              "statement changes too many rows: limit="
                  + Limits.MAX_STATEMENT_ROWS
                  + "; change fewer at a time");
        }
        try {
          if (mode == LoamModify.Mode.MERGE) {
            merge(batch, columns, merged);
          } else {
            add(batch, columns);
          }
        } catch (LoamException e) {
          // Rows of an UPDATE come in no order that a user knows; batches' rows are their own.
          boolean known = mode != LoamModify.Mode.UPDATE && batch != statement.collected();
          throw known ? e.with("row=" + count) : e;
        }
      }
    }
    commit(batch, statement);
    return count;
  }

  /** The batch that the statement's rows go to. */
  WriteBatch begin(StatementContext statement) {
    statement.session().checkWritable();
    WriteBatch collected = statement.collected();
    if (collected != null) {
      return collected;
    }
    return mode.namesRowIds()
        ? WriteBatch.basedOn(statement.snapshot(collection, new VersionSpec.Latest()).version())
            .madeFor(schema)
        : newBatch();
  }

  /** A batch of rows that name no others. */
  WriteBatch newBatch() {
    return WriteBatch.create().madeFor(schema);
  }

  private void add(WriteBatch batch, @Nullable Object[] row) {
    switch (mode) {
      case INSERT -> batch.insert(values(row, 0));
      case UPSERT -> batch.upsert(values(row, 0));
      case UPDATE -> batch.replace((Long) row[values.size()], values(row, 0));
      case DELETE -> batch.delete((Long) row[0]);
      case MERGE -> throw new IllegalStateException("rows of MERGE are not alike");
    }
  }

  private void merge(WriteBatch batch, @Nullable Object[] row, Set<Long> merged) {
    int clause = ((Number) Objects.requireNonNull(row[row.length - 1])).intValue();
    long groups = mergeActions.subList(0, clause).stream().filter(a -> a != Action.DELETE).count();
    int start = (int) groups * values.size();
    Long rowId = (Long) row[row.length - 2];
    if (rowId != null && !merged.add(rowId)) {
      throw new LoamException(
          ErrorCode.CARDINALITY,
          "MERGE matches a row of the table with several rows of the source: table="
              + collection
              + "; make the ON condition or the source name each row once");
    }
    switch (mergeActions.get(clause)) {
      case INSERT -> batch.insert(values(row, start));
      case UPDATE -> batch.replace(Objects.requireNonNull(rowId), values(row, start));
      case DELETE -> batch.delete(Objects.requireNonNull(rowId));
    }
  }

  private @Nullable Object[] values(@Nullable Object[] row, int start) {
    @Nullable Object[] converted = new Object[values.size()];
    for (int i = 0; i < converted.length; i++) {
      converted[i] = values.get(i).cast(row[start + i]);
    }
    return converted;
  }

  /** Adds one row of operands. */
  void add(WriteBatch batch, List<Operand> row, DataContext context) {
    @Nullable Object[] converted = new Object[values.size()];
    for (int i = 0; i < converted.length; i++) {
      Object value = row.get(i).value(context);
      converted[i] =
          row.get(i).constant() ? values.get(i).cast(value) : values.get(i).convert(value);
    }
    if (mode == LoamModify.Mode.INSERT) {
      batch.insert(converted);
    } else {
      batch.upsert(converted);
    }
  }

  /** Commits the batch, unless it is collected with those of other executions. */
  void commit(WriteBatch batch, StatementContext statement) {
    if (batch != statement.collected() && !batch.isEmpty()) {
      write(batch, statement.session(), statement.warehouse());
    }
  }

  /** Makes a batch part of the session's transaction, or commits it. */
  void write(WriteBatch batch, Session session, Warehouse warehouse) {
    SqlTransaction transaction = session.transaction();
    if (transaction != null) {
      transaction.write(collection, schema, batch);
      return;
    }
    io.loam.Collection target = warehouse.get(collection);
    if (!target.schema().equals(schema)) {
      throw new StalePlanException(collection);
    }
    target.commit(batch);
  }
}
