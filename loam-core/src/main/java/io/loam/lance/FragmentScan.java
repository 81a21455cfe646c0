package io.loam.lance;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;

/** The live rows of a fragment, batch by batch. */
final class FragmentScan implements AutoCloseable {
  private final LanceAddress dataset;
  private final int fragmentId;
  private final LanceScanner scanner;
  private final ArrowReader batches;
  private final VectorSchemaRoot root;
  private final UInt8Vector rowIds;
  private final UInt8Vector addresses;

  private FragmentScan(
      LanceAddress dataset, int fragmentId, LanceScanner scanner, ArrowReader batches)
      throws IOException {
    this.dataset = dataset;
    this.fragmentId = fragmentId;
    this.scanner = scanner;
    this.batches = batches;
    this.root = batches.getVectorSchemaRoot();
    this.rowIds = (UInt8Vector) root.getVector(LanceColumns.ROW_ID);
    this.addresses = (UInt8Vector) root.getVector(LanceColumns.ROW_ADDRESS);
  }

  /**
   * @param batchRows most rows of a batch, at least 1
   */
  static FragmentScan open(
      LanceAddress address, Dataset dataset, int fragmentId, List<String> columns, int batchRows) {
    return open(address, dataset, fragmentId, options(fragmentId, columns, batchRows).build());
  }

  /** Likewise, of some rows only. */
  static FragmentScan open(
      LanceAddress address,
      Dataset dataset,
      int fragmentId,
      List<String> columns,
      int batchRows,
      RowStretch rows) {
    ScanOptions options =
        options(fragmentId, columns, batchRows).offset(rows.first()).limit(rows.count()).build();
    return open(address, dataset, fragmentId, options);
  }

  private static ScanOptions.Builder options(int fragmentId, List<String> columns, int batchRows) {
    return new ScanOptions.Builder()
        .fragmentIds(List.of(fragmentId))
        .columns(columns)
        .batchSize(batchRows)
        .withRowId(true)
        .withRowAddress(true);
  }

  private static FragmentScan open(
      LanceAddress address, Dataset dataset, int fragmentId, ScanOptions options) {
    return LanceCalls.reading(
        address,
        () -> {
          LanceScanner scanner = dataset.newScan(options);
          ArrowReader batches = null;
          try {
            batches = scanner.scanBatches();
            return new FragmentScan(address, fragmentId, scanner, batches);
          } catch (IOException | RuntimeException e) {
            close(scanner, batches);
            throw e;
          }
        });
  }

  /** Goes to the next batch, or returns false after the last. */
  boolean next() {
    return LanceCalls.reading(dataset, batches::loadNextBatch);
  }

  int rows() {
    return root.getRowCount();
  }

  FieldVector column(String name) {
    return root.getVector(name);
  }

  long rowId(int row) {
    return rowIds.get(row);
  }

  /** The row's place in the fragment's files. */
  int offset(int row) {
    long address = addresses.get(row);
    if (address >>> 32 != fragmentId) {
      throw LanceReader.corrupt(
          dataset.uri(), "row of another fragment: fragment=" + (address >>> 32));
    }
    return (int) address;
  }

  @Override
  public void close() {
    LanceCalls.reading(
        dataset,
        () -> {
          close(scanner, batches);
          return true;
        });
  }

  private static void close(LanceScanner scanner, @Nullable ArrowReader batches) throws Exception {
    try (scanner;
        batches) {
      // Both are closed, whatever the first one throws.
    }
  }
}
