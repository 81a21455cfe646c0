package io.loam.calcite;

import org.jspecify.annotations.Nullable;

/** MIN and MAX of doubles and floats in the order of ORDER BY, where NaN is above all. */
public final class Extremes {
  private Extremes() {}

  /** Called by generated code. */
  public static final class MinDouble {
    private MinDouble() {}

    public static @Nullable Double init() {
      return null;
    }

    public static Double add(@Nullable Double best, double value) {
      return best == null || Double.compare(value, best) < 0 ? value : best;
    }

    public static @Nullable Double result(@Nullable Double best) {
      return best;
    }
  }

  /** Called by generated code. */
  public static final class MaxDouble {
    private MaxDouble() {}

    public static @Nullable Double init() {
      return null;
    }

    public static Double add(@Nullable Double best, double value) {
      return best == null || Double.compare(value, best) > 0 ? value : best;
    }

    public static @Nullable Double result(@Nullable Double best) {
      return best;
    }
  }

  /** Called by generated code. */
  public static final class MinReal {
    private MinReal() {}

    public static @Nullable Float init() {
      return null;
    }

    public static Float add(@Nullable Float best, float value) {
      return best == null || Float.compare(value, best) < 0 ? value : best;
    }

    public static @Nullable Float result(@Nullable Float best) {
      return best;
    }
  }

  /** Called by generated code. */
  public static final class MaxReal {
    private MaxReal() {}

    public static @Nullable Float init() {
      return null;
    }

    public static Float add(@Nullable Float best, float value) {
      return best == null || Float.compare(value, best) > 0 ? value : best;
    }

    public static @Nullable Float result(@Nullable Float best) {
      return best;
    }
  }
}
