package io.loam.lance;

import io.loam.manifest.RowIdRange;
import io.loam.manifest.RowIdRanges;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The live rows of some fragments of a version, one fragment after another, as Arrow batches which
 * Lance pulls one by one while it writes. Columns that the version does not have are null.
 */
final class LiveRowsReader extends BatchReader {
  private static final int BATCH_ROWS = 1024;

  private final DatasetPool.Lease version;
  private final Schema schema;
  private final List<String> columns;
  private final Iterator<Integer> fragments;
  private final Runnable checkpoint;
  private final RowIdRanges rowIds = new RowIdRanges();
  private @Nullable FragmentScan scan;

  LiveRowsReader(
      BufferAllocator allocator,
      DatasetPool.Lease version,
      CollectionSchema schema,
      List<Integer> fragments,
      Runnable checkpoint) {
    super(allocator);
    this.checkpoint = checkpoint;
    this.version = version;
    this.schema = LanceColumns.arrow(schema);
    this.columns = new ArrayList<>(LanceColumns.FIXED);
    LanceColumns.vectorFields(schema).stream()
        .map((Field f) -> LanceColumns.name(f))
        .filter(version::hasColumn)
        .forEach(columns::add);
    this.fragments = fragments.iterator();
  }

  /** Ids of the rows handed over so far, in their order. */
  List<RowIdRange> rowIds() {
    return rowIds.toList();
  }

  @Override
  boolean load(VectorSchemaRoot root) throws IOException {
    checkpoint.run();
    while (true) {
      if (scan == null) {
        if (!fragments.hasNext()) {
          return false;
        }
        scan =
            FragmentScan.open(
                version.address(), version.dataset(), fragments.next(), columns, BATCH_ROWS);
      }
      if (!scan.next()) {
        closeScan();
      } else if (scan.rows() > 0) {
        take(scan, root);
        return true;
      }
    }
  }

  /** Moves a batch, whose memory is handed over, not copied. */
  private void take(FragmentScan from, VectorSchemaRoot root) {
    int rows = from.rows();
    for (FieldVector target : root.getFieldVectors()) {
      if (columns.contains(target.getName())) {
        from.column(target.getName()).makeTransferPair(target).transfer();
      } else {
        target.reset();
        target.setInitialCapacity(rows);
        target.allocateNew();
      }
    }
    root.setRowCount(rows);
    for (int row = 0; row < rows; row++) {
      rowIds.add(from.rowId(row));
    }
  }

  private void closeScan() {
    FragmentScan open = scan;
    scan = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  protected void closeReadSource() {
    closeScan();
  }

  @Override
  protected Schema readSchema() {
    return schema;
  }
}
