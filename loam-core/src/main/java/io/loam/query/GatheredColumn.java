package io.loam.query;

import io.loam.column.Column;
import io.loam.leaf.Leaf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A typed field's values for the rows of a batch, taken from the columns of the rows' leaves. */
final class GatheredColumn implements RowBatch.Values {
  private final @Nullable Column[] columns;
  private final DocSequence.Batch batch;

  private GatheredColumn(@Nullable Column[] columns, DocSequence.Batch batch) {
    this.columns = columns;
    this.batch = batch;
  }

  /** Reads the columns of those leaves that the batch has rows of. */
  static GatheredColumn of(List<Leaf> leaves, int fieldNumber, DocSequence.Batch batch) {
    @Nullable Column[] columns = new @Nullable Column[leaves.size()];
    boolean[] seen = new boolean[leaves.size()];
    for (int leaf : batch.leaves()) {
      if (!seen[leaf]) {
        seen[leaf] = true;
        columns[leaf] = leaves.get(leaf).column(fieldNumber).orElse(null);
      }
    }
    return new GatheredColumn(columns, batch);
  }

  @Override
  public boolean isNull(int row) {
    Column column = columns[batch.leaves()[row]];
    return column == null || column.isNull(batch.docs()[row]);
  }

  @Override
  public long getLong(int row) {
    return ((Column.Longs) column(row)).values()[batch.docs()[row]];
  }

  @Override
  public double getDouble(int row) {
    Column column = column(row);
    int doc = batch.docs()[row];
    return column instanceof Column.Doubles d
        ? d.values()[doc]
        : ((Column.Longs) column).values()[doc];
  }

  @Override
  public @Nullable Object get(int row) {
    Column column = columns[batch.leaves()[row]];
    return column == null ? null : column.value(batch.docs()[row]);
  }

  /** The column of a row whose value is not null. */
  private Column column(int row) {
    Column column = columns[batch.leaves()[row]];
    if (column == null) {
      throw new IllegalStateException("the value is null");
    }
    return column;
  }
}
