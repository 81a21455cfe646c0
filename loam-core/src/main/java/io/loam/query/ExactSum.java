package io.loam.query;

import java.util.Objects;

/** An exact sum of doubles, which is rounded once: the same in whatever order they are added. */
public final class ExactSum {
  private final DoubleSums sums = new DoubleSums();

  public ExactSum() {
    sums.makeRoom(1);
  }

  public void add(double number) {
    sums.add(0, number);
  }

  /** The double nearest to the sum; 0 if nothing was added. */
  public double value() {
    return Objects.requireNonNullElse(sums.value(0), 0.0);
  }
}
