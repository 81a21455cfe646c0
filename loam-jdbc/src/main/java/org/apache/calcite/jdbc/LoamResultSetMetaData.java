package org.apache.calcite.jdbc;

import io.loam.jdbc.Catalog;
import io.loam.jdbc.SqlErrors;
import io.loam.jdbc.SqlType;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.Meta;
import org.jspecify.annotations.Nullable;

/** Describes a result's columns with the type names of SQL. */
final class LoamResultSetMetaData implements ResultSetMetaData {
  private final List<ColumnMetaData> columns;
  private final Catalog catalog;
  private final Map<Integer, SqlType> types = new ConcurrentHashMap<>();

  LoamResultSetMetaData(Meta.Signature signature, Catalog catalog) {
    this.columns = signature.columns;
    this.catalog = catalog;
  }

  private SqlType type(int column) throws SQLException {
    ColumnMetaData described = column(column);
    return SqlErrors.translate(() -> types.computeIfAbsent(column, position -> type(described)));
  }

  /**
   * The plan's type, or the declared one where that says more: a plan has all kinds of texts as
   * VARCHAR, and small numbers as INTEGER.
   */
  private SqlType type(ColumnMetaData column) {
    SqlType planned =
        SqlType.of(
            JdbcTypes.name(column.type.name),
            JdbcTypes.declarable(column.type.id),
            column.precision,
            column.scale);
    return switch (planned.jdbcType()) {
      case Types.VARCHAR, Types.INTEGER ->
          declared(column)
              .filter(declared -> declared.isNumber() == planned.isNumber())
              .orElse(planned);
      default -> planned;
    };
  }

  private Optional<SqlType> declared(ColumnMetaData column) {
    return column.schemaName == null || column.tableName == null
        ? Optional.empty()
        : catalog.declaredType(column.schemaName, column.tableName, column.columnName);
  }

  private ColumnMetaData column(int column) throws SQLException {
    if (column < 1 || column > columns.size()) {
      throw Refusals.invalid(
          "no such column in the result: column="
              + column
              + ", columns="
              + columns.size()
              + "; numbers begin at 1");
    }
    return columns.get(column - 1);
  }

  @Override
  public int getColumnCount() {
    return columns.size();
  }

  @Override
  public String getColumnLabel(int column) throws SQLException {
    return column(column).label;
  }

  @Override
  public String getColumnName(int column) throws SQLException {
    return column(column).columnName;
  }

  @Override
  public @Nullable String getTableName(int column) throws SQLException {
    return column(column).tableName;
  }

  @Override
  public @Nullable String getSchemaName(int column) throws SQLException {
    return column(column).schemaName;
  }

  @Override
  public @Nullable String getCatalogName(int column) throws SQLException {
    return column(column).catalogName;
  }

  @Override
  public int getColumnType(int column) throws SQLException {
    return type(column).jdbcType();
  }

  @Override
  public String getColumnTypeName(int column) throws SQLException {
    return type(column).name();
  }

  /** The class that {@code getObject} gives, which Calcite does not know for UUIDs. */
  @Override
  public String getColumnClassName(int column) throws SQLException {
    return getColumnTypeName(column).equals("UUID")
        ? UUID.class.getName()
        : column(column).columnClassName;
  }

  @Override
  public int getPrecision(int column) throws SQLException {
    return type(column).size();
  }

  @Override
  public int getScale(int column) throws SQLException {
    @Nullable Integer scale = type(column).scale();
    return scale == null ? 0 : scale;
  }

  @Override
  public int getColumnDisplaySize(int column) throws SQLException {
    SqlType type = type(column);
    // A sparse vector's size is a number of entries.
    int characters = type.name().equals("SPARSEVECTOR") ? 0 : type.size();
    return JdbcTypes.displaySize(type.jdbcType(), characters);
  }

  @Override
  public int isNullable(int column) throws SQLException {
    return column(column).nullable;
  }

  @Override
  public boolean isSigned(int column) throws SQLException {
    return type(column).isNumber();
  }

  @Override
  public boolean isCaseSensitive(int column) throws SQLException {
    return column(column).caseSensitive;
  }

  /** Every type can stand in WHERE. */
  @Override
  public boolean isSearchable(int column) throws SQLException {
    column(column);
    return true;
  }

  @Override
  public boolean isAutoIncrement(int column) throws SQLException {
    return column(column).autoIncrement;
  }

  @Override
  public boolean isCurrency(int column) throws SQLException {
    return column(column).currency;
  }

  @Override
  public boolean isReadOnly(int column) throws SQLException {
    return column(column).readOnly;
  }

  @Override
  public boolean isWritable(int column) throws SQLException {
    return column(column).writable;
  }

  @Override
  public boolean isDefinitelyWritable(int column) throws SQLException {
    return column(column).definitelyWritable;
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return Wrappers.unwrap(
        type,
        () -> {
          if (type.isInstance(this)) {
            return type.cast(this);
          }
          throw new SQLException("not a " + type);
        });
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return Wrappers.isWrapperFor(type, () -> type.isInstance(this));
  }
}
