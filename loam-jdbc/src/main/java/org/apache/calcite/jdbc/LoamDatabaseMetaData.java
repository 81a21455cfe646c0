package org.apache.calcite.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import org.apache.calcite.avatica.AvaticaDatabaseMetaData;

/** What the database can do. */
final class LoamDatabaseMetaData extends AvaticaDatabaseMetaData {
  private final LoamConnection connection;

  LoamDatabaseMetaData(LoamConnection connection) {
    super(connection);
    this.connection = connection;
  }

  @Override
  public String getURL() {
    return connection.settings().url();
  }

  @Override
  public String getUserName() {
    return connection.settings().user();
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public boolean usesLocalFiles() {
    return true;
  }

  // Names match in any letter case, quoted or not, and are stored as declared.

  @Override
  public boolean storesMixedCaseIdentifiers() {
    return true;
  }

  @Override
  public boolean supportsMixedCaseIdentifiers() {
    return false;
  }

  @Override
  public boolean storesMixedCaseQuotedIdentifiers() {
    return true;
  }

  @Override
  public boolean supportsMixedCaseQuotedIdentifiers() {
    return false;
  }

  @Override
  public boolean supportsCatalogsInDataManipulation() {
    return false;
  }

  @Override
  public boolean supportsCatalogsInProcedureCalls() {
    return false;
  }

  @Override
  public boolean supportsCatalogsInTableDefinitions() {
    return false;
  }

  @Override
  public boolean supportsCatalogsInIndexDefinitions() {
    return false;
  }

  @Override
  public boolean supportsCatalogsInPrivilegeDefinitions() {
    return false;
  }

  @Override
  public boolean supportsSchemasInPrivilegeDefinitions() {
    return false;
  }

  @Override
  public boolean supportsANSI92FullSQL() {
    return false;
  }

  @Override
  public boolean supportsANSI92IntermediateSQL() {
    return false;
  }

  // Each statement is one transaction on one snapshot.

  @Override
  public boolean supportsTransactions() {
    return false; // of several statements, which is what tools ask for
  }

  @Override
  public int getDefaultTransactionIsolation() {
    return Connection.TRANSACTION_REPEATABLE_READ;
  }

  @Override
  public boolean supportsTransactionIsolationLevel(int level) {
    return LoamConnection.isAtMostSnapshot(level);
  }

  @Override
  public boolean supportsOpenCursorsAcrossCommit() {
    return true;
  }

  @Override
  public boolean supportsOpenStatementsAcrossCommit() {
    return true;
  }

  @Override
  public boolean supportsResultSetType(int type) {
    return type == ResultSet.TYPE_FORWARD_ONLY;
  }

  @Override
  public boolean supportsBatchUpdates() {
    return true;
  }

  @Override
  public boolean supportsGetGeneratedKeys() {
    return false;
  }

  /** Results of several statements may be open; those of one may not. */
  @Override
  public boolean supportsMultipleOpenResults() {
    return false;
  }
}
