package io.loam.calcite;

import io.loam.Warehouse;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.schema.impl.AbstractSchema;

/** Shows a warehouse to Calcite. */
public final class LoamSchemas {
  private LoamSchemas() {}

  /**
   * A root schema with the warehouse's schemas, to be shared by all connections to the warehouse.
   * It reads names from the warehouse on each use.
   */
  public static CalciteSchema rootSchema(Warehouse warehouse) {
    CalciteSchema root = CalciteSchema.createRootSchema(true, false);
    for (String schema : warehouse.schemas()) {
      root.add(schema, new AbstractSchema());
    }
    return root;
  }
}
