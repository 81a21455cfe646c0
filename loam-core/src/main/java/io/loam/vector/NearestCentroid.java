package io.loam.vector;

/**
 * Finds the nearest of some centroids. Centroids are kept by component, in blocks that stay in a
 * processor's cache, so that a vector is compared with many at once.
 */
final class NearestCentroid {
  /** Centroids that are compared at once. */
  static final int BLOCK = 512;

  /** Components that are added to the sums of a block together. */
  private static final int UNROLLED = 4;

  private final int dimension;
  private final int count;

  /**
   * What is taken away from centroids and vectors: products of long ones that lie near each other
   * would tell nothing in 32 bits.
   */
  private final float[] centre;

  /** By block and component; filled up with zeros to a multiple of {@link #UNROLLED}. */
  private final float[][][] blocks;

  /** What is added to a dot product: the greatest sum is the nearest. */
  private final float[] bias;

  /**
   * @param centroids one after another
   * @param spherical whether the centroid with the greatest dot product is the nearest, rather than
   *     the one with the least distance
   */
  NearestCentroid(float[] centroids, int dimension, boolean spherical) {
    this.dimension = dimension;
    this.count = centroids.length / dimension;
    this.bias = new float[count];
    this.centre = spherical ? new float[dimension] : mean(centroids, dimension);
    int padded = (dimension + UNROLLED - 1) / UNROLLED * UNROLLED;
    this.blocks = new float[(count + BLOCK - 1) / BLOCK][padded][];
    for (int b = 0; b < blocks.length; b++) {
      int width = Math.min(BLOCK, count - b * BLOCK);
      for (int d = 0; d < padded; d++) {
        blocks[b][d] = new float[width];
        for (int j = 0; j < width && d < dimension; j++) {
          blocks[b][d][j] = centroids[(b * BLOCK + j) * dimension + d] - centre[d];
        }
      }
    }
    for (int c = 0; c < count && !spherical; c++) {
      double squaredDistance =
          ExactKernel.squaredDistance(centre, centroids, c * dimension, dimension);
      bias[c] = (float) (squaredDistance / -2);
    }
  }

  /** The mean of some vectors that follow each other. */
  static float[] mean(float[] vectors, int dimension) {
    double[] sums = new double[dimension];
    for (int i = 0; i < vectors.length; i++) {
      sums[i % dimension] += vectors[i];
    }
    int count = vectors.length / dimension;
    float[] mean = new float[dimension];
    for (int d = 0; d < dimension; d++) {
      mean[d] = (float) (sums[d] / count);
    }
    return mean;
  }

  int count() {
    return count;
  }

  /** The nearest centroid of each of some vectors, which follow each other. */
  int[] nearest(float[] vectors, int vectorCount) {
    int[] nearest = new int[vectorCount];
    float[] best = new float[vectorCount];
    java.util.Arrays.fill(best, Float.NEGATIVE_INFINITY);
    float[] sums = new float[BLOCK];
    for (int b = 0; b < blocks.length; b++) {
      for (int v = 0; v < vectorCount; v++) {
        int width = sums(b, vectors, v * dimension, sums);
        for (int j = 0; j < width; j++) {
          if (sums[j] > best[v]) {
            best[v] = sums[j];
            nearest[v] = b * BLOCK + j;
          }
        }
      }
    }
    return nearest;
  }

  /**
   * The nearest centroid of one vector, where there are few centroids.
   *
   * @param sums working space of {@link #count} numbers
   */
  int nearest(float[] vector, float[] sums) {
    sums(0, vector, 0, sums);
    int best = 0;
    for (int j = 1; j < count; j++) {
      if (sums[j] > sums[best]) {
        best = j;
      }
    }
    return best;
  }

  /** How near each centroid is to a vector: greater is nearer. */
  float[] nearness(float[] vector) {
    float[] all = new float[count];
    float[] sums = new float[BLOCK];
    for (int b = 0; b < blocks.length; b++) {
      int width = sums(b, vector, 0, sums);
      System.arraycopy(sums, 0, all, b * BLOCK, width);
    }
    return all;
  }

  private int sums(int block, float[] vectors, int offset, float[] sums) {
    float[][] rows = blocks[block];
    int width = rows[0].length;
    System.arraycopy(bias, block * BLOCK, sums, 0, width);
    for (int d = 0; d < dimension; d += UNROLLED) {
      add(sums, width, rows, d, vectors, offset);
    }
    return width;
  }

  private void add(float[] sums, int width, float[][] rows, int d, float[] vectors, int offset) {
    float a = component(vectors, offset, d);
    float b = component(vectors, offset, d + 1);
    float c = component(vectors, offset, d + 2);
    float e = component(vectors, offset, d + 3);
    float[] first = rows[d];
    float[] second = rows[d + 1];
    float[] third = rows[d + 2];
    float[] fourth = rows[d + 3];
    for (int j = 0; j < width; j++) {
      sums[j] += a * first[j] + b * second[j] + c * third[j] + e * fourth[j];
    }
  }

  private float component(float[] vectors, int offset, int d) {
    return d < dimension ? vectors[offset + d] - centre[d] : 0;
  }
}
