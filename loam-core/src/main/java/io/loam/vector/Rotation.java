package io.loam.vector;

/**
 * A seeded orthogonal map that spreads a vector's length evenly over its components. Four rounds,
 * each of random signs and a fast Hadamard transform; where the dimension is no power of two, the
 * transform runs over the first and then over the last components, as many as the greatest power of
 * two below it.
 */
final class Rotation {
  private static final int ROUNDS = 4;

  private final int dimension;
  private final int block;
  private final float scale;

  /** 1 or −1, by round and component. */
  private final float[][] signs;

  Rotation(int dimension, long seed) {
    this.dimension = dimension;
    this.block = Integer.highestOneBit(dimension);
    this.scale = (float) (1 / Math.sqrt(block));
    this.signs = new float[ROUNDS][dimension];
    long state = seed;
    for (float[] round : signs) {
      for (int i = 0; i < dimension; i++) {
        state += 0x9E3779B97F4A7C15L;
        round[i] = mix(state) < 0 ? -1 : 1;
      }
    }
  }

  /** The finaliser of SplitMix64. */
  private static long mix(long state) {
    long z = state;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Rotates in place. */
  void apply(float[] vector) {
    for (float[] round : signs) {
      for (int i = 0; i < dimension; i++) {
        vector[i] *= round[i];
      }
      transform(vector, 0);
      if (block < dimension) {
        transform(vector, dimension - block);
      }
    }
  }

  /** Walsh and Hadamard's transform of {@code block} components, scaled to keep lengths. */
  private void transform(float[] v, int start) {
    int end = start + block;
    for (int half = 1; half < block; half <<= 1) {
      for (int group = start; group < end; group += half << 1) {
        for (int i = group; i < group + half; i++) {
          float a = v[i];
          float b = v[i + half];
          v[i] = a + b;
          v[i + half] = a - b;
        }
      }
    }
    for (int i = start; i < end; i++) {
      v[i] *= scale;
    }
  }
}
