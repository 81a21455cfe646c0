package io.loam.calcite;

import io.loam.error.LoamException;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.avatica.AvaticaParameter;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;

/** What a plan tells of its parameters to those who bind them. */
public final class BoundParameters {
  /** What happens to the digits of a number that a parameter's type has no room for. */
  public enum Digits {
    /** They stay: the parameter is compared, or written to a column that rounds it. */
    GIVEN,
    /** There may be none. */
    FITTING,
    /** They are rounded, as the statement asks. */
    ROUNDED
  }

  private BoundParameters() {}

  static String name(int index, Digits digits) {
    return digits + "?" + index;
  }

  /** Told by the parameter's name, which is the only place that Avatica has for it. */
  public static Digits digits(AvaticaParameter parameter) {
    return Arrays.stream(Digits.values())
        .filter(digits -> parameter.name.startsWith(digits.name()))
        .findFirst()
        .orElse(Digits.GIVEN);
  }

  /**
   * The parameters of the plan that would run now, which may be another than the given one where
   * columns have changed since.
   *
   * @param connection that would run it
   */
  public static List<AvaticaParameter> ofPlanNow(CalciteSignature<?> plan, DataContext connection) {
    try {
      return plan instanceof LoamSignature<?> loam && !loam.isCurrent()
          ? loam.replanned(connection).parameters
          : plan.parameters;
    } catch (LoamException e) {
      // Whoever runs the statement is told.
      return plan.parameters;
    }
  }
}
