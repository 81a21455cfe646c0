package io.loam.vector;

/**
 * A query as {@link ProductScan} compares it with codes: a row's estimate is what the query has to
 * do with the list's centroid, and the {@linkplain #sum sum} over its codes, and the weight times
 * its {@link ProductCorrection}. It is the dot product, or less than 0 the squared distance, under
 * cosine of vectors that are brought to length 1.
 *
 * @param point the query as vectors are coded
 * @param products by part and code
 * @param weight of the corrections
 */
record ProductQuery(Training training, float[] point, float[] products, float weight) {

  static ProductQuery of(float[] query, Training training) {
    float[] point = query.clone();
    training.prepare(point);
    float[] mean = training.mean();
    boolean dot = training.metric() == Metric.DOT;
    double share = dot ? shareOf(mean, point) : 1;
    float[] rest = new float[point.length];
    for (int d = 0; d < rest.length; d++) {
      rest[d] = (float) ((point[d] - share * mean[d]) * (dot ? 1 : 2));
    }
    return new ProductQuery(
        training, point, training.codebookProducts(rest), dot ? (float) share : -1);
  }

  /** How much of a vector lies in another one, in which codes are to leave no error. */
  private static double shareOf(float[] mean, float[] vector) {
    double squaredNorm = ExactKernel.squaredNorm(mean, 0, mean.length);
    return squaredNorm == 0 ? 0 : ExactKernel.dot(vector, mean, 0, mean.length) / squaredNorm;
  }

  float ofCentroid(int list) {
    int dimension = training.dimension();
    float[] centroids = training.centroids();
    return (float)
        (training.metric() == Metric.DOT
            ? ExactKernel.dot(point, centroids, list * dimension, dimension)
            : -ExactKernel.squaredDistance(point, centroids, list * dimension, dimension));
  }

  /** The sum over a row's codes, in four, of which none waits for another. */
  float sum(byte[] codes, int at) {
    int parts = training.subVectors();
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    int part = 0;
    int word = 0;
    for (; part + 4 <= parts; part += 4, word += 4 * ProductCode.WORDS) {
      s0 += products[word + (codes[at + part] & 0xFF)];
      s1 += products[word + ProductCode.WORDS + (codes[at + part + 1] & 0xFF)];
      s2 += products[word + 2 * ProductCode.WORDS + (codes[at + part + 2] & 0xFF)];
      s3 += products[word + 3 * ProductCode.WORDS + (codes[at + part + 3] & 0xFF)];
    }
    for (; part < parts; part++, word += ProductCode.WORDS) {
      s0 += products[word + (codes[at + part] & 0xFF)];
    }
    return (s0 + s1) + (s2 + s3);
  }
}
