package io.loam.vector;

import java.nio.ByteBuffer;

/**
 * The vector less its list's centroid, in parts of a few components: for each, one byte that says
 * which vector of the codebook is nearest. Then the squared norm as a float.
 */
final class ProductCode implements RowCode {
  /** Vectors of the codebook for each part. */
  static final int WORDS = 256;

  private final Training training;
  private final int dimension;
  private final int parts;
  private final int width;
  private final NearestCentroid[] nearest;
  private final float[] residual;
  private final float[] sums = new float[WORDS];

  ProductCode(Training training) {
    this.training = training;
    this.dimension = training.dimension();
    this.parts = training.subVectors();
    this.width = dimension / parts;
    this.residual = new float[width];
    this.nearest = new NearestCentroid[parts];
    for (int part = 0; part < parts; part++) {
      float[] words = new float[WORDS * width];
      System.arraycopy(training.codebook(), part * words.length, words, 0, words.length);
      nearest[part] = new NearestCentroid(words, width, false);
    }
  }

  @Override
  public int scanBytes() {
    return parts + Float.BYTES;
  }

  @Override
  public int refineBytes() {
    return 0;
  }

  @Override
  public void encode(
      float[] vector, float[] prepared, int list, ByteBuffer scan, ByteBuffer refine) {
    for (int part = 0; part < parts; part++) {
      for (int d = 0; d < width; d++) {
        int component = part * width + d;
        residual[d] = prepared[component] - training.centroids()[list * dimension + component];
      }
      scan.put((byte) nearest[part].nearest(residual, sums));
    }
    scan.putFloat((float) ExactKernel.squaredNorm(prepared, 0, dimension));
  }
}
