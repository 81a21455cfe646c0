package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * A sum of whole numbers that says so where it does not fit BIGINT. It has 128 bits, so that the
 * order of rows does not matter. Its methods are called by generated code, hence public.
 */
public final class WholeSum {
  private long low;
  private long high;

  private WholeSum() {}

  /** The sum of nothing. */
  public static WholeSum init() {
    return new WholeSum();
  }

  /** The same sum, with the number in it. */
  public static WholeSum add(WholeSum sum, long number) {
    long before = sum.low;
    sum.low = before + number;
    long carry = Long.compareUnsigned(sum.low, before) < 0 ? 1 : 0;
    sum.high += signExtension(number) + carry;
    return sum;
  }

  /** The number, or {@code OUT_OF_RANGE}. */
  public static long result(WholeSum sum) {
    if (sum.high != signExtension(sum.low)) {
      throw new LoamException(
          ErrorCode.OUT_OF_RANGE,
          "sum is out of BIGINT's range; sum CAST(... AS DECIMAL(38, 0)) instead");
    }
    return sum.low;
  }

  /** The number, which has more digits than a BIGINT if need be. */
  BigDecimal exact() {
    return new BigDecimal(
        BigInteger.valueOf(high)
            .shiftLeft(Long.SIZE)
            .or(new BigInteger(Long.toUnsignedString(low))));
  }

  /** The upper 64 of the 128 bits of a number. */
  private static long signExtension(long number) {
    return number >> (Long.SIZE - 1);
  }
}
