package io.loam.sqltests;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the metadata says that Loam can do, it does; what it says that it cannot, it refuses. */
class ClaimsTest {
  /** A statement, or several between semicolons, that need what a method tells of. */
  private static final Map<String, String> NEEDS =
      Map.ofEntries(
          entry("supportsAlterTableWithAddColumn", "ALTER TABLE t ADD COLUMN more INTEGER"),
          entry("supportsAlterTableWithDropColumn", "ALTER TABLE t DROP COLUMN s"),
          entry("supportsANSI92EntryLevelSQL", "GRANT SELECT ON t TO PUBLIC"),
          entry("supportsANSI92IntermediateSQL", "CREATE DOMAIN d AS INTEGER"),
          entry("supportsANSI92FullSQL", "CREATE ASSERTION a CHECK (1 = 1)"),
          entry("supportsCatalogsInDataManipulation", "SELECT * FROM c.loam.t"),
          entry(
              "supportsCatalogsInIndexDefinitions",
              "CREATE INDEX i ON c.loam.t (v) USING ivf_flat"),
          entry("supportsCatalogsInPrivilegeDefinitions", "GRANT SELECT ON c.loam.t TO PUBLIC"),
          entry("supportsCatalogsInProcedureCalls", "CALL c.loam.verify('t')"),
          entry(
              "supportsCatalogsInTableDefinitions",
              "CREATE TABLE c.loam.u (id BIGINT PRIMARY KEY)"),
          entry("supportsColumnAliasing", "SELECT id AS x FROM t"),
          entry("supportsConvert", "SELECT {fn CONVERT('1', SQL_INTEGER)}"),
          entry("supportsCoreSQLGrammar", "SELECT count(*) FROM t GROUP BY n HAVING min(id) > 0"),
          entry(
              "supportsCorrelatedSubqueries",
              "SELECT (SELECT max(id) FROM t AS b WHERE b.n = a.n) FROM t AS a"),
          entry("supportsExpressionsInOrderBy", "SELECT id FROM t ORDER BY n + id"),
          entry("supportsExtendedSQLGrammar", "SELECT {fn LOCATE('a', s)} FROM t UNION SELECT 1"),
          entry("supportsFullOuterJoins", "SELECT a.id FROM t a FULL JOIN t b ON a.id = b.n"),
          entry("supportsGroupBy", "SELECT n, count(*) FROM t GROUP BY n"),
          entry("supportsGroupByBeyondSelect", "SELECT count(*) FROM t GROUP BY n, s"),
          entry("supportsGroupByUnrelated", "SELECT count(*) FROM t GROUP BY n"),
          entry(
              "supportsIntegrityEnhancementFacility",
              "CREATE TABLE u (id BIGINT PRIMARY KEY, r BIGINT REFERENCES t)"),
          entry("supportsLikeEscapeClause", "SELECT s LIKE '!%' ESCAPE '!' FROM t"),
          entry("supportsLimitedOuterJoins", "SELECT a.id FROM t a LEFT JOIN t b ON a.id = b.n"),
          entry("supportsMinimumSQLGrammar", "SELECT id FROM t WHERE n = 1"),
          entry("supportsMixedCaseIdentifiers", "CREATE TABLE T (id BIGINT PRIMARY KEY)"),
          entry("supportsMixedCaseQuotedIdentifiers", "CREATE TABLE \"T\" (id BIGINT PRIMARY KEY)"),
          entry(
              "supportsNonNullableColumns",
              "CREATE TABLE u (id BIGINT PRIMARY KEY, n INTEGER NOT NULL)"),
          entry("supportsOrderByUnrelated", "SELECT id FROM t ORDER BY n"),
          entry(
              "supportsOuterJoins",
              "SELECT a.id FROM t a LEFT JOIN (t b RIGHT JOIN t c ON b.id = c.id) ON a.id = b.n"),
          entry("supportsPositionedDelete", "DELETE FROM t WHERE CURRENT OF c"),
          entry("supportsPositionedUpdate", "UPDATE t SET n = 1 WHERE CURRENT OF c"),
          entry("supportsSchemasInDataManipulation", "UPDATE loam.t SET n = 1"),
          entry("supportsSchemasInIndexDefinitions", "CREATE INDEX i ON loam.t (v) USING ivf_flat"),
          entry("supportsSchemasInPrivilegeDefinitions", "GRANT SELECT ON loam.t TO PUBLIC"),
          entry("supportsSchemasInProcedureCalls", "CALL loam.verify('t')"),
          entry("supportsSchemasInTableDefinitions", "CREATE TABLE loam.u (id BIGINT PRIMARY KEY)"),
          entry("supportsSelectForUpdate", "SELECT id FROM t FOR UPDATE"),
          entry("supportsStoredFunctionsUsingCallSyntax", "{? = call abs(1)}"),
          entry("supportsSubqueriesInComparisons", "SELECT id FROM t WHERE id = (SELECT 1)"),
          entry(
              "supportsSubqueriesInExists",
              "SELECT id FROM t a WHERE EXISTS (SELECT 1 FROM t b WHERE b.n = a.id)"),
          entry("supportsSubqueriesInIns", "SELECT id FROM t WHERE id IN (SELECT n FROM t)"),
          entry(
              "supportsSubqueriesInQuantifieds",
              "SELECT id FROM t WHERE id > ALL (SELECT n FROM t)"),
          entry("supportsTableCorrelationNames", "SELECT x.id FROM t AS x"),
          entry("supportsUnion", "SELECT id FROM t UNION SELECT n FROM t"),
          entry("supportsUnionAll", "SELECT id FROM t UNION ALL SELECT n FROM t"));

  /** What calls of JDBC show, below and in the tests of transactions, closing and threads. */
  private static final Set<String> SHOWN_BY_CALLS =
      Set.of(
          "supportsBatchUpdates",
          "supportsDataDefinitionAndDataManipulationTransactions",
          "supportsDataManipulationTransactionsOnly",
          "supportsDifferentTableCorrelationNames",
          "supportsGetGeneratedKeys",
          "supportsMultipleOpenResults",
          "supportsMultipleResultSets",
          "supportsMultipleTransactions",
          "supportsNamedParameters",
          "supportsOpenCursorsAcrossCommit",
          "supportsOpenCursorsAcrossRollback",
          "supportsOpenStatementsAcrossCommit",
          "supportsOpenStatementsAcrossRollback",
          "supportsRefCursors",
          "supportsSavepoints",
          "supportsSharding",
          "supportsStatementPooling",
          "supportsStoredProcedures",
          "supportsTransactions");

  @TempDir Path folder;
  private Connection connection;
  private DatabaseMetaData claims;

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
    claims = connection.getMetaData();
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private void createTable() throws SQLException {
    for (String table : List.of("t", "u")) {
      Sql.run(connection, "DROP TABLE IF EXISTS " + table);
    }
    Sql.run(
        connection, "CREATE TABLE t (id BIGINT PRIMARY KEY, n INTEGER, s VARCHAR, v VECTOR(2))");
    Sql.run(connection, "INSERT INTO t VALUES (1, 3, 'b', '[1,0]'), (2, NULL, 'a', '[0,1]')");
  }

  private interface Call {
    void run() throws SQLException;
  }

  private static boolean works(Call call) {
    try {
      call.run();
      return true;
    } catch (SQLException e) {
      assertThat(e.getSQLState()).as(e.getMessage()).isNotEqualTo("XX000");
      return false;
    }
  }

  @Test
  void statementsDoWhatIsClaimed() throws Exception {
    List<String> wrong = new ArrayList<>();
    createTable();
    for (Method method : DatabaseMetaData.class.getMethods()) {
      String name = method.getName();
      if (!name.startsWith("supports")
          || method.getParameterCount() > 0
          || SHOWN_BY_CALLS.contains(name)) {
        continue;
      }
      String sql = NEEDS.get(name);
      assertThat(sql).as("a statement that needs %s", name).isNotNull();
      boolean changes = !sql.startsWith("SELECT");
      if (works(() -> Sql.run(connection, sql)) != (boolean) method.invoke(claims)) {
        wrong.add(name + ": " + sql);
      }
      if (changes) {
        createTable();
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void callsDoWhatIsClaimed() throws SQLException {
    createTable();
    assertThat(claims.supportsDifferentTableCorrelationNames())
        .isNotEqualTo(works(() -> Sql.run(connection, "SELECT t.id FROM t AS t")));
    assertThat(claims.supportsStoredProcedures())
        .isEqualTo(works(() -> connection.prepareCall("{call loam.verify('t')}").execute()));
    assertThat(claims.supportsNamedParameters())
        .isEqualTo(
            works(
                () ->
                    connection.prepareCall("{call loam.verify(?)}").setString("collection", "t")));
    assertThat(claims.supportsSavepoints())
        .isEqualTo(
            works(
                () -> {
                  Savepoint savepoint = connection.setSavepoint();
                  connection.releaseSavepoint(savepoint);
                }));
    assertThat(claims.supportsGetGeneratedKeys())
        .isEqualTo(works(() -> connection.createStatement().getGeneratedKeys().close()));
    assertThat(claims.supportsMultipleOpenResults()).isEqualTo(twoResultsOfOneStatement());
    for (int hold :
        List.of(ResultSet.HOLD_CURSORS_OVER_COMMIT, ResultSet.CLOSE_CURSORS_AT_COMMIT)) {
      assertThat(claims.supportsResultSetHoldability(hold))
          .isEqualTo(hold == connection.getHoldability());
    }
    for (int level : List.of(0, 1, 2, 4, 8)) {
      assertThat(claims.supportsTransactionIsolationLevel(level))
          .as("level %d", level)
          .isEqualTo(works(() -> connection.setTransactionIsolation(level)));
    }
  }

  private boolean twoResultsOfOneStatement() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      ResultSet first = statement.executeQuery("SELECT id FROM t");
      statement.executeQuery("SELECT id FROM t");
      return !first.isClosed();
    }
  }

  @Test
  void nullsStandWhereIsClaimed() throws SQLException {
    createTable();
    Object ascending = Sql.column(connection, "SELECT n FROM t ORDER BY n").get(1);
    Object descending = Sql.column(connection, "SELECT n FROM t ORDER BY n DESC").get(1);
    assertThat(claims.nullsAreSortedAtEnd()).isEqualTo(ascending == null && descending == null);
    assertThat(claims.nullsAreSortedAtStart()).isEqualTo(ascending != null && descending != null);
    assertThat(claims.nullsAreSortedHigh()).isEqualTo(ascending == null && descending != null);
    assertThat(claims.nullsAreSortedLow()).isEqualTo(ascending != null && descending == null);
    assertThat(claims.nullPlusNonNullIsNull())
        .isEqualTo(
            Sql.column(connection, "SELECT s || CAST(NULL AS VARCHAR) FROM t").get(0) == null);
  }

  @Test
  void namesAreStoredAsClaimed() throws SQLException {
    Sql.run(connection, "CREATE TABLE MiXed (Id BIGINT PRIMARY KEY)");
    Sql.run(connection, "CREATE TABLE \"QuoTed\" (\"iD\" BIGINT PRIMARY KEY)");
    try (ResultSet tables = claims.getTables(null, null, "mixed", null);
        ResultSet quoted = claims.getColumns(null, null, "quoted", null)) {
      assertThat(tables.next()).isTrue();
      assertThat(claims.storesMixedCaseIdentifiers())
          .isEqualTo(tables.getString("TABLE_NAME").equals("MiXed"));
      assertThat(quoted.next()).isTrue();
      assertThat(claims.storesMixedCaseQuotedIdentifiers())
          .isEqualTo(quoted.getString("COLUMN_NAME").equals("iD"));
    }
  }
}
