package io.loam.jdbc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The columns of the results of DatabaseMetaData, as its documentation lists them. */
public enum CatalogTable {
  CATALOGS("TABLE_CAT"),
  SCHEMAS("TABLE_SCHEM, TABLE_CATALOG"),
  TABLE_TYPES("TABLE_TYPE"),
  TABLES(
      "TABLE_CAT, TABLE_SCHEM, TABLE_NAME, TABLE_TYPE, REMARKS, TYPE_CAT, TYPE_SCHEM, TYPE_NAME,"
          + " SELF_REFERENCING_COL_NAME, REF_GENERATION"),
  COLUMNS(
      "TABLE_CAT, TABLE_SCHEM, TABLE_NAME, COLUMN_NAME, DATA_TYPE int, TYPE_NAME, COLUMN_SIZE int,"
          + " BUFFER_LENGTH int, DECIMAL_DIGITS int, NUM_PREC_RADIX int, NULLABLE int, REMARKS,"
          + " COLUMN_DEF, SQL_DATA_TYPE int, SQL_DATETIME_SUB int, CHAR_OCTET_LENGTH int,"
          + " ORDINAL_POSITION int, IS_NULLABLE, SCOPE_CATALOG, SCOPE_SCHEMA, SCOPE_TABLE,"
          + " SOURCE_DATA_TYPE short, IS_AUTOINCREMENT, IS_GENERATEDCOLUMN"),
  PRIMARY_KEYS("TABLE_CAT, TABLE_SCHEM, TABLE_NAME, COLUMN_NAME, KEY_SEQ short, PK_NAME"),
  INDEXES(
      "TABLE_CAT, TABLE_SCHEM, TABLE_NAME, NON_UNIQUE boolean, INDEX_QUALIFIER, INDEX_NAME,"
          + " TYPE short, ORDINAL_POSITION short, COLUMN_NAME, ASC_OR_DESC, CARDINALITY long,"
          + " PAGES long, FILTER_CONDITION"),
  BEST_ROW_IDENTIFIERS(
      "SCOPE short, COLUMN_NAME, DATA_TYPE int, TYPE_NAME, COLUMN_SIZE int, BUFFER_LENGTH int,"
          + " DECIMAL_DIGITS short, PSEUDO_COLUMN short"),
  TYPES(
      "TYPE_NAME, DATA_TYPE int, PRECISION int, LITERAL_PREFIX, LITERAL_SUFFIX, CREATE_PARAMS,"
          + " NULLABLE short, CASE_SENSITIVE boolean, SEARCHABLE short,"
          + " UNSIGNED_ATTRIBUTE boolean, FIXED_PREC_SCALE boolean, AUTO_INCREMENT boolean,"
          + " LOCAL_TYPE_NAME, MINIMUM_SCALE short, MAXIMUM_SCALE short, SQL_DATA_TYPE int,"
          + " SQL_DATETIME_SUB int, NUM_PREC_RADIX int"),
  PROCEDURES(
      "PROCEDURE_CAT, PROCEDURE_SCHEM, PROCEDURE_NAME, RESERVED1, RESERVED2, RESERVED3, REMARKS,"
          + " PROCEDURE_TYPE short, SPECIFIC_NAME"),
  PROCEDURE_COLUMNS(
      "PROCEDURE_CAT, PROCEDURE_SCHEM, PROCEDURE_NAME, COLUMN_NAME, COLUMN_TYPE short,"
          + " DATA_TYPE int, TYPE_NAME, PRECISION int, LENGTH int, SCALE short, RADIX short,"
          + " NULLABLE short, REMARKS, COLUMN_DEF, SQL_DATA_TYPE int, SQL_DATETIME_SUB int,"
          + " CHAR_OCTET_LENGTH int, ORDINAL_POSITION int, IS_NULLABLE, SPECIFIC_NAME"),
  FUNCTIONS(
      "FUNCTION_CAT, FUNCTION_SCHEM, FUNCTION_NAME, REMARKS, FUNCTION_TYPE short,"
          + " SPECIFIC_NAME"),
  FUNCTION_COLUMNS(
      "FUNCTION_CAT, FUNCTION_SCHEM, FUNCTION_NAME, COLUMN_NAME, COLUMN_TYPE short, DATA_TYPE int,"
          + " TYPE_NAME, PRECISION int, LENGTH int, SCALE short, RADIX short, NULLABLE short,"
          + " REMARKS, CHAR_OCTET_LENGTH int, ORDINAL_POSITION int, IS_NULLABLE, SPECIFIC_NAME");

  /** A column and the class of its values. */
  public record Column(String name, Class<?> type) {}

  /** Names, each with its class behind a space unless it is String. */
  private final String declaration;

  CatalogTable(String declaration) {
    this.declaration = declaration;
  }

  public List<Column> columns() {
    List<Column> columns = new ArrayList<>();
    for (String part : declaration.split(", ", -1)) {
      int space = part.indexOf(' ');
      columns.add(
          space < 0
              ? new Column(part, String.class)
              : new Column(part.substring(0, space), typeOf(part.substring(space + 1))));
    }
    return columns;
  }

  /** Where a column is in a row. */
  int position(String column) {
    return columns().stream().map(Column::name).toList().indexOf(column);
  }

  private static Class<?> typeOf(String word) {
    return switch (word) {
      case "int" -> Integer.class;
      case "long" -> Long.class;
      case "short" -> Short.class;
      case "boolean" -> Boolean.class;
      default -> throw new IllegalArgumentException(word);
    };
  }

  /** A row of this table, which must have a value for every column. */
  Object[] row(@Nullable Object... values) {
    if (values.length != columns().size()) {
      throw new IllegalArgumentException(this + ": " + Arrays.toString(values));
    }
    return values;
  }
}
