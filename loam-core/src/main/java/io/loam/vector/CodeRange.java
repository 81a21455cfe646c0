package io.loam.vector;

/**
 * Which vectors codes can stand for. They are compared in 32-bit floats, in which products of much
 * longer ones overflow, and squares of much shorter ones vanish.
 */
final class CodeRange {
  private static final double LEAST = 1e-24;
  private static final double MOST = 1e24;

  private CodeRange() {}

  static boolean holds(double squaredNorm) {
    return squaredNorm == 0 || (squaredNorm >= LEAST && squaredNorm <= MOST);
  }

  static boolean holds(float[] vector) {
    return holds(ExactKernel.squaredNorm(vector, 0, vector.length));
  }

  /** Likewise, of what is left of a vector where another one was taken away. */
  static boolean holdsRest(float[] rest) {
    return ExactKernel.squaredNorm(rest, 0, rest.length) <= MOST;
  }
}
