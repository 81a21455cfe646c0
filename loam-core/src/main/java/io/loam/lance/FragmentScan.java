package io.loam.lance;

import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.lance.Dataset;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;

/** The live rows of a fragment, batch by batch. */
final class FragmentScan implements AutoCloseable {
  private final String uri;
  private final int fragmentId;
  private final LanceScanner scanner;
  private final ArrowReader batches;

  private FragmentScan(String uri, int fragmentId, LanceScanner scanner, ArrowReader batches) {
    this.uri = uri;
    this.fragmentId = fragmentId;
    this.scanner = scanner;
    this.batches = batches;
  }

  /**
   * @param batchRows most rows of a batch, at least 1
   */
  static FragmentScan open(
      String uri, Dataset dataset, int fragmentId, List<String> columns, int batchRows) {
    ScanOptions options =
        new ScanOptions.Builder()
            .fragmentIds(List.of(fragmentId))
            .columns(columns)
            .batchSize(batchRows)
            .withRowId(true)
            .withRowAddress(true)
            .build();
    return LanceCalls.reading(
        uri,
        () -> {
          LanceScanner scanner = dataset.newScan(options);
          try {
            return new FragmentScan(uri, fragmentId, scanner, scanner.scanBatches());
          } catch (RuntimeException e) {
            scanner.close();
            throw e;
          }
        });
  }

  /** Goes to the next batch, or returns false after the last. */
  boolean next() {
    return LanceCalls.reading(uri, batches::loadNextBatch);
  }

  int rows() {
    return root().getRowCount();
  }

  FieldVector column(String name) {
    return root().getVector(name);
  }

  long rowId(int row) {
    return ((UInt8Vector) column(LanceColumns.ROW_ID)).get(row);
  }

  /** The row's place in the fragment's files. */
  int offset(int row) {
    long address = ((UInt8Vector) column(LanceColumns.ROW_ADDRESS)).get(row);
    if (address >>> 32 != fragmentId) {
      throw LanceReader.corrupt(uri, "row of another fragment: fragment=" + (address >>> 32));
    }
    return (int) address;
  }

  private VectorSchemaRoot root() {
    return LanceCalls.reading(uri, batches::getVectorSchemaRoot);
  }

  @Override
  public void close() {
    LanceCalls.reading(
        uri,
        () -> {
          try (scanner) {
            batches.close();
          }
          return true;
        });
  }
}
