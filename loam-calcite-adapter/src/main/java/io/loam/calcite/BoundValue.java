package io.loam.calcite;

import org.apache.calcite.avatica.AvaticaParameter;

/**
 * A value that a program bound, whose meaning depends on the plan that runs: one that was made anew
 * for other columns may give the parameter another type.
 */
public interface BoundValue {
  /** The value as a plan takes it that has this parameter. */
  Object as(AvaticaParameter parameter);
}
