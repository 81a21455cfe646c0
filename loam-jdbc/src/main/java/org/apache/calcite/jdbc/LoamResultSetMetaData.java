package org.apache.calcite.jdbc;

import java.sql.SQLException;
import java.util.UUID;
import org.apache.calcite.avatica.AvaticaResultSetMetaData;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;

/** Describes a result's columns with the type names of SQL. */
final class LoamResultSetMetaData extends AvaticaResultSetMetaData {
  LoamResultSetMetaData(AvaticaStatement statement, Meta.Signature signature) {
    super(statement, null, signature);
  }

  /** Without what Calcite adds: nullability, character sets and made-up lengths. */
  @Override
  public String getColumnTypeName(int column) throws SQLException {
    String name = super.getColumnTypeName(column).replace(" NOT NULL", "");
    return name.startsWith("VARCHAR(") || name.equals("CHAR") || name.startsWith("CHAR(")
        ? "VARCHAR"
        : name;
  }

  /** The class that {@code getObject} gives, which Calcite does not know for UUIDs. */
  @Override
  public String getColumnClassName(int column) throws SQLException {
    return getColumnTypeName(column).equals("UUID")
        ? UUID.class.getName()
        : super.getColumnClassName(column);
  }
}
