package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.query.Aggregation;
import io.loam.query.BatchCursor;
import io.loam.query.RowBatch;
import io.loam.query.SearchRequest;
import io.loam.query.Snapshot;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.jspecify.annotations.Nullable;

/** Runs a {@link ScanSpec}. Called by generated code, hence public. */
public final class ScanExecution {
  private final ScanSpec spec;

  ScanExecution(ScanSpec spec) {
    this.spec = spec;
  }

  /** A context in which a lateral search finds a value of the row that it is made for. */
  public static DataContext withOuter(DataContext context, String name, @Nullable Object value) {
    return new OuterRow(context, name, value);
  }

  /**
   * The rows: {@code Object[]}s, or bare values where there is one column. There are none for an
   * outer row that gives NULL.
   */
  public Enumerable<@Nullable Object> rows(DataContext context) {
    if (context instanceof OuterRow outer && outer.hasNull()) {
      return Linq4j.emptyEnumerable();
    }
    StatementContext statement = StatementContext.of(context);
    return new AbstractEnumerable<>() {
      @Override
      public Enumerator<@Nullable Object> enumerator() {
        Snapshot snapshot = statement.snapshot(spec.collection(), spec.version());
        checkSchema(snapshot.schema());
        SearchRequest request = spec.bind(context);
        if (spec.aggregation().isPresent()) {
          Aggregation groups = spec.aggregation().get();
          @Nullable Object[] rows =
              RowReader.of(spec.schema(), groups)
                  .read(snapshot.aggregate(request, groups, statement.profile(spec)));
          return Linq4j.enumerator(
              spec.groupOrder()
                  .map(order -> order.apply(rows, context))
                  .orElseGet(() -> Arrays.asList(rows)));
        }
        return new Rows(
            snapshot.query(request, statement.profile(spec)),
            RowReader.of(spec.schema(), spec.output()),
            statement);
      }
    };
  }

  /** A plan may outlive its schema: fields may have been added, but not changed. */
  private void checkSchema(CollectionSchema current) {
    if (current.equals(spec.schema())) {
      return;
    }
    List<Field> fields = current.fields();
    if (!fields.containsAll(spec.schema().fields())
        || current.keyField() != spec.schema().keyField()) {
      throw new LoamException(
          ErrorCode.CONFLICT,
          "collection has changed since the statement was prepared: collection="
              + spec.collection()
              + "; prepare it again");
    }
  }

  private static final class Rows implements Enumerator<@Nullable Object> {
    private final BatchCursor cursor;
    private final RowReader reader;
    private final StatementContext statement;
    private @Nullable Object[] rows = {};
    private int position = -1;

    Rows(BatchCursor cursor, RowReader reader, StatementContext statement) {
      this.cursor = cursor;
      this.reader = reader;
      this.statement = statement;
    }

    @Override
    public @Nullable Object current() {
      return rows[position];
    }

    @Override
    public boolean moveNext() {
      if (++position < rows.length) {
        return true;
      }
      statement.checkpoint();
      RowBatch batch = cursor.next();
      position = 0;
      rows = batch == null ? new Object[0] : reader.read(batch);
      return batch != null;
    }

    @Override
    public void reset() {
      throw new UnsupportedOperationException("rows are read once");
    }

    @Override
    public void close() {
      cursor.close();
    }
  }
}
