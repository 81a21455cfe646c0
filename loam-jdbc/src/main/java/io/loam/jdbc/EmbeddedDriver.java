package io.loam.jdbc;

import io.loam.Warehouse;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Logger;
import org.apache.calcite.jdbc.LoamEngine;
import org.jspecify.annotations.Nullable;

/** The driver behind {@link LoamDriver}'s door. */
public final class EmbeddedDriver implements Driver {
  private static final WarehousePool<LoamEngine> POOL =
      new WarehousePool<>(Warehouse::open, LoamEngine::new);

  private final WarehousePool<LoamEngine> pool;

  /** A driver whose connections share warehouses with all others in this JVM. */
  public EmbeddedDriver() {
    this(POOL);
  }

  EmbeddedDriver(WarehousePool<LoamEngine> pool) {
    this.pool = pool;
  }

  @Override
  public @Nullable Connection connect(String url, Properties info) throws SQLException {
    return acceptsURL(url) ? SqlErrors.translate(() -> open(url, info)) : null;
  }

  private Connection open(String url, Properties info) throws SQLException {
    ConnectionUrl request = ConnectionUrl.parse(url, info);
    Map<ConnectionProperty, String> values = request.values();
    ConnectionSettings settings =
        new ConnectionSettings(
            request.shownUrl(),
            ConnectionProperty.SCHEMA.in(values),
            ConnectionProperty.USER.in(values),
            (int)
                Math.min(
                    Integer.MAX_VALUE, ConnectionProperty.QUERY_TIMEOUT_SECONDS.longIn(values)));
    WarehousePool<LoamEngine>.Lease lease = pool.lease(request.warehouseOptions());
    try {
      return lease.companion().connect(settings, lease::close);
    } catch (RuntimeException | Error | SQLException e) {
      lease.close();
      throw e;
    }
  }

  @Override
  public boolean acceptsURL(@Nullable String url) {
    return url != null && url.startsWith(LoamDriver.URL_PREFIX);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, @Nullable Properties info)
      throws SQLException {
    return SqlErrors.translate(
        () -> {
          Map<ConnectionProperty, String> values =
              url.equals(LoamDriver.URL_PREFIX)
                  ? Map.of()
                  : ConnectionUrl.parse(url, info == null ? new Properties() : info).values();
          return Arrays.stream(ConnectionProperty.values())
              .map(p -> p.info(values))
              .toArray(DriverPropertyInfo[]::new);
        });
  }

  @Override
  public int getMajorVersion() {
    return LoamDriver.MAJOR_VERSION;
  }

  @Override
  public int getMinorVersion() {
    return LoamDriver.MINOR_VERSION;
  }

  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("java.util.logging is not used");
  }
}
