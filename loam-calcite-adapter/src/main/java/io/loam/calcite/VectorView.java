package io.loam.calcite;

import java.util.AbstractList;
import java.util.RandomAccess;

/** A vector as the list of floats that Calcite expects of an array, without boxing it. */
public final class VectorView extends AbstractList<Float> implements RandomAccess {
  private final float[] values;

  public VectorView(float[] values) {
    this.values = values;
  }

  /** The components; not copied, not to be changed. */
  public float[] values() {
    return values;
  }

  @Override
  public Float get(int index) {
    return values[index];
  }

  @Override
  public int size() {
    return values.length;
  }
}
