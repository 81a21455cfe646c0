package org.apache.calcite.jdbc;

import io.loam.jdbc.Catalog;
import io.loam.schema.Limits;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.calcite.avatica.AvaticaDatabaseMetaData;

/** What the database can do. */
final class LoamDatabaseMetaData extends AvaticaDatabaseMetaData {
  private static final List<String> OWN_KEYWORDS =
      List.of(
          "ANALYZER",
          "DESCRIBE",
          "EXPLAIN",
          "IF",
          "INDEX",
          "REBUILD",
          "REINDEX",
          "SHOW",
          "SPARSEVECTOR",
          "TABLES",
          "TAG",
          "TEXT",
          "UPSERT",
          "VECTOR",
          "VERSION");

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

  /** The warehouse itself can be written, whatever the connection says. */
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

  /** Words beyond those of SQL:2003 that have a meaning in Loam. */
  @Override
  public String getSQLKeywords() throws SQLException {
    return Stream.concat(Stream.of(super.getSQLKeywords().split(",", -1)), OWN_KEYWORDS.stream())
        .sorted()
        .distinct()
        .collect(Collectors.joining(","));
  }

  /** With Loam's own, which tools complete. */
  @Override
  public String getSystemFunctions() throws SQLException {
    return super.getSystemFunctions() + "," + Catalog.functionNames();
  }

  @Override
  public int getMaxColumnsInTable() {
    return Limits.MAX_FIELDS;
  }

  /** Longer values make a document too large. */
  @Override
  public long getMaxLogicalLobSize() {
    return Limits.MAX_DOCUMENT_BYTES;
  }

  // A transaction reads one snapshot and writes one table; statements of the catalog are outside.

  @Override
  public boolean supportsTransactions() {
    return true;
  }

  @Override
  public boolean supportsMultipleTransactions() {
    return true;
  }

  @Override
  public boolean supportsDataManipulationTransactionsOnly() {
    return true;
  }

  @Override
  public boolean supportsDataDefinitionAndDataManipulationTransactions() {
    return false;
  }

  @Override
  public boolean dataDefinitionCausesTransactionCommit() {
    return false;
  }

  @Override
  public boolean dataDefinitionIgnoredInTransactions() {
    return false;
  }

  @Override
  public boolean supportsSavepoints() {
    return false;
  }

  @Override
  public boolean supportsOpenCursorsAcrossRollback() {
    return true;
  }

  @Override
  public boolean supportsOpenStatementsAcrossRollback() {
    return true;
  }

  @Override
  public boolean autoCommitFailureClosesAllResultSets() {
    return false;
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
  public boolean supportsResultSetHoldability(int holdability) {
    return holdability == getResultSetHoldability();
  }

  // A result reads one version, and cannot be written.

  @Override
  public boolean ownUpdatesAreVisible(int type) {
    return false;
  }

  @Override
  public boolean ownDeletesAreVisible(int type) {
    return false;
  }

  @Override
  public boolean ownInsertsAreVisible(int type) {
    return false;
  }

  @Override
  public boolean othersUpdatesAreVisible(int type) {
    return false;
  }

  @Override
  public boolean othersDeletesAreVisible(int type) {
    return false;
  }

  @Override
  public boolean othersInsertsAreVisible(int type) {
    return false;
  }

  @Override
  public boolean updatesAreDetected(int type) {
    return false;
  }

  @Override
  public boolean deletesAreDetected(int type) {
    return false;
  }

  @Override
  public boolean insertsAreDetected(int type) {
    return false;
  }

  @Override
  public boolean supportsAlterTableWithAddColumn() {
    return true;
  }

  @Override
  public boolean supportsAlterTableWithDropColumn() {
    return true;
  }

  @Override
  public boolean supportsSubqueriesInQuantifieds() {
    return true;
  }

  /** They come last in ascending order and first in descending order. */
  @Override
  public boolean nullsAreSortedHigh() {
    return true;
  }

  @Override
  public boolean nullsAreSortedAtEnd() {
    return false;
  }

  @Override
  public boolean supportsStoredProcedures() {
    return true;
  }

  @Override
  public boolean supportsStoredFunctionsUsingCallSyntax() {
    return false;
  }

  /** A table may be called by its own name. */
  @Override
  public boolean supportsDifferentTableCorrelationNames() {
    return false;
  }

  /** It has privileges, which there are none of. */
  @Override
  public boolean supportsANSI92EntryLevelSQL() {
    return false;
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

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return Wrappers.unwrap(type, () -> super.unwrap(type));
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return Wrappers.isWrapperFor(type, () -> super.isWrapperFor(type));
  }
}
