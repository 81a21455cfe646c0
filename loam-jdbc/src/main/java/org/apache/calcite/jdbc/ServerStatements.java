package org.apache.calcite.jdbc;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.NoSuchStatementException;
import org.apache.calcite.server.CalciteServer;
import org.apache.calcite.server.CalciteServerStatement;

/**
 * What Calcite keeps of a connection's statements, safe where several threads open and close them:
 * Calcite's own map would lose some.
 */
final class ServerStatements implements CalciteServer {
  private final Map<Integer, CalciteServerStatement> byId = new ConcurrentHashMap<>();

  /** Puts it in the place of Calcite's own, which is fixed in its connection class. */
  static void install(CalciteConnectionImpl connection) {
    try {
      Field server = CalciteConnectionImpl.class.getDeclaredField("server");
      server.setAccessible(true);
      server.set(connection, new ServerStatements());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("Calcite's connection is not as it was", e);
    }
  }

  @Override
  public void addStatement(CalciteConnection connection, Meta.StatementHandle handle) {
    byId.put(handle.id, new ServerStatement((CalciteConnectionImpl) connection, handle));
  }

  @Override
  public CalciteServerStatement getStatement(Meta.StatementHandle handle)
      throws NoSuchStatementException {
    CalciteServerStatement statement = byId.get(handle.id);
    if (statement == null) {
      throw new NoSuchStatementException(handle);
    }
    return statement;
  }

  @Override
  public void removeStatement(Meta.StatementHandle handle) {
    byId.remove(handle.id);
  }

  /** Lets planning see whether its statement is cancelled. */
  private static final class ServerStatement
      extends CalciteConnectionImpl.CalciteServerStatementImpl {
    private final CalciteConnectionImpl connection;
    private final Meta.StatementHandle handle;

    ServerStatement(CalciteConnectionImpl connection, Meta.StatementHandle handle) {
      super(connection);
      this.connection = connection;
      this.handle = handle;
    }

    @Override
    public CalcitePrepare.Context createPrepareContext() {
      try {
        return new PlanningContext(
            super.createPrepareContext(), connection, connection.getCancelFlag(handle));
      } catch (NoSuchStatementException e) {
        throw new IllegalStateException("statement is gone", e);
      }
    }
  }
}
