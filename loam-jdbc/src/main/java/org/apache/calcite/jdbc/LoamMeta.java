package org.apache.calcite.jdbc;

import io.loam.jdbc.Catalog;
import io.loam.jdbc.CatalogTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.MetaImpl;
import org.apache.calcite.avatica.NoSuchStatementException;
import org.jspecify.annotations.Nullable;

/** Answers metadata questions from the warehouse itself, without planning anything. */
final class LoamMeta extends CalciteMetaImpl {
  private final Catalog catalog;

  LoamMeta(CalciteConnectionImpl connection, Catalog catalog) {
    super(connection, CalciteMetaTableFactoryImpl.INSTANCE, CalciteMetaColumnFactoryImpl.INSTANCE);
    this.catalog = catalog;
  }

  /** Lets the statement look at its plan before it runs. */
  @Override
  public ExecuteResult prepareAndExecute(
      StatementHandle handle,
      String sql,
      long maxRows,
      int maxRowsInFirstFrame,
      PrepareCallback callback)
      throws NoSuchStatementException {
    AvaticaStatement statement = connection.statementMap.get(handle.id);
    return super.prepareAndExecute(
        handle,
        sql,
        maxRows,
        maxRowsInFirstFrame,
        statement instanceof LoamStatement loam ? checked(callback, loam) : callback);
  }

  private static PrepareCallback checked(PrepareCallback callback, LoamStatement statement) {
    return new PrepareCallback() {
      @Override
      public Object getMonitor() {
        return callback.getMonitor();
      }

      @Override
      public void clear() throws SQLException {
        callback.clear();
      }

      @Override
      public void assign(Signature signature, @Nullable Frame firstFrame, long updateCount)
          throws SQLException {
        statement.checkRows(signature);
        callback.assign(signature, firstFrame, updateCount);
      }

      @Override
      public void execute() throws SQLException {
        callback.execute();
      }
    };
  }

  private MetaResultSet result(CatalogTable table, List<Object[]> rows) {
    List<ColumnMetaData> columns = new ArrayList<>();
    for (CatalogTable.Column column : table.columns()) {
      columns.add(MetaImpl.columnMetaData(column.name(), columns.size(), column.type(), true));
    }
    // A row of one column is its value, not an array.
    List<Object> values = new ArrayList<>(rows.size());
    for (Object[] row : rows) {
      values.add(columns.size() == 1 ? row[0] : row);
    }
    CursorFactory cursor = columns.size() == 1 ? CursorFactory.OBJECT : CursorFactory.ARRAY;
    return createResultSet(Map.of(), columns, cursor, new Frame(0, true, values));
  }

  private static @Nullable String pattern(@Nullable Pat pat) {
    return pat == null ? null : pat.s;
  }

  @Override
  public MetaResultSet getCatalogs(ConnectionHandle handle) {
    return result(CatalogTable.CATALOGS, List.of());
  }

  @Override
  public MetaResultSet getSchemas(
      ConnectionHandle handle, @Nullable String catalogName, @Nullable Pat schema) {
    return result(CatalogTable.SCHEMAS, catalog.schemas(catalogName, pattern(schema)));
  }

  @Override
  public MetaResultSet getTableTypes(ConnectionHandle handle) {
    return result(CatalogTable.TABLE_TYPES, catalog.tableTypes());
  }

  @Override
  public MetaResultSet getTables(
      ConnectionHandle handle,
      @Nullable String catalogName,
      @Nullable Pat schema,
      @Nullable Pat table,
      @Nullable List<String> types) {
    return result(
        CatalogTable.TABLES, catalog.tables(catalogName, pattern(schema), pattern(table), types));
  }

  @Override
  public MetaResultSet getColumns(
      ConnectionHandle handle,
      @Nullable String catalogName,
      @Nullable Pat schema,
      @Nullable Pat table,
      @Nullable Pat column) {
    return result(
        CatalogTable.COLUMNS,
        catalog.columns(catalogName, pattern(schema), pattern(table), pattern(column)));
  }

  @Override
  public MetaResultSet getPrimaryKeys(
      ConnectionHandle handle,
      @Nullable String catalogName,
      @Nullable String schema,
      @Nullable String table) {
    return result(CatalogTable.PRIMARY_KEYS, catalog.primaryKeys(catalogName, schema, table));
  }

  @Override
  public MetaResultSet getIndexInfo(
      ConnectionHandle handle,
      @Nullable String catalogName,
      @Nullable String schema,
      @Nullable String table,
      boolean unique,
      boolean approximate) {
    return result(CatalogTable.INDEXES, catalog.indexes(catalogName, schema, table, unique));
  }

  @Override
  public MetaResultSet getProcedures(
      ConnectionHandle handle,
      @Nullable String catalogName,
      @Nullable Pat schema,
      @Nullable Pat procedure) {
    return result(
        CatalogTable.PROCEDURES,
        catalog.procedures(catalogName, pattern(schema), pattern(procedure)));
  }

  @Override
  public MetaResultSet getProcedureColumns(
      ConnectionHandle handle,
      @Nullable String catalogName,
      @Nullable Pat schema,
      @Nullable Pat procedure,
      @Nullable Pat column) {
    return result(
        CatalogTable.PROCEDURE_COLUMNS,
        catalog.procedureColumns(
            catalogName, pattern(schema), pattern(procedure), pattern(column)));
  }

  @Override
  public MetaResultSet getBestRowIdentifier(
      ConnectionHandle handle,
      @Nullable String catalogName,
      @Nullable String schema,
      @Nullable String table,
      int scope,
      boolean nullable) {
    return result(
        CatalogTable.BEST_ROW_IDENTIFIERS, catalog.bestRowIdentifiers(catalogName, schema, table));
  }

  @Override
  public MetaResultSet getTypeInfo(ConnectionHandle handle) {
    return result(CatalogTable.TYPES, catalog.types());
  }

  @Override
  public MetaResultSet getFunctions(
      ConnectionHandle handle,
      @Nullable String catalogName,
      @Nullable Pat schema,
      @Nullable Pat function) {
    return result(
        CatalogTable.FUNCTIONS, catalog.functions(catalogName, pattern(schema), pattern(function)));
  }

  @Override
  public MetaResultSet getFunctionColumns(
      ConnectionHandle handle,
      @Nullable String catalogName,
      @Nullable Pat schema,
      @Nullable Pat function,
      @Nullable Pat column) {
    return result(
        CatalogTable.FUNCTION_COLUMNS,
        catalog.functionColumns(catalogName, pattern(schema), pattern(function), pattern(column)));
  }
}
