package io.loam.vector;

import java.util.Arrays;
import java.util.Random;

/** Lloyd's k-means over a sample; the same sample and seed give the same centroids. */
final class KMeans {
  private static final int ROUNDS = 10;

  private final float[] sample;
  private final int dimension;
  private final int count;
  private final boolean spherical;
  private final Random random;

  /**
   * @param sample vectors that follow each other, at least one
   * @param spherical whether centroids have length 1 and the greatest dot product is the nearest
   */
  KMeans(float[] sample, int dimension, boolean spherical, long seed) {
    this.sample = sample;
    this.dimension = dimension;
    this.count = sample.length / dimension;
    this.spherical = spherical;
    this.random = new Random(seed);
  }

  /**
   * Centroids that follow each other.
   *
   * @param wanted how many; fewer come back from a sample that has fewer vectors
   * @param checkpoint runs before each round
   */
  float[] centroids(int wanted, Runnable checkpoint) {
    int k = Math.min(wanted, count);
    float[] centroids = first(k);
    for (int round = 0; round < ROUNDS; round++) {
      checkpoint.run();
      int[] nearest = new NearestCentroid(centroids, dimension, spherical).nearest(sample, count);
      centroids = means(nearest, k);
    }
    return centroids;
  }

  /** Different vectors of the sample. */
  private float[] first(int k) {
    int[] order = new int[count];
    Arrays.setAll(order, i -> i);
    float[] centroids = new float[k * dimension];
    for (int i = 0; i < k; i++) {
      int other = i + random.nextInt(count - i);
      int chosen = order[other];
      order[other] = order[i];
      order[i] = chosen;
      System.arraycopy(sample, chosen * dimension, centroids, i * dimension, dimension);
    }
    return centroids;
  }

  private float[] means(int[] nearest, int k) {
    double[] sums = new double[k * dimension];
    int[] sizes = new int[k];
    for (int i = 0; i < count; i++) {
      int c = nearest[i];
      sizes[c]++;
      for (int d = 0; d < dimension; d++) {
        sums[c * dimension + d] += sample[i * dimension + d];
      }
    }
    float[] means = new float[k * dimension];
    for (int c = 0; c < k; c++) {
      if (sizes[c] == 0) {
        // Nothing is near it: it starts again at some vector.
        int i = random.nextInt(count);
        System.arraycopy(sample, i * dimension, means, c * dimension, dimension);
        continue;
      }
      double norm = 0;
      for (int d = 0; d < dimension; d++) {
        double mean = sums[c * dimension + d] / sizes[c];
        norm += mean * mean;
        means[c * dimension + d] = (float) mean;
      }
      if (spherical && norm > 0) {
        scale(means, c * dimension, 1 / Math.sqrt(norm));
      }
    }
    return means;
  }

  private void scale(float[] vectors, int offset, double factor) {
    for (int d = offset; d < offset + dimension; d++) {
      vectors[d] *= (float) factor;
    }
  }
}
