package org.apache.calcite.jdbc;

import io.loam.calcite.BoundValue;
import io.loam.error.LoamException;
import org.apache.calcite.avatica.AvaticaParameter;

/**
 * A value as the program gave it and as a parameter takes it.
 *
 * @param position of the parameter, from 1
 */
record Binding(int position, Object given, AvaticaParameter parameter, Object value)
    implements BoundValue {
  /** An error also names the parameter. */
  static Binding of(int position, Object given, AvaticaParameter parameter) {
    try {
      return new Binding(position, given, parameter, CalciteValues.toPlan(parameter, given));
    } catch (LoamException e) {
      throw e.with("parameter=" + position);
    }
  }

  @Override
  public Object as(AvaticaParameter other) {
    return areAlike(other, parameter) ? value : of(position, given, other).value;
  }

  /** Whether two parameters take the same values. */
  static boolean areAlike(AvaticaParameter one, AvaticaParameter other) {
    return one.parameterType == other.parameterType
        && one.typeName.equals(other.typeName)
        && one.name.equals(other.name)
        && one.precision == other.precision
        && one.scale == other.scale;
  }
}
