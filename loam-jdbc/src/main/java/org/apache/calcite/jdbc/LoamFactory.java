package org.apache.calcite.jdbc;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Properties;
import java.util.TimeZone;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaDatabaseMetaData;
import org.apache.calcite.avatica.AvaticaFactory;
import org.apache.calcite.avatica.AvaticaPreparedStatement;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.QueryState;
import org.apache.calcite.avatica.UnregisteredDriver;
import org.jspecify.annotations.Nullable;

/** Makes Loam's JDBC objects. */
final class LoamFactory extends CalciteFactory {
  LoamFactory() {
    super(4, 3);
  }

  @Override
  public AvaticaConnection newConnection(
      UnregisteredDriver driver,
      AvaticaFactory factory,
      String url,
      Properties info,
      @Nullable CalciteSchema rootSchema,
      @Nullable JavaTypeFactory typeFactory) {
    throw new UnsupportedOperationException("connections come from LoamEngine.connect");
  }

  @Override
  public AvaticaDatabaseMetaData newDatabaseMetaData(AvaticaConnection connection) {
    return new LoamDatabaseMetaData((LoamConnection) connection);
  }

  @Override
  public AvaticaStatement newStatement(
      AvaticaConnection connection,
      Meta.@Nullable StatementHandle handle,
      int resultSetType,
      int resultSetConcurrency,
      int resultSetHoldability) {
    LoamConnection owner = (LoamConnection) connection;
    LoamStatement statement = new LoamStatement(owner, handle, resultSetHoldability);
    owner.add(statement);
    return statement;
  }

  @Override
  public AvaticaPreparedStatement newPreparedStatement(
      AvaticaConnection connection,
      Meta.@Nullable StatementHandle handle,
      Meta.Signature signature,
      int resultSetType,
      int resultSetConcurrency,
      int resultSetHoldability)
      throws SQLException {
    LoamConnection owner = (LoamConnection) connection;
    LoamPreparedStatement statement =
        new LoamPreparedStatement(
            owner, handle, (CalcitePrepare.CalciteSignature<?>) signature, resultSetHoldability);
    owner.add(statement);
    return statement;
  }

  @Override
  public CalciteResultSet newResultSet(
      AvaticaStatement statement,
      QueryState state,
      Meta.Signature signature,
      TimeZone timeZone,
      Meta.Frame firstFrame)
      throws SQLException {
    return new LoamResultSet(
        statement,
        (CalcitePrepare.CalciteSignature<?>) signature,
        newResultSetMetaData(statement, signature),
        timeZone,
        firstFrame);
  }

  @Override
  public ResultSetMetaData newResultSetMetaData(
      AvaticaStatement statement, Meta.Signature signature) {
    LoamConnection owner = (LoamConnection) statement.connection;
    return new LoamResultSetMetaData(signature, owner.catalog());
  }
}
