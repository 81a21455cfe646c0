package io.loam.jdbc;

import io.loam.Warehouse;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.apache.calcite.jdbc.LoamEngine;

/** Connections over a warehouse of the test's own. */
public final class FakeDriver {
  private FakeDriver() {}

  /** A connection over a warehouse with a collection that cannot be read. */
  public static Connection connect() throws SQLException {
    return connect(FakeWarehouse.withEveryKind());
  }

  static Connection connect(Warehouse warehouse) throws SQLException {
    return connect(warehouse, "jdbc:loam:/nowhere");
  }

  static Connection connect(Warehouse warehouse, String url) throws SQLException {
    EmbeddedDriver driver =
        new EmbeddedDriver(new WarehousePool<>(options -> warehouse, LoamEngine::new));
    Connection connection = driver.connect(url, new Properties());
    assert connection != null : url;
    return connection;
  }
}
