package io.loam.calcite;

import io.loam.query.Aggregation;
import io.loam.query.OutputColumn;
import io.loam.query.RowBatch;
import io.loam.schema.CollectionSchema;
import io.loam.schema.SparseText;
import io.loam.schema.SparseVector;
import io.loam.schema.TypeKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns batches of columns into Calcite's rows, a column at a time. Calcite's values differ from
 * core's in these: DATE is int days, TIMESTAMP long microseconds, a vector a list, a sparse vector
 * text.
 */
final class RowReader {
  /** Reads one value of a column that is not null. */
  private interface ValueReader {
    @Nullable Object read(RowBatch.Values values, int row);
  }

  private final List<ValueReader> readers;

  private RowReader(List<ValueReader> readers) {
    this.readers = readers;
  }

  static RowReader of(CollectionSchema schema, List<OutputColumn> columns) {
    return new RowReader(columns.stream().map(c -> readerOf(schema, c)).toList());
  }

  /** Reads groups. */
  static RowReader of(CollectionSchema schema, Aggregation aggregation) {
    List<ValueReader> readers = new ArrayList<>();
    aggregation.groupFields().forEach(f -> readers.add(readerOf(schema, OutputColumn.field(f))));
    for (Aggregation.Call call : aggregation.calls()) {
      readers.add(
          switch (call.function()) {
            case COUNT_ROWS, COUNT, COUNT_DISTINCT -> RowBatch.Values::getLong;
            case WIDE_SUM -> RowBatch.Values::get;
            case SUM -> sumReader(schema.field(call.fieldNumber()).kind());
            case MIN, MAX -> readerOf(schema, OutputColumn.field(call.fieldNumber()));
          });
    }
    return new RowReader(readers);
  }

  /** Whole numbers add up to BIGINT, and REAL to DOUBLE. */
  private static ValueReader sumReader(TypeKind kind) {
    return switch (kind) {
      case DECIMAL -> RowBatch.Values::get;
      case DOUBLE, REAL -> RowBatch.Values::getDouble;
      default -> RowBatch.Values::getLong;
    };
  }

  /** The batch's rows: {@code Object[]}s, or bare values where there is one column. */
  @Nullable Object[] read(RowBatch batch) {
    if (readers.size() == 1) {
      @Nullable Object[] values = new Object[batch.size()];
      for (int row = 0; row < values.length; row++) {
        values[row] = read(0, batch, row);
      }
      return values;
    }
    @Nullable Object[][] rows = new Object[batch.size()][readers.size()];
    for (int column = 0; column < readers.size(); column++) {
      for (int row = 0; row < rows.length; row++) {
        rows[row][column] = read(column, batch, row);
      }
    }
    return rows;
  }

  private @Nullable Object read(int column, RowBatch batch, int row) {
    RowBatch.Values values = batch.columns().get(column);
    return values.isNull(row) ? null : readers.get(column).read(values, row);
  }

  private static ValueReader readerOf(CollectionSchema schema, OutputColumn column) {
    return switch (column.kind()) {
      case SCORE, DISTANCE, LEG_SCORE -> RowBatch.Values::getDouble;
      case RANK, ROW_ID, VERSION -> RowBatch.Values::getLong;
      case SOURCE -> RowBatch.Values::get;
      case FIELD ->
          switch (schema.field(column.number()).kind()) {
            case BIGINT, TIMESTAMP -> RowBatch.Values::getLong;
            case INTEGER, DATE -> (values, row) -> (int) values.getLong(row);
            case REAL -> (values, row) -> (float) values.getDouble(row);
            case DOUBLE -> RowBatch.Values::getDouble;
            case BOOLEAN -> (values, row) -> values.getLong(row) != 0;
            case DECIMAL, UUID, VARCHAR, VARCHAR_ARRAY, TEXT, JSON -> RowBatch.Values::get;
            case VECTOR -> (values, row) -> new VectorView((float[]) values.get(row));
            case SPARSEVECTOR -> (values, row) -> SparseText.format((SparseVector) values.get(row));
          };
    };
  }
}
