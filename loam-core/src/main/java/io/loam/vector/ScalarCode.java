package io.loam.vector;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One byte a component, then how far the vector is from what they say and its squared norm, as two
 * floats. From 64 dimensions on, what is scanned is one bit a component, as in {@link VectorCodes},
 * with the list's centroid in place of the mean.
 */
final class ScalarCode implements RowCode {
  /** The greatest code. */
  static final int LEVELS = 255;

  private static final int LEAST_DIMENSION_OF_BITS = 64;

  private final Training training;
  private final int dimension;
  private final boolean bits;
  private final Rotation rotation;
  private final float[] rotated;
  private final long[] record;

  ScalarCode(Training training) {
    this.training = training;
    this.dimension = training.dimension();
    this.bits = hasBits(dimension);
    this.rotation = new Rotation(dimension, VectorCodes.SEED);
    this.rotated = new float[dimension];
    this.record = new long[VectorCodes.words(dimension) + VectorCodes.EXTRA_WORDS];
  }

  static boolean hasBits(int dimension) {
    return dimension >= LEAST_DIMENSION_OF_BITS;
  }

  @Override
  public int scanBytes() {
    return bits ? Long.BYTES * record.length : 0;
  }

  @Override
  public int refineBytes() {
    return dimension + 2 * Float.BYTES;
  }

  @Override
  public void encode(
      float[] vector, float[] prepared, int list, ByteBuffer scan, ByteBuffer refine) {
    if (bits) {
      Arrays.fill(record, 0);
      for (int d = 0; d < dimension; d++) {
        rotated[d] = prepared[d] - training.centroids()[list * dimension + d];
      }
      rotation.apply(rotated);
      VectorCodes.encode(rotated, record, prepared);
      for (long word : record) {
        scan.putLong(word);
      }
    }
    double squaredError = 0;
    for (int d = 0; d < dimension; d++) {
      float step = training.step()[d];
      float low = training.low()[d];
      int code = step == 0 ? 0 : Math.round((prepared[d] - low) / step);
      code = Math.max(0, Math.min(LEVELS, code));
      refine.put((byte) code);
      double error = (double) prepared[d] - (low + code * step);
      squaredError += error * error;
    }
    refine.putFloat(Math.nextUp((float) Math.sqrt(squaredError)));
    refine.putFloat((float) ExactKernel.squaredNorm(prepared, 0, dimension));
  }
}
