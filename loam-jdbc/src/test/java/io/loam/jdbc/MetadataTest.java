package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.FieldType;
import io.loam.schema.TypeKind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetadataTest {
  private Connection connection;
  private DatabaseMetaData metaData;

  @BeforeEach
  void open() throws SQLException {
    FakeWarehouse warehouse = FakeWarehouse.withEveryKind();
    warehouse.add(
        "a_b",
        new CollectionSchema(
            1,
            List.of(new Field(1, "x", FieldType.of(TypeKind.VARCHAR), true, "", "")),
            CollectionSchema.HIDDEN_KEY,
            2,
            Map.of()));
    warehouse.add(
        "axb",
        new CollectionSchema(
            1,
            List.of(new Field(1, "id", FieldType.of(TypeKind.VARCHAR), false, "", "")),
            1,
            2,
            Map.of()));
    connection = FakeDriver.connect(warehouse, "jdbc:loam:/nowhere?user=ann");
    metaData = connection.getMetaData();
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private static List<Map<String, Object>> rows(ResultSet result) throws SQLException {
    List<Map<String, Object>> rows = new ArrayList<>();
    try (result) {
      ResultSetMetaData columns = result.getMetaData();
      while (result.next()) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          row.put(columns.getColumnLabel(i), result.getObject(i));
        }
        rows.add(row);
      }
    }
    return rows;
  }

  private static List<Object> column(ResultSet result, String name) throws SQLException {
    return rows(result).stream().map(r -> r.get(name)).toList();
  }

  @Test
  void productAndConnection() throws SQLException {
    assertThat(metaData.getDatabaseProductName()).isEqualTo("Loam");
    assertThat(metaData.getDriverName()).isEqualTo("Loam JDBC driver");
    assertThat(metaData.getURL()).isEqualTo("jdbc:loam:/nowhere?user=ann");
    assertThat(metaData.getUserName()).isEqualTo("ann");
    assertThat(metaData.isReadOnly()).isFalse();
    assertThat(metaData.getIdentifierQuoteString()).isEqualTo("\"");
    assertThat(metaData.getDefaultTransactionIsolation())
        .isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
    assertThat(metaData.supportsTransactions()).isTrue();
    assertThat(metaData.supportsTransactionIsolationLevel(Connection.TRANSACTION_SERIALIZABLE))
        .isFalse();
  }

  @Test
  void schemasAndCatalogs() throws SQLException {
    assertThat(column(metaData.getSchemas(), "TABLE_SCHEM")).containsExactly("loam");
    assertThat(column(metaData.getSchemas(null, "LO%"), "TABLE_SCHEM")).containsExactly("loam");
    assertThat(rows(metaData.getSchemas(null, "x"))).isEmpty();
    assertThat(rows(metaData.getCatalogs())).isEmpty();
    assertThat(column(metaData.getTableTypes(), "TABLE_TYPE")).containsExactly("TABLE");
  }

  @Test
  void tablesMatchPatternsInAnyCase() throws SQLException {
    assertThat(tables(null, null)).containsExactly("Every_Kind", "a_b", "axb");
    assertThat(tables("every\\_KIND", null)).containsExactly("Every_Kind");
    assertThat(tables("A_B", null)).containsExactly("a_b", "axb");
    assertThat(tables("a\\_b", null)).containsExactly("a_b");
    assertThat(tables("%", new String[] {"VIEW"})).isEmpty();
    assertThat(tables("%", new String[] {"VIEW", "TABLE"})).hasSize(3);
    Map<String, Object> row = rows(metaData.getTables(null, "loam", "axb", null)).get(0);
    assertThat(row)
        .hasSize(10)
        .containsEntry("TABLE_CAT", null)
        .containsEntry("TABLE_SCHEM", "loam")
        .containsEntry("TABLE_TYPE", "TABLE");
  }

  @Test
  void commentsAreRemarks(@TempDir Path other) throws SQLException {
    try (Connection own = DriverManager.getConnection("jdbc:loam:" + other);
        Statement statement = own.createStatement()) {
      statement.execute(
          "CREATE TABLE c (id BIGINT PRIMARY KEY, Name VARCHAR, body TEXT)"
              + " WITH ('comment' = 'it''s a table', 'comment.name' = 'a name')");
      statement.execute("ALTER TABLE c ADD COLUMN n INTEGER WITH ('comment.N' = 'a number')");
      assertThat(column(own.getMetaData().getTables(null, null, "c", null), "REMARKS"))
          .containsExactly("it's a table");
      assertThat(column(own.getMetaData().getColumns(null, null, "c", null), "REMARKS"))
          .containsExactly("", "a name", "analyzer standard", "a number");
      statement.execute("ALTER TABLE c DROP COLUMN n");
      statement.execute("ALTER TABLE c ADD COLUMN n INTEGER");
      assertThat(column(own.getMetaData().getColumns(null, null, "c", "n"), "REMARKS"))
          .containsExactly("");
      assertThatThrownBy(
              () -> statement.execute("CREATE TABLE d (id BIGINT) WITH ('comment.x' = 'none')"))
          .hasMessageContaining("unknown option: option=comment.x");
    }
  }

  private List<Object> tables(String pattern, String[] types) throws SQLException {
    return column(metaData.getTables(null, null, pattern, types), "TABLE_NAME");
  }

  @Test
  void columnsOfEveryKind() throws SQLException {
    List<Map<String, Object>> rows = rows(metaData.getColumns(null, null, "EVERY_KIND", null));
    assertThat(rows).hasSize(TypeKind.values().length).allMatch(r -> r.size() == 24);
    assertThat(rows)
        .extracting(
            r ->
                r.get("COLUMN_NAME")
                    + " "
                    + r.get("DATA_TYPE")
                    + " "
                    + r.get("TYPE_NAME")
                    + " "
                    + r.get("COLUMN_SIZE")
                    + " "
                    + r.get("DECIMAL_DIGITS")
                    + " "
                    + r.get("IS_NULLABLE"))
        .containsExactly(
            "c_bigint -5 BIGINT 19 0 NO",
            "c_integer 4 INTEGER 10 0 YES",
            "c_real 7 REAL 7 null YES",
            "c_double 8 DOUBLE 15 null YES",
            "c_decimal 3 DECIMAL 12 2 YES",
            "c_boolean 16 BOOLEAN 1 null YES",
            "c_date 91 DATE 10 null YES",
            "c_timestamp 93 TIMESTAMP 26 6 YES",
            "c_uuid 1111 UUID 36 null YES",
            "c_varchar 12 VARCHAR 16777216 null YES",
            "c_varchar_array 2003 VARCHAR ARRAY 16777216 null YES",
            "c_text 12 TEXT 16777216 null YES",
            "c_json 12 JSON 16777216 null YES",
            "c_vector 2003 VECTOR 3 null YES",
            "c_sparsevector 12 SPARSEVECTOR 65536 null YES");
    assertThat(rows).extracting(r -> r.get("ORDINAL_POSITION")).startsWith(1, 2, 3);
    assertThat(rows.get(11)).containsEntry("REMARKS", "analyzer english");
    assertThat(rows.get(13)).containsEntry("REMARKS", "metric cosine");
  }

  @Test
  void columnPatterns() throws SQLException {
    assertThat(column(metaData.getColumns(null, null, "%", "C_D%"), "COLUMN_NAME"))
        .containsExactly("c_double", "c_decimal", "c_date");
  }

  @Test
  void primaryKeys() throws SQLException {
    assertThat(rows(metaData.getPrimaryKeys(null, null, "every_kind")))
        .singleElement()
        .satisfies(
            r ->
                assertThat(r)
                    .containsEntry("TABLE_NAME", "Every_Kind")
                    .containsEntry("COLUMN_NAME", "c_bigint")
                    .containsEntry("KEY_SEQ", (short) 1)
                    .containsEntry("PK_NAME", "Every_Kind_pkey"));
    assertThat(rows(metaData.getPrimaryKeys(null, "loam", "a_b"))).isEmpty();
    assertThat(
            column(
                metaData.getBestRowIdentifier(
                    null, null, "axb", DatabaseMetaData.bestRowSession, true),
                "COLUMN_NAME"))
        .containsExactly("id");
  }

  @Test
  void typeInfoHasLoamsTypesInOrder() throws SQLException {
    List<Map<String, Object>> rows = rows(metaData.getTypeInfo());
    assertThat(rows).hasSize(TypeKind.values().length + 2).allMatch(r -> r.size() == 18);
    assertThat(rows).extracting(r -> (Integer) r.get("DATA_TYPE")).isSorted();
    assertThat(rows)
        .filteredOn(r -> r.get("TYPE_NAME").equals("VECTOR"))
        .singleElement()
        .satisfies(
            r ->
                assertThat(r)
                    .containsEntry("DATA_TYPE", Types.ARRAY)
                    .containsEntry("CREATE_PARAMS", "dimension"));
  }

  @Test
  void functionsAndTheirParameters() throws SQLException {
    assertThat(column(metaData.getFunctions(null, null, "%"), "FUNCTION_NAME"))
        .containsExactly(
            "array_contains",
            "bm25",
            "cosine_distance",
            "highlight",
            "hybrid",
            "l2_distance",
            "match",
            "negative_inner_product",
            "score",
            "sparse_match",
            "vector_search");
    assertThat(rows(metaData.getFunctions(null, "loam", "%")))
        .allSatisfy(r -> assertThat((String) r.get("REMARKS")).isNotBlank());
    assertThat(rows(metaData.getFunctionColumns(null, null, "HighLight", "%")))
        .extracting(
            r ->
                r.get("ORDINAL_POSITION")
                    + " "
                    + r.get("COLUMN_NAME")
                    + " "
                    + r.get("TYPE_NAME")
                    + " "
                    + r.get("COLUMN_TYPE")
                    + " "
                    + r.get("IS_NULLABLE"))
        .containsExactly(
            "0  VARCHAR 4 YES",
            "1 column VARCHAR 1 NO",
            "2 query VARCHAR 1 NO",
            "3 before VARCHAR 1 YES",
            "4 after VARCHAR 1 YES",
            "5 fragments INTEGER 1 YES");
    assertThat(rows(metaData.getFunctionColumns(null, "loam", "VECTOR\\_SEARCH", "K")))
        .singleElement()
        .satisfies(
            r ->
                assertThat(r)
                    .hasSize(17)
                    .containsEntry("FUNCTION_NAME", "vector_search")
                    .containsEntry("DATA_TYPE", Types.INTEGER)
                    .containsEntry("IS_NULLABLE", "YES"));
  }

  @Test
  void theKeyIsAnIndex() throws SQLException {
    assertThat(rows(metaData.getIndexInfo(null, null, "every_kind", true, false)))
        .singleElement()
        .satisfies(
            r ->
                assertThat(r)
                    .hasSize(13)
                    .containsEntry("TABLE_NAME", "Every_Kind")
                    .containsEntry("NON_UNIQUE", false)
                    .containsEntry("INDEX_NAME", "Every_Kind_pkey")
                    .containsEntry("COLUMN_NAME", "c_bigint")
                    .containsEntry("ORDINAL_POSITION", (short) 1));
  }

  @Test
  void indexesOfVectorsComeAfterTheKey() throws SQLException {
    assertThat(rows(metaData.getIndexInfo(null, "LOAM", "AXB", false, false)))
        .extracting(
            r -> r.get("INDEX_NAME") + " " + r.get("COLUMN_NAME") + " " + r.get("NON_UNIQUE"))
        .containsExactly("axb_pkey id false", "by_vector id true");
    assertThat(column(metaData.getIndexInfo(null, null, "a_b", false, true), "INDEX_NAME"))
        .containsExactly("by_vector");
  }

  @Test
  void proceduresAndTheirParameters() throws SQLException {
    assertThat(column(metaData.getProcedures(null, null, "%"), "PROCEDURE_NAME")).contains("gc");
    assertThat(rows(metaData.getProcedures(null, "other", "%"))).isEmpty();
    assertThat(rows(metaData.getProcedures(null, "LOAM", "G_")))
        .singleElement()
        .satisfies(
            r ->
                assertThat(r)
                    .hasSize(9)
                    .containsEntry("PROCEDURE_SCHEM", "loam")
                    .containsEntry(
                        "REMARKS", "CALL loam.gc(collection, grace_minutes => …, dry_run => …)")
                    .containsEntry(
                        "PROCEDURE_TYPE", (short) DatabaseMetaData.procedureReturnsResult));
    List<Map<String, Object>> columns = rows(metaData.getProcedureColumns(null, null, "gc", "%"));
    assertThat(columns).allMatch(r -> r.size() == 20);
    assertThat(columns)
        .extracting(
            r ->
                r.get("ORDINAL_POSITION")
                    + " "
                    + r.get("COLUMN_NAME")
                    + " "
                    + r.get("TYPE_NAME")
                    + " "
                    + r.get("IS_NULLABLE"))
        .containsExactly(
            "1 collection VARCHAR NO", "2 grace_minutes DECIMAL YES", "3 dry_run BOOLEAN YES");
  }

  @Test
  void wordsOfLoamThatTheStandardDoesNotHave() throws SQLException {
    assertThat(metaData.getSQLKeywords().split(",", -1))
        .contains("UPSERT", "VECTOR", "LIMIT", "OFFSET")
        .isSorted();
    assertThat(metaData.getSystemFunctions().split(",", -1)).contains("bm25", "score", "USER");
    assertThat(metaData.getMaxColumnsInTable()).isEqualTo(1_000);
  }

  @Test
  void emptyAnswersHaveColumns() throws SQLException {
    for (ResultSet result :
        List.of(
            metaData.getIndexInfo(null, null, "a_b", true, false),
            metaData.getImportedKeys(null, null, "a_b"),
            metaData.getExportedKeys(null, null, "a_b"),
            metaData.getUDTs(null, null, null, null),
            metaData.getTablePrivileges(null, null, null),
            metaData.getVersionColumns(null, null, "a_b"),
            metaData.getClientInfoProperties())) {
      assertThat(result.getMetaData().getColumnCount()).isPositive();
      assertThat(rows(result)).isEmpty();
    }
  }
}
