package io.loam.calcite;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * MIN and MAX in the order of ORDER BY: of doubles and floats, where NaN is above all, and of
 * UUIDs, which generated code cannot compare.
 */
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

  /** Called by generated code, which knows no UUIDs. */
  public static final class MinUuid {
    private MinUuid() {}

    public static @Nullable Object init() {
      return null;
    }

    public static Object add(@Nullable Object best, Object value) {
      return best == null || ((UUID) value).compareTo((UUID) best) < 0 ? value : best;
    }

    public static @Nullable Object result(@Nullable Object best) {
      return best;
    }
  }

  /** Called by generated code, which knows no UUIDs. */
  public static final class MaxUuid {
    private MaxUuid() {}

    public static @Nullable Object init() {
      return null;
    }

    public static Object add(@Nullable Object best, Object value) {
      return best == null || ((UUID) value).compareTo((UUID) best) > 0 ? value : best;
    }

    public static @Nullable Object result(@Nullable Object best) {
      return best;
    }
  }
}
