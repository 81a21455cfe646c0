package org.apache.calcite.jdbc;

import com.google.common.collect.ImmutableMap;
import io.loam.calcite.LoamPrepare;
import io.loam.calcite.LoamSchemas;
import io.loam.calcite.LoamTypeFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.apache.calcite.DataContext;

/** Calcite's driver over a warehouse; in Calcite's package for the sake of a private door. */
public final class TestDriver extends Driver {
  private final LoamPrepare prepare;

  private TestDriver(LoamPrepare prepare) {
    this.prepare = prepare;
  }

  /** A connection whose statements run over the warehouse. */
  public static Connection connect(LoamPrepare prepare) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("parserFactory", "io.loam.calcite.LoamParser#FACTORY");
    properties.setProperty("conformance", "BABEL");
    properties.setProperty("caseSensitive", "false");
    properties.setProperty("unquotedCasing", "UNCHANGED");
    properties.setProperty("quotedCasing", "UNCHANGED");
    properties.setProperty("typeSystem", "io.loam.calcite.LoamTypeFactory#TYPE_SYSTEM");
    CalciteConnection connection =
        new TestDriver(prepare)
            .connect(
                LoamSchemas.rootSchema(prepare.warehouse()), new LoamTypeFactory(), properties);
    connection.setSchema("loam");
    return connection;
  }

  /** What preparing a statement gives. */
  public static CalcitePrepare.CalciteSignature<?> signature(
      LoamPrepare prepare, Connection connection, String sql) {
    return prepare.prepareSql(
        ((CalciteConnectionImpl) connection).createPrepareContext(),
        CalcitePrepare.Query.of(sql),
        Object[].class,
        -1);
  }

  /** The connection's context, without parameters. */
  public static DataContext context(Connection connection) {
    CalciteConnectionImpl impl = (CalciteConnectionImpl) connection;
    return impl.createDataContext(ImmutableMap.of(), impl.rootSchema);
  }

  @Override
  public CalcitePrepare createPrepare() {
    return prepare;
  }
}
