package org.apache.calcite.jdbc;

import io.loam.Warehouse;
import io.loam.calcite.LoamPrepare;
import io.loam.calcite.LoamSchemas;
import io.loam.calcite.LoamTypeFactory;
import java.sql.Connection;
import java.util.Properties;

/** Calcite's driver over a warehouse; in Calcite's package for the sake of a private door. */
public final class TestDriver extends Driver {
  private final LoamPrepare prepare;

  private TestDriver(LoamPrepare prepare) {
    this.prepare = prepare;
  }

  /** A connection whose statements run over the warehouse. */
  public static Connection connect(Warehouse warehouse) throws Exception {
    Properties properties = new Properties();
    properties.setProperty("parserFactory", "io.loam.calcite.LoamParser#FACTORY");
    properties.setProperty("conformance", "BABEL");
    properties.setProperty("caseSensitive", "false");
    properties.setProperty("unquotedCasing", "UNCHANGED");
    properties.setProperty("quotedCasing", "UNCHANGED");
    properties.setProperty("typeSystem", "io.loam.calcite.LoamTypeFactory#TYPE_SYSTEM");
    CalciteConnection connection =
        new TestDriver(new LoamPrepare(warehouse))
            .connect(LoamSchemas.rootSchema(warehouse), new LoamTypeFactory(), properties);
    connection.setSchema("loam");
    return connection;
  }

  @Override
  public CalcitePrepare createPrepare() {
    return prepare;
  }
}
