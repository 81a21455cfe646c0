package io.loam.vector;

/**
 * What an estimate from the codes of {@link ProductCode} needs to know of a row besides the sum of
 * the query's products with the words that they name.
 *
 * <p>With v the vector, c its list's centroid, r̂ what the codes say of v − c, and m the mean of
 * all centroids, the squared distance of a query q from what the codes say is |q − c|² − 2 (q −
 * m)·r̂ + (|r̂|² + 2 (c − m)·r̂), whose last term is the correction. It takes no norm of v or q, so
 * that little is lost where vectors lie far from the origin and near each other. Under the dot
 * product, q·v is q·c + (q − λm)·(v − c) + λ m·(v − c) for any λ, and m·(v − c), which needs no
 * codes, is the correction.
 */
final class ProductCorrection {
  private final Training training;
  private final int dimension;
  private final int width;

  ProductCorrection(Training training) {
    this.training = training;
    this.dimension = training.dimension();
    this.width = dimension / training.subVectors();
  }

  /**
   * The correction of a vector; NaN for one of which codes tell nothing, since its square is out of
   * range.
   */
  float of(float[] prepared, int list, byte[] codes) {
    double squaredNorm = ExactKernel.squaredNorm(prepared, 0, dimension);
    if (!CodeRange.holds(squaredNorm)) {
      return Float.NaN;
    }
    if (training.metric() == Metric.DOT) {
      double sum = 0;
      for (int d = 0; d < dimension; d++) {
        double rest = (double) prepared[d] - training.centroids()[list * dimension + d];
        sum += training.mean()[d] * rest;
      }
      return (float) sum;
    }
    // The cosine of a vector without direction is 0, as that of vectors at a right angle.
    boolean none = training.metric() == Metric.COSINE && squaredNorm == 0;
    return ofCodes(list, codes) + (none ? 1 : 0);
  }

  /** What codes alone tell of it. */
  float ofCodes(int list, byte[] codes) {
    boolean dot = training.metric() == Metric.DOT;
    float[] mean = training.mean();
    float[] codebook = training.codebook();
    float[] centroids = training.centroids();
    double sum = 0;
    for (int part = 0, d = 0; part < codes.length; part++) {
      int word = (part * ProductCode.WORDS + (codes[part] & 0xFF)) * width;
      for (int i = 0; i < width; i++, d++) {
        double coded = codebook[word + i];
        double centroid = centroids[list * dimension + d];
        sum += coded * (dot ? mean[d] : coded + 2 * (centroid - mean[d]));
      }
    }
    return (float) sum;
  }
}
