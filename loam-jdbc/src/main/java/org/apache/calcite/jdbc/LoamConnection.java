package org.apache.calcite.jdbc;

import io.loam.Glance;
import io.loam.calcite.LoamSchemas;
import io.loam.calcite.Session;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.jdbc.Catalog;
import io.loam.jdbc.ConnectionSettings;
import io.loam.jdbc.SqlErrors;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Struct;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.avatica.AvaticaFactory;
import org.apache.calcite.avatica.SqlType;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a warehouse. In auto-commit mode each statement is a commit; else statements
 * belong to a transaction until it is committed or rolled back.
 */
final class LoamConnection extends CalciteConnectionImpl {
  private static final String GENERAL_WARNING = "01000";

  private final LoamEngine engine;
  private final ConnectionSettings settings;
  private final Runnable onClose;
  private final Usage usage = new Usage("connection", this::endNow);
  private final Set<Executing> statements = ConcurrentHashMap.newKeySet();
  private final Transactions transactions;
  private volatile String schema;
  private @Nullable SQLWarning warnings;

  LoamConnection(
      LoamEngine engine,
      AvaticaFactory factory,
      Properties info,
      CalciteSchema rootSchema,
      JavaTypeFactory typeFactory,
      ConnectionSettings settings,
      Runnable onClose)
      throws SQLException {
    super(engine, factory, settings.url(), info, rootSchema, typeFactory);
    this.engine = engine;
    this.settings = settings;
    this.onClose = onClose;
    this.transactions = new Transactions(engine.warehouse(), usage);
    ServerStatements.install(this);
    this.schema = settings.schema();
    setSchema(settings.schema());
    if (engine.warehouse().isNewFolder()) {
      add(
          new SQLWarning(
              "folder holds no warehouse: url="
                  + settings.url()
                  + "; check the name, or make a warehouse there by a first CREATE TABLE",
              GENERAL_WARNING));
    }
  }

  /** What the warehouse holds. */
  Catalog catalog() {
    return engine.catalog();
  }

  ConnectionSettings settings() {
    return settings;
  }

  @Override
  protected void checkOpen() throws SQLException {
    if (isClosed()) {
      throw Refusals.closed("connection");
    }
  }

  @Override
  public boolean isClosed() {
    return usage.isClosed();
  }

  // Statements

  @Override
  public CalciteStatement createStatement(int type, int concurrency, int holdability)
      throws SQLException {
    checkKind(type, concurrency, holdability);
    return usage.during(
        () ->
            super.createStatement(
                ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY, holdability));
  }

  @Override
  public CalcitePreparedStatement prepareStatement(
      String sql, int type, int concurrency, int holdability) throws SQLException {
    String statement = Refusals.statement(sql);
    checkKind(type, concurrency, holdability);
    return usage.during(
        () ->
            Glance.during(
                () ->
                    super.prepareStatement(
                        statement,
                        ResultSet.TYPE_FORWARD_ONLY,
                        ResultSet.CONCUR_READ_ONLY,
                        holdability)));
  }

  /** Makes a statement end with the connection. */
  void add(Executing statement) {
    statements.add(statement);
    if (isClosed()) {
      statement.closeThen(() -> {});
    }
  }

  void remove(Executing statement) {
    statements.remove(statement);
  }

  /** Warns of results that are not as they are asked for. */
  private void checkKind(int type, int concurrency, int holdability) throws SQLException {
    checkOpen();
    boolean known =
        type >= ResultSet.TYPE_FORWARD_ONLY
            && type <= ResultSet.TYPE_SCROLL_SENSITIVE
            && (concurrency == ResultSet.CONCUR_READ_ONLY
                || concurrency == ResultSet.CONCUR_UPDATABLE)
            && (holdability == ResultSet.HOLD_CURSORS_OVER_COMMIT
                || holdability == ResultSet.CLOSE_CURSORS_AT_COMMIT);
    if (!known) {
      throw Refusals.invalid(
          "no such kind of results: type="
              + type
              + ", concurrency="
              + concurrency
              + ", holdability="
              + holdability
              + "; use the constants of ResultSet");
    }
    if (type != ResultSet.TYPE_FORWARD_ONLY) {
      warn("results are read forward only; read with next, or run the query again");
    }
    if (concurrency != ResultSet.CONCUR_READ_ONLY) {
      warn("results are read only; change rows with UPDATE, UPSERT or DELETE");
    }
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int autoGeneratedKeys) throws SQLException {
    if (autoGeneratedKeys == Statement.NO_GENERATED_KEYS) {
      return prepareStatement(sql);
    }
    throw Refusals.generatedKeys();
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int[] columnIndexes) throws SQLException {
    throw Refusals.generatedKeys();
  }

  @Override
  public PreparedStatement prepareStatement(String sql, String[] columnNames) throws SQLException {
    throw Refusals.generatedKeys();
  }

  @Override
  public CallableStatement prepareCall(String sql) throws SQLException {
    return prepareCall(sql, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
  }

  @Override
  public CallableStatement prepareCall(String sql, int type, int concurrency) throws SQLException {
    return prepareCall(sql, type, concurrency, getHoldability());
  }

  @Override
  public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability)
      throws SQLException {
    String call = Calls.sql(Refusals.statement(sql));
    return Calls.of(prepareStatement(call, type, concurrency, holdability));
  }

  @Override
  public String nativeSQL(String sql) throws SQLException {
    checkOpen();
    return sql;
  }

  // Transactions

  @Override
  public DataContext createDataContext(
      Map<String, Object> values, @Nullable CalciteSchema rootSchema) {
    Map<String, Object> withSession = new HashMap<>(values);
    withSession.put(Session.KEY, transactions.session());
    return super.createDataContext(withSession, rootSchema);
  }

  /** Runs statements together: in the transaction, or as one commit in auto-commit mode. */
  <T> T together(SqlErrors.Call<T> statements) throws SQLException {
    return transactions.together(statements);
  }

  /** Turning auto-commit on commits what there is. */
  @Override
  public void setAutoCommit(boolean on) throws SQLException {
    checkOpen();
    transactions.setAutoCommit(on);
  }

  @Override
  public boolean getAutoCommit() throws SQLException {
    checkOpen();
    return transactions.isAutoCommit();
  }

  @Override
  public void commit() throws SQLException {
    checkOpen();
    transactions.commit();
  }

  @Override
  public void rollback() throws SQLException {
    checkOpen();
    transactions.rollback();
  }

  @Override
  public Savepoint setSavepoint() throws SQLException {
    throw Refusals.unsupported("savepoints", "do without them");
  }

  @Override
  public Savepoint setSavepoint(String name) throws SQLException {
    return setSavepoint();
  }

  @Override
  public void rollback(Savepoint savepoint) throws SQLException {
    setSavepoint();
  }

  @Override
  public void releaseSavepoint(Savepoint savepoint) throws SQLException {
    setSavepoint();
  }

  /** Snapshot isolation, which gives all that this level of JDBC promises. */
  @Override
  public int getTransactionIsolation() throws SQLException {
    checkOpen();
    return Connection.TRANSACTION_REPEATABLE_READ;
  }

  @Override
  public void setTransactionIsolation(int level) throws SQLException {
    checkOpen();
    if (!isAtMostSnapshot(level)) {
      throw Refusals.unsupported("isolation level " + level, "use TRANSACTION_REPEATABLE_READ");
    }
  }

  static boolean isAtMostSnapshot(int level) {
    return level == Connection.TRANSACTION_READ_UNCOMMITTED
        || level == Connection.TRANSACTION_READ_COMMITTED
        || level == Connection.TRANSACTION_REPEATABLE_READ;
  }

  // Session

  @Override
  public void setSchema(String name) throws SQLException {
    checkOpen();
    String declared =
        SqlErrors.translate(
            () ->
                LoamSchemas.declaredName(engine.warehouse(), name)
                    .orElseThrow(
                        () ->
                            new LoamException(
                                ErrorCode.INVALID_CONNECTION_PROPERTY,
                                "unknown schema: name=" + name + "; use an existing schema")));
    super.setSchema(declared);
    schema = declared;
  }

  @Override
  public String getSchema() throws SQLException {
    checkOpen();
    return schema;
  }

  /** Ignored: warehouses have no catalogs. */
  @Override
  public void setCatalog(String catalog) throws SQLException {
    checkOpen();
  }

  @Override
  public boolean isReadOnly() throws SQLException {
    checkOpen();
    return transactions.isReadOnly();
  }

  /** Refuses statements that write from now on. */
  @Override
  public void setReadOnly(boolean on) throws SQLException {
    checkOpen();
    transactions.setReadOnly(on);
  }

  @Override
  public Map<String, Class<?>> getTypeMap() throws SQLException {
    checkOpen();
    return Map.of();
  }

  @Override
  public void setTypeMap(Map<String, Class<?>> map) throws SQLException {
    checkOpen();
    if (!map.isEmpty()) {
      throw Refusals.unsupported("type maps", "convert values in the program");
    }
  }

  /** There are no such properties: the value is ignored, with a warning. */
  @Override
  public void setClientInfo(String name, String value) throws SQLClientInfoException {
    try {
      checkOpen();
    } catch (SQLException e) {
      throw new SQLClientInfoException(
          e.getMessage(), e.getSQLState(), e.getErrorCode(), Map.of(), e);
    }
    warn("client info is not kept: name=" + name + "; do without it");
  }

  private void warn(String message) {
    add(
        new SQLWarning(
            message, ErrorCode.UNSUPPORTED.sqlState(), ErrorCode.UNSUPPORTED.vendorCode()));
  }

  private synchronized void add(SQLWarning warning) {
    if (warnings == null) {
      warnings = warning;
    } else {
      warnings.setNextWarning(warning);
    }
  }

  @Override
  public void setClientInfo(Properties properties) throws SQLClientInfoException {
    for (String name : properties.stringPropertyNames()) {
      setClientInfo(name, properties.getProperty(name));
    }
  }

  @Override
  public synchronized @Nullable SQLWarning getWarnings() throws SQLException {
    checkOpen();
    return warnings;
  }

  @Override
  public synchronized void clearWarnings() throws SQLException {
    checkOpen();
    warnings = null;
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return Wrappers.unwrap(type, () -> super.unwrap(type));
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return Wrappers.isWrapperFor(type, () -> super.isWrapperFor(type));
  }

  @Override
  public Array createArrayOf(String typeName, Object[] elements) throws SQLException {
    checkOpen();
    String type = typeName.toUpperCase(Locale.ROOT);
    if (Arrays.stream(SqlType.values()).noneMatch(known -> known.name().equals(type))) {
      throw Refusals.invalid(
          "unknown type of array items: type=" + typeName + "; use VARCHAR or REAL");
    }
    return SqlErrors.translate(() -> super.createArrayOf(type, elements));
  }

  @Override
  public Clob createClob() throws SQLException {
    throw Refusals.unsupported("large objects", "bind strings or readers");
  }

  @Override
  public NClob createNClob() throws SQLException {
    throw Refusals.unsupported("large objects", "bind strings or readers");
  }

  @Override
  public Blob createBlob() throws SQLException {
    throw Refusals.unsupported("binary values", "encode them as text");
  }

  @Override
  public SQLXML createSQLXML() throws SQLException {
    throw Refusals.unsupported("XML values", "bind strings");
  }

  @Override
  public Struct createStruct(String typeName, Object[] attributes) throws SQLException {
    throw Refusals.unsupported("structured values", "use JSON");
  }

  @Override
  public boolean isValid(int timeoutSeconds) throws SQLException {
    if (timeoutSeconds < 0) {
      throw Refusals.invalid("negative timeout: seconds=" + timeoutSeconds + "; give 0 for none");
    }
    return !isClosed();
  }

  /** Kept, without an effect: statements have a timeout of their own. */
  @Override
  public void setNetworkTimeout(@Nullable Executor executor, int milliseconds) throws SQLException {
    checkOpen();
    if (milliseconds < 0) {
      throw Refusals.invalid(
          "negative network timeout: milliseconds=" + milliseconds + "; give 0 for none");
    }
    super.setNetworkTimeout(executor, milliseconds);
  }

  /** Closes the connection in the executor. */
  @Override
  public void abort(@Nullable Executor executor) throws SQLException {
    if (executor == null) {
      throw Refusals.invalid("no executor is given; give one that ends the work");
    }
    if (usage.close()) {
      executor.execute(this::closeStatements);
    }
  }

  /**
   * Rolls back, and closes statements and their result sets too. Statements that other threads run
   * are cancelled; the thread whose statement ends last does what is left to do.
   */
  @Override
  public void close() throws SQLException {
    if (usage.close()) {
      SqlErrors.translate(this::closeStatements);
    }
  }

  private void closeStatements() {
    RuntimeException failure = null;
    for (Executing statement : statements) {
      usage.await();
      try {
        statement.closeThen(usage::leave);
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    usage.leave();
    if (failure != null) {
      throw failure;
    }
  }

  private void endNow() {
    try {
      transactions.abandon();
      super.close();
    } catch (SQLException e) {
      throw new IllegalStateException("connection cannot be closed", e);
    } finally {
      onClose.run();
    }
  }
}
