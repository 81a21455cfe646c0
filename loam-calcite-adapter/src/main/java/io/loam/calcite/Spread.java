package io.loam.calcite;

import org.jspecify.annotations.Nullable;

/**
 * How far numbers lie from their mean, by the method of Welford (Technometrics 4, 1962), of their
 * distances from the first: so no digits are lost where they are far from 0. Methods of the nested
 * classes are called by generated code.
 */
public final class Spread {
  private long count;
  private double first;
  private double mean;
  private double squares;

  private Spread() {}

  private Spread with(double number) {
    if (count++ == 0) {
      first = number;
    }
    double distance = number - first;
    double before = distance - mean;
    mean += before / count;
    squares += before * (distance - mean);
    return this;
  }

  /** The mean square, or that of which the mean is expected of more such numbers. */
  private @Nullable Double variance(int lost) {
    return count <= lost ? null : Double.valueOf(squares / (count - lost));
  }

  private @Nullable Double deviation(int lost) {
    Double variance = variance(lost);
    return variance == null ? null : Double.valueOf(Math.sqrt(variance));
  }

  /** VAR_POP. */
  public static final class VarPop {
    private VarPop() {}

    public static Spread init() {
      return new Spread();
    }

    public static Spread add(Spread spread, double number) {
      return spread.with(number);
    }

    public static @Nullable Double result(Spread spread) {
      return spread.variance(0);
    }
  }

  /** VAR_SAMP. */
  public static final class VarSamp {
    private VarSamp() {}

    public static Spread init() {
      return new Spread();
    }

    public static Spread add(Spread spread, double number) {
      return spread.with(number);
    }

    public static @Nullable Double result(Spread spread) {
      return spread.variance(1);
    }
  }

  /** STDDEV_POP. */
  public static final class StddevPop {
    private StddevPop() {}

    public static Spread init() {
      return new Spread();
    }

    public static Spread add(Spread spread, double number) {
      return spread.with(number);
    }

    public static @Nullable Double result(Spread spread) {
      return spread.deviation(0);
    }
  }

  /** STDDEV_SAMP. */
  public static final class StddevSamp {
    private StddevSamp() {}

    public static Spread init() {
      return new Spread();
    }

    public static Spread add(Spread spread, double number) {
      return spread.with(number);
    }

    public static @Nullable Double result(Spread spread) {
      return spread.deviation(1);
    }
  }
}
