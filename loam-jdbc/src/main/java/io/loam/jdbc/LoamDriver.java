package io.loam.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The driver that {@link DriverManager} finds, for {@code jdbc:loam:<folder or
 * s3://bucket/prefix>[?name=value&…]}.
 *
 * <p>It is a door that needs the JDK only. Behind it, in the driver jar, all other classes live
 * under a folder that {@link InnerClassLoader} reads, so that they never meet an application's own
 * versions of the same libraries. On a plain class path, without that folder, they are used as they
 * are.
 */
public final class LoamDriver implements Driver {
  /** What every URL of this driver begins with. */
  public static final String URL_PREFIX = "jdbc:loam:";

  static final int MAJOR_VERSION = 0;
  static final int MINOR_VERSION = 1;

  private static final String EMBEDDED_DRIVER = "io.loam.jdbc.EmbeddedDriver";
  private static final String CODECS =
      "org.apache.arrow.vector.compression.CompressionCodec$Factory";
  private static final String UNSUPPORTED_STATE = "0A000";
  private static final int UNSUPPORTED_CODE = 1017;
  private static final String INTERNAL_STATE = "XX000";
  private static final int INTERNAL_CODE = 9001;

  private static volatile @Nullable Driver embedded;

  static {
    try {
      DriverManager.registerDriver(new LoamDriver());
    } catch (SQLException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** For {@link java.util.ServiceLoader} and tools that name the class. */
  public LoamDriver() {}

  @Override
  public @Nullable Connection connect(String url, Properties info) throws SQLException {
    return acceptsURL(url) ? embedded().connect(url, info) : null;
  }

  @Override
  public boolean acceptsURL(@Nullable String url) {
    return url != null && url.startsWith(URL_PREFIX);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) throws SQLException {
    return embedded().getPropertyInfo(url, info);
  }

  @Override
  public int getMajorVersion() {
    return MAJOR_VERSION;
  }

  @Override
  public int getMinorVersion() {
    return MINOR_VERSION;
  }

  /** False: SQL-92 is not complete. */
  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException(
        "java.util.logging is not used", UNSUPPORTED_STATE, UNSUPPORTED_CODE);
  }

  private static Driver embedded() throws SQLException {
    Driver driver = embedded;
    if (driver == null) {
      synchronized (LoamDriver.class) {
        driver = embedded;
        if (driver == null) {
          checkPlatform(System.getProperty("os.name"), System.getProperty("os.arch"));
          driver = load();
          embedded = driver;
        }
      }
    }
    return driver;
  }

  static void checkPlatform(String os, String architecture) throws SQLException {
    boolean known = architecture.equals("amd64") || architecture.equals("x86_64");
    if (!os.equals("Linux") || !known) {
      throw new SQLFeatureNotSupportedException(
          "platform not supported: os="
              + os
              + ", architecture="
              + architecture
              + "; run on Linux on x86-64, whose native libraries this jar carries",
          UNSUPPORTED_STATE,
          UNSUPPORTED_CODE);
    }
  }

  private static Driver load() throws SQLException {
    ClassLoader own = LoamDriver.class.getClassLoader();
    ClassLoader loader = InnerClassLoader.isPackedIn(own) ? new InnerClassLoader(own) : own;
    StartupClasses.loadInBackground(loader);
    Thread thread = Thread.currentThread();
    ClassLoader ofCaller = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      // Looks providers up once, by the context class loader, where those of the application are.
      Class.forName(CODECS, true, loader);
      return Class.forName(EMBEDDED_DRIVER, true, loader)
          .asSubclass(Driver.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (InvocationTargetException e) {
      throw notLoaded(e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw notLoaded(e);
    } finally {
      thread.setContextClassLoader(ofCaller);
    }
  }

  private static SQLException notLoaded(@Nullable Throwable cause) {
    return new SQLException(
        "driver cannot be loaded: cause=" + cause + "; use the whole, unchanged driver jar",
        INTERNAL_STATE,
        INTERNAL_CODE,
        cause);
  }
}
