package io.loam.vector;

/**
 * The sums that define all vector scores.
 *
 * <p>Each sum over components i = 0, 1, … n − 1 is taken in 64-bit floats as eight partial sums:
 * partial sum j adds the terms with i mod 8 = j in ascending order of i, starting from 0. They
 * combine as {@code ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))}. Terms are products of
 * components widened to 64 bits, never fused with the addition. So every correct implementation,
 * scalar or vectorised, gives the same bits.
 */
public final class ExactKernel {
  /** Components after which a sum is compared with what it may be at most. */
  private static final int CHECKED = 64;

  private ExactKernel() {}

  /** Σ q[i] · v[i], where v[i] is {@code data[offset + i]} and i runs to {@code n}. */
  public static double dot(float[] q, float[] data, int offset, int n) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    double s4 = 0;
    double s5 = 0;
    double s6 = 0;
    double s7 = 0;
    int i = 0;
    for (int o = offset; i + 8 <= n; i += 8, o += 8) {
      s0 += (double) q[i] * data[o];
      s1 += (double) q[i + 1] * data[o + 1];
      s2 += (double) q[i + 2] * data[o + 2];
      s3 += (double) q[i + 3] * data[o + 3];
      s4 += (double) q[i + 4] * data[o + 4];
      s5 += (double) q[i + 5] * data[o + 5];
      s6 += (double) q[i + 6] * data[o + 6];
      s7 += (double) q[i + 7] * data[o + 7];
    }
    if (i < n) {
      double[] sums = {s0, s1, s2, s3, s4, s5, s6, s7};
      for (; i < n; i++) {
        sums[i & 7] += (double) q[i] * data[offset + i];
      }
      return combine(sums);
    }
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
  }

  /** Σ (q[i] − v[i])², differences taken in 64 bits. */
  public static double squaredDistance(float[] q, float[] data, int offset, int n) {
    return squaredDistance(q, data, offset, n, Double.POSITIVE_INFINITY);
  }

  /**
   * As {@link #squaredDistance(float[], float[], int, int)} where that is not greater than {@code
   * most}; otherwise something that is greater, too. Sums of squares never shrink, whatever the
   * rounding, so what the first components add up to may be enough to know.
   */
  static double squaredDistance(float[] q, float[] data, int offset, int n, double most) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    double s4 = 0;
    double s5 = 0;
    double s6 = 0;
    double s7 = 0;
    int i = 0;
    for (int o = offset; i + 8 <= n; ) {
      int end = Math.min(n - 7, i + CHECKED);
      for (; i < end; i += 8, o += 8) {
        s0 += square((double) q[i] - data[o]);
        s1 += square((double) q[i + 1] - data[o + 1]);
        s2 += square((double) q[i + 2] - data[o + 2]);
        s3 += square((double) q[i + 3] - data[o + 3]);
        s4 += square((double) q[i + 4] - data[o + 4]);
        s5 += square((double) q[i + 5] - data[o + 5]);
        s6 += square((double) q[i + 6] - data[o + 6]);
        s7 += square((double) q[i + 7] - data[o + 7]);
      }
      double sum = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
      if (sum > most) {
        return sum;
      }
    }
    if (i < n) {
      double[] sums = {s0, s1, s2, s3, s4, s5, s6, s7};
      for (; i < n; i++) {
        sums[i & 7] += square((double) q[i] - data[offset + i]);
      }
      return combine(sums);
    }
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
  }

  /** Σ v[i]². */
  public static double squaredNorm(float[] data, int offset, int n) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    double s4 = 0;
    double s5 = 0;
    double s6 = 0;
    double s7 = 0;
    int i = 0;
    for (int o = offset; i + 8 <= n; i += 8, o += 8) {
      s0 += square(data[o]);
      s1 += square(data[o + 1]);
      s2 += square(data[o + 2]);
      s3 += square(data[o + 3]);
      s4 += square(data[o + 4]);
      s5 += square(data[o + 5]);
      s6 += square(data[o + 6]);
      s7 += square(data[o + 7]);
    }
    if (i < n) {
      double[] sums = {s0, s1, s2, s3, s4, s5, s6, s7};
      for (; i < n; i++) {
        sums[i & 7] += square(data[offset + i]);
      }
      return combine(sums);
    }
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
  }

  /** {@link #squaredNorm} of each of the rows of {@code dimension} components in {@code data}. */
  public static double[] squaredNorms(float[] data, int dimension) {
    double[] norms = new double[data.length / dimension];
    for (int row = 0; row < norms.length; row++) {
      norms[row] = squaredNorm(data, row * dimension, dimension);
    }
    return norms;
  }

  private static double square(double x) {
    return x * x;
  }

  private static double combine(double[] s) {
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
  }
}
