package io.loam.vector;

import java.nio.ByteBuffer;

/** The vector, then its squared norm as {@link ExactKernel} gives it, in 64 bits. */
record FlatCode(int dimension) implements RowCode {

  @Override
  public int scanBytes() {
    return Float.BYTES * dimension + Double.BYTES;
  }

  @Override
  public int refineBytes() {
    return 0;
  }

  @Override
  public void encode(
      float[] vector, float[] prepared, int list, ByteBuffer scan, ByteBuffer refine) {
    for (float component : vector) {
      scan.putFloat(component);
    }
    scan.putDouble(ExactKernel.squaredNorm(vector, 0, dimension));
  }
}
