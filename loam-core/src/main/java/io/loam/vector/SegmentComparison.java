package io.loam.vector;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Compares rows of a segment with vectors. Not safe for use by several threads. */
public final class SegmentComparison {
  private final Segment segment;
  private final RowCode code;
  private final float[] vector;
  private final float[] prepared;
  private final ByteBuffer scan;
  private final ByteBuffer others;

  public SegmentComparison(Segment segment) {
    this.segment = segment;
    this.code = RowCode.of(segment.training(), segment.format());
    this.vector = new float[segment.training().dimension()];
    this.prepared = new float[vector.length];
    this.scan = buffer(code.scanBytes());
    this.others = buffer(code.refineBytes());
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Whether a row's bytes are those that a vector gets in the list that the row is in. */
  public boolean isOf(int row, float[] data, int offset) {
    System.arraycopy(data, offset, vector, 0, vector.length);
    System.arraycopy(data, offset, prepared, 0, vector.length);
    segment.training().prepare(prepared);
    code.encode(vector, prepared, list(row), scan.clear(), others.clear());
    return scan.flip().equals(segment.scanned().slice(row * scan.capacity(), scan.capacity()))
        && others.flip().equals(segment.others().slice(row * others.capacity(), others.capacity()));
  }

  private int list(int row) {
    int low = 0;
    int high = segment.training().lists() - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (segment.starts()[middle + 1] <= row) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
