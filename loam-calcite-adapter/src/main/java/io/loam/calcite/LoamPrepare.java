package io.loam.calcite;

import io.loam.Warehouse;
import org.apache.calcite.prepare.CalcitePrepareImpl;

/**
 * Parses, validates and plans statements over one warehouse, and keeps their plans. Shared by all
 * connections to the warehouse; safe for use by several threads.
 */
public final class LoamPrepare extends CalcitePrepareImpl {
  private final Warehouse warehouse;

  public LoamPrepare(Warehouse warehouse) {
    this.warehouse = warehouse;
  }

  /** The warehouse that statements run over. */
  public Warehouse warehouse() {
    return warehouse;
  }
}
