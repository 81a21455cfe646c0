package org.apache.calcite.jdbc;

import io.loam.Warehouse;
import io.loam.calcite.LoamParser;
import io.loam.calcite.LoamPrepare;
import io.loam.calcite.LoamSchemas;
import io.loam.calcite.LoamTypeFactory;
import io.loam.jdbc.Catalog;
import io.loam.jdbc.ConnectionSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaFactory;
import org.apache.calcite.avatica.DriverVersion;
import org.apache.calcite.avatica.Meta;

/** What all connections to one warehouse share: planner with its plans, schema and types. */
public final class LoamEngine extends Driver {
  /** Product and driver version, as the metadata shows it. */
  static final String VERSION = "0.1.0";

  private final Warehouse warehouse;
  private final Catalog catalog;
  private final LoamPrepare prepare;
  private final CalciteSchema rootSchema;
  private final JavaTypeFactory typeFactory = new LoamTypeFactory();

  public LoamEngine(Warehouse warehouse) {
    this.warehouse = warehouse;
    this.catalog = new Catalog(warehouse);
    this.prepare = new LoamPrepare(warehouse);
    this.rootSchema = LoamSchemas.rootSchema(warehouse);
  }

  /**
   * Opens a connection.
   *
   * @param onClose runs once, when the connection is closed
   */
  public Connection connect(ConnectionSettings settings, Runnable onClose) throws SQLException {
    return new LoamConnection(
        this, factory, properties(), rootSchema, typeFactory, settings, onClose);
  }

  private static Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("parserFactory", LoamParser.class.getName() + "#FACTORY");
    properties.setProperty("conformance", "BABEL");
    properties.setProperty("timeZone", "UTC");
    properties.setProperty("caseSensitive", "false");
    properties.setProperty("unquotedCasing", "UNCHANGED");
    properties.setProperty("quotedCasing", "UNCHANGED");
    properties.setProperty("quoting", "DOUBLE_QUOTE");
    return properties;
  }

  Catalog catalog() {
    return catalog;
  }

  Warehouse warehouse() {
    return warehouse;
  }

  @Override
  public CalcitePrepare createPrepare() {
    return prepare;
  }

  @Override
  protected AvaticaFactory createFactory() {
    return new LoamFactory();
  }

  @Override
  protected DriverVersion createDriverVersion() {
    return new DriverVersion("Loam JDBC driver", VERSION, "Loam", VERSION, false, 0, 1, 0, 1);
  }

  @Override
  public Meta createMeta(AvaticaConnection connection) {
    return new LoamMeta((CalciteConnectionImpl) connection, catalog);
  }
}
