package io.loam.bench;

import java.util.Random;

/** Vectors near some centres. A row's vector is the same whenever it is asked for. */
final class ClusteredVectors {
  private static final int ROWS_PER_CLUSTER = 500;
  private static final int LEAST_CLUSTERS = 20;
  private static final float SPREAD = 0.7f;
  private static final long SEED = 5;

  private final float[][] centres;

  private ClusteredVectors(float[][] centres) {
    this.centres = centres;
  }

  /** For so many rows. */
  static ClusteredVectors of(int rows, int dimension) {
    Random random = new Random(SEED);
    float[][] centres = new float[Math.max(LEAST_CLUSTERS, rows / ROWS_PER_CLUSTER)][dimension];
    for (float[] centre : centres) {
      for (int d = 0; d < dimension; d++) {
        centre[d] = (float) random.nextGaussian();
      }
    }
    return new ClusteredVectors(centres);
  }

  /** Of a row, or of a question if the number is negative. */
  float[] vector(long number) {
    Random random = new Random(number * 0x9E3779B97F4A7C15L + 1);
    float[] vector = centres[random.nextInt(centres.length)].clone();
    for (int d = 0; d < vector.length; d++) {
      vector[d] += SPREAD * (float) random.nextGaussian();
    }
    return vector;
  }
}
