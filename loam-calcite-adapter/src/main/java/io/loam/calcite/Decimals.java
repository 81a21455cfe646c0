package io.loam.calcite;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Decimals of the precision and scale of a type. */
public final class Decimals {
  private Decimals() {}

  /**
   * The number rounded half up to a scale.
   *
   * @throws ArithmeticException where it has too many digits then
   */
  public static BigDecimal fitted(BigDecimal number, int precision, int scale) {
    long whole = (long) number.precision() - number.scale();
    if (number.signum() == 0 || whole < -scale) {
      // Rounding would write out all zeros of a number such as 1e-999999999.
      return BigDecimal.ZERO.setScale(scale);
    }
    if (whole > precision - scale) {
      throw new ArithmeticException("too many digits");
    }
    BigDecimal rounded = number.setScale(scale, RoundingMode.HALF_UP);
    if (rounded.precision() > precision) {
      throw new ArithmeticException("too many digits");
    }
    return rounded;
  }
}
