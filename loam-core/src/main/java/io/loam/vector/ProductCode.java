package io.loam.vector;

import java.nio.ByteBuffer;

/**
 * The vector less its list's centroid, in parts of a few components: for each, one byte that says
 * which vector of the codebook is nearest. Then a {@link ProductCorrection}, as a float.
 */
final class ProductCode implements RowCode {
  /** Vectors of the codebook for each part. */
  static final int WORDS = 256;

  private final Training training;
  private final int format;
  private final int dimension;
  private final int width;
  private final NearestCentroid[] nearest;
  private final ProductCorrection correction;
  private final byte[] codes;
  private final float[] residual;
  private final float[] sums = new float[WORDS];

  /**
   * @param format of the file
   */
  ProductCode(Training training, int format) {
    this.training = training;
    this.format = format;
    this.dimension = training.dimension();
    this.codes = new byte[training.subVectors()];
    this.width = dimension / codes.length;
    this.correction = new ProductCorrection(training);
    this.residual = new float[width];
    this.nearest = new NearestCentroid[codes.length];
    for (int part = 0; part < codes.length; part++) {
      float[] words = new float[WORDS * width];
      System.arraycopy(training.codebook(), part * words.length, words, 0, words.length);
      nearest[part] = new NearestCentroid(words, width, false);
    }
  }

  @Override
  public int scanBytes() {
    return codes.length + Float.BYTES;
  }

  @Override
  public int refineBytes() {
    return 0;
  }

  @Override
  public void encode(
      float[] vector, float[] prepared, int list, ByteBuffer scan, ByteBuffer refine) {
    for (int part = 0; part < codes.length; part++) {
      for (int d = 0; d < width; d++) {
        int component = part * width + d;
        residual[d] = prepared[component] - training.centroids()[list * dimension + component];
      }
      codes[part] = (byte) nearest[part].nearest(residual, sums);
    }
    scan.put(codes);
    scan.putFloat(
        SegmentFile.hasCorrections(format)
            ? correction.of(prepared, list, codes)
            : (float) ExactKernel.squaredNorm(prepared, 0, dimension));
  }
}
