package io.loam.vector;

import java.nio.ByteBuffer;

/**
 * Makes what a segment keeps of one vector. There are two parts: what a search scans, and what it
 * looks at only for the most promising vectors. Used by one thread.
 */
interface RowCode {
  /** Bytes of the part that is scanned. */
  int scanBytes();

  /** Bytes of the other part, 0 where there is none. */
  int refineBytes();

  /**
   * Writes the parts at the buffers' positions.
   *
   * @param vector as it is
   * @param prepared as {@link Training#prepare} gives it
   */
  void encode(float[] vector, float[] prepared, int list, ByteBuffer scan, ByteBuffer refine);

  /** As new files have it. */
  static RowCode of(Training training) {
    return of(training, SegmentFile.VERSION);
  }

  /** As files of a format have it. */
  static RowCode of(Training training, int format) {
    return switch (training.kind()) {
      case IVF_FLAT -> new FlatCode(training.dimension());
      case IVF_SQ -> new ScalarCode(training);
      case IVF_PQ -> new ProductCode(training, format);
    };
  }
}
