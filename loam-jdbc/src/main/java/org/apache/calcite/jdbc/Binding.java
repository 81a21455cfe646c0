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
    return isAlike(other) ? value : of(position, given, other).value;
  }

  private boolean isAlike(AvaticaParameter other) {
    return other == parameter
        || (other.parameterType == parameter.parameterType
            && other.typeName.equals(parameter.typeName)
            && other.name.equals(parameter.name)
            && other.precision == parameter.precision
            && other.scale == parameter.scale);
  }
}
