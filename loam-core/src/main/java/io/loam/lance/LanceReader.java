package io.loam.lance;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.Field;
import io.loam.schema.SparseVector;
import io.loam.schema.TypeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads one version of a dataset. Safe for use by several threads. Row ids may come in any order
 * and more than once; a row that the version does not have is a {@code CORRUPT_OBJECT}. Columns of
 * fields that the version does not have read as null.
 */
public final class LanceReader implements AutoCloseable {
  private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;
  private static final int SCAN_BATCH_ROWS = 8192;
  private static final int SOURCE_BATCH_ROWS = 1024;
  private static final int SCAN_BATCH_BYTES = 8 << 20;

  // Lance answers a take with one array of bytes, so large ones are asked for in parts.
  private static final int FIRST_TAKE_ROWS = 256;
  private static final int TAKE_ROWS = 16_384;
  private static final long TAKE_BYTES = 32L << 20;

  /** Reads one value of a batch. */
  private interface Cell<V extends FieldVector, T> {
    @Nullable T get(V column, int row);
  }

  private final DatasetPool.Lease lease;

  LanceReader(DatasetPool.Lease lease) {
    this.lease = lease;
  }

  DatasetPool.Lease lease() {
    return lease;
  }

  /** Where this reads. */
  public LanceAddress address() {
    return lease.address();
  }

  /** Rows of this version. */
  public long rowCount() {
    return LanceCalls.reading(lease.address(), () -> lease.dataset().countRows());
  }

  /** The version's fragments, in the order of its manifest. */
  public List<LanceFragment> fragments() {
    return LanceCalls.reading(
        lease.address(),
        () ->
            lease.dataset().getFragments().stream()
                .map(f -> LanceFragment.of(f.metadata()))
                .toList());
  }

  /** JSON bodies, aligned to {@code rowIds}. */
  public String[] sources(long[] rowIds) {
    return take(
        LanceColumns.SOURCE,
        VarCharVector.class,
        rowIds,
        String[]::new,
        (c, row) -> c.getObject(row).toString());
  }

  /** Canonical key bytes, aligned to {@code rowIds}. */
  public byte[][] keys(long[] rowIds) {
    return take(
        LanceColumns.KEY, VarBinaryVector.class, rowIds, byte[][]::new, VarBinaryVector::get);
  }

  /** Vectors of a {@code VECTOR} field, aligned to {@code rowIds}, null where a row has none. */
  public float @Nullable [][] vectors(int fieldNumber, long[] rowIds) {
    return take(
        LanceColumns.vector(fieldNumber),
        FixedSizeListVector.class,
        rowIds,
        float[][]::new,
        ArrowValues::dense);
  }

  /** Vectors of a {@code SPARSEVECTOR} field, aligned to {@code rowIds}. */
  public @Nullable SparseVector[] sparse(int fieldNumber, long[] rowIds) {
    return take(
        LanceColumns.sparse(fieldNumber),
        StructVector.class,
        rowIds,
        SparseVector[]::new,
        ArrowValues::sparse);
  }

  /**
   * All vectors of a fragment, by physical row.
   *
   * @param physicalRows rows in the fragment's files, deleted ones included
   * @return of dimension 0, all null, where the version has no such field
   */
  public FragmentVectors vectors(int fragmentId, int fieldNumber, int physicalRows) {
    String name = LanceColumns.vector(fieldNumber);
    int dimension = lease.dimension(name);
    long[] nulls = new long[(physicalRows + 63) / 64];
    Arrays.fill(nulls, -1L);
    if (dimension == 0) {
      return new FragmentVectors(new float[0], 0, nulls);
    }
    if ((long) physicalRows * dimension > LONGEST_ARRAY) {
      throw new LoamException(
          ErrorCode.LIMIT_EXCEEDED,
          "fragment too large for one array: fragment="
              + fragmentId
              + ", rows="
              + physicalRows
              + ", dimension="
              + dimension
              + "; load the rows in smaller commits");
    }
    float[] data = new float[physicalRows * dimension];
    int batchRows = Math.max(1, Math.min(SCAN_BATCH_ROWS, SCAN_BATCH_BYTES / (4 * dimension)));
    try (FragmentScan scan =
        FragmentScan.open(lease.address(), lease.dataset(), fragmentId, List.of(name), batchRows)) {
      while (scan.next()) {
        FixedSizeListVector column = (FixedSizeListVector) scan.column(name);
        copyRuns(scan, column, physicalRows, data, nulls);
      }
    }
    return new FragmentVectors(data, dimension, nulls);
  }

  /** Takes the vector of a row, which starts at {@code offset}. */
  @FunctionalInterface
  public interface VectorConsumer {
    void accept(long rowId, float[] data, int offset);
  }

  /**
   * Reads the vectors of a fragment's live rows, in their order; rows without one are left out.
   *
   * @param rows of the fragment that are read
   * @param checkpoint called now and then; what it throws ends the reading
   */
  public void scanVectors(
      int fragmentId,
      int fieldNumber,
      RowStretch rows,
      VectorConsumer consumer,
      Runnable checkpoint) {
    String name = LanceColumns.vector(fieldNumber);
    int dimension = lease.dimension(name);
    if (dimension == 0) {
      return;
    }
    int batchRows = Math.max(1, Math.min(SCAN_BATCH_ROWS, SCAN_BATCH_BYTES / (4 * dimension)));
    float[] batch = new float[0];
    try (FragmentScan scan =
        FragmentScan.open(
            lease.address(), lease.dataset(), fragmentId, List.of(name), batchRows, rows)) {
      while (scan.next()) {
        checkpoint.run();
        FixedSizeListVector column = (FixedSizeListVector) scan.column(name);
        if (batch.length < scan.rows() * dimension) {
          batch = new float[scan.rows() * dimension];
        }
        ArrowValues.copyDense(column, 0, scan.rows(), batch, 0);
        for (int row = 0; row < scan.rows(); row++) {
          if (!column.isNull(row)) {
            consumer.accept(scan.rowId(row), batch, row * dimension);
          }
        }
      }
    }
  }

  /** Copies a batch in runs of rows that lie side by side in the fragment. */
  private void copyRuns(
      FragmentScan scan, FixedSizeListVector column, int physicalRows, float[] data, long[] nulls) {
    int dimension = column.getListSize();
    int rows = scan.rows();
    for (int first = 0; first < rows; ) {
      int offset = scan.offset(first);
      int end = first + 1;
      while (end < rows && scan.offset(end) == offset + (end - first)) {
        end++;
      }
      if (offset < 0 || offset + (end - first) > physicalRows) {
        throw corrupt(lease.uri(), "more rows than expected: rows=" + physicalRows);
      }
      ArrowValues.copyDense(column, first, end - first, data, offset * dimension);
      for (int i = first; i < end; i++) {
        if (!column.isNull(i)) {
          int row = offset + (i - first);
          nulls[row >> 6] &= ~(1L << row);
        }
      }
      first = end;
    }
  }

  /**
   * Hands over the live rows of a fragment in physical order.
   *
   * @param vectorFields fields of kind {@code VECTOR} or {@code SPARSEVECTOR} to read; the order of
   *     {@link LanceRow#vectors}
   */
  public void scan(int fragmentId, List<Field> vectorFields, RowConsumer consumer) {
    List<String> columns = new ArrayList<>(List.of(LanceColumns.KEY, LanceColumns.SOURCE));
    vectorFields.stream().map(LanceColumns::name).filter(lease::hasColumn).forEach(columns::add);
    try (FragmentScan scan =
        FragmentScan.open(
            lease.address(), lease.dataset(), fragmentId, columns, SOURCE_BATCH_ROWS)) {
      while (scan.next()) {
        VarBinaryVector keys = (VarBinaryVector) scan.column(LanceColumns.KEY);
        VarCharVector sources = (VarCharVector) scan.column(LanceColumns.SOURCE);
        for (int row = 0; row < scan.rows(); row++) {
          @Nullable Object[] vectors = new @Nullable Object[vectorFields.size()];
          for (int f = 0; f < vectors.length; f++) {
            vectors[f] = value(scan, vectorFields.get(f), row);
          }
          consumer.accept(
              scan.rowId(row),
              new LanceRow(keys.get(row), sources.getObject(row).toString(), vectors));
        }
      }
    }
  }

  private @Nullable Object value(FragmentScan scan, Field field, int row) {
    String name = LanceColumns.name(field);
    if (!lease.hasColumn(name)) {
      return null;
    }
    return field.kind() == TypeKind.VECTOR
        ? ArrowValues.dense((FixedSizeListVector) scan.column(name), row)
        : ArrowValues.sparse((StructVector) scan.column(name), row);
  }

  private <V extends FieldVector, T> T[] take(
      String name, Class<V> type, long[] rowIds, IntFunction<T[]> array, Cell<V, T> cell) {
    lease.dataset(); // fails if closed, even where there is nothing to read
    T[] values = array.apply(rowIds.length);
    if (!lease.hasColumn(name)) {
      return values; // Lance ends the process when asked for a column that it lacks
    }
    int rows = FIRST_TAKE_ROWS;
    for (int from = 0; from < rowIds.length; ) {
      int to = Math.min(rowIds.length, from + rows);
      long bytes = takePart(name, type, rowIds, from, to, values, cell);
      rows = (int) Math.max(1, Math.min(TAKE_ROWS, TAKE_BYTES * (to - from) / Math.max(1, bytes)));
      from = to;
    }
    return values;
  }

  /** Reads the values of some row ids. Returns how many bytes Lance answered with. */
  private <V extends FieldVector, T> long takePart(
      String name, Class<V> type, long[] rowIds, int from, int to, T[] values, Cell<V, T> cell) {
    List<Long> part = Arrays.stream(rowIds, from, to).boxed().toList();
    return LanceCalls.reading(
        lease.address(),
        () -> {
          int next = from;
          try (ArrowReader reader =
              lease.dataset().takeRows(part, List.of(LanceColumns.ROW_ID, name))) {
            while (reader.loadNextBatch()) {
              VectorSchemaRoot root = reader.getVectorSchemaRoot();
              UInt8Vector ids = (UInt8Vector) root.getVector(LanceColumns.ROW_ID);
              V column = type.cast(root.getVector(name));
              // Lance leaves rows out that it does not have, and says nothing.
              for (int row = 0; row < root.getRowCount(); row++) {
                if (next == to || ids.get(row) != rowIds[next]) {
                  throw missingRow(next == to ? ids.get(row) : rowIds[next]);
                }
                values[next++] = cell.get(column, row);
              }
            }
            if (next < to) {
              throw missingRow(rowIds[next]);
            }
            return reader.bytesRead();
          }
        });
  }

  private LoamException missingRow(long rowId) {
    return corrupt(lease.uri(), "row is missing: rowId=" + rowId);
  }

  static LoamException corrupt(String uri, String facts) {
    return new LoamException(
        ErrorCode.CORRUPT_OBJECT, facts + ", uri=" + uri + "; restore the dataset from a copy");
  }

  /** Lets the version go. Other readers of it are not disturbed. */
  @Override
  public void close() {
    lease.close();
  }
}
