package org.apache.calcite.jdbc;

import io.loam.schema.Limits;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.UUID;

/** What tools ask of types by their number in {@link Types}. */
final class JdbcTypes {
  private static final String ARRAY = " ARRAY";
  private static final int SIGN = 1;
  private static final int SIGN_AND_POINT = 2;

  private JdbcTypes() {}

  /**
   * The type that a column of such values has: texts of a fixed length, as literals are, are none.
   */
  static int declarable(int type) {
    return type == Types.CHAR ? Types.VARCHAR : type;
  }

  /**
   * The name of a type as the metadata of tables has it, without what Calcite adds: nullability,
   * character sets, made-up lengths; and without a vector's dimension, which is its size.
   */
  static String name(String calciteName) {
    String name = calciteName.replace(" NOT NULL", "");
    if (name.endsWith(ARRAY)) {
      return name(name.substring(0, name.length() - ARRAY.length())) + ARRAY;
    }
    if (name.startsWith("VARCHAR(") || name.equals("CHAR") || name.startsWith("CHAR(")) {
      return "VARCHAR";
    }
    return name.startsWith("VECTOR(") ? "VECTOR" : name;
  }

  static boolean isNumber(int type) {
    return switch (type) {
      case Types.TINYINT,
          Types.SMALLINT,
          Types.INTEGER,
          Types.BIGINT,
          Types.REAL,
          Types.FLOAT,
          Types.DOUBLE,
          Types.DECIMAL,
          Types.NUMERIC ->
          true;
      default -> false;
    };
  }

  /** The class that JDBC gives to values of the type. */
  static Class<?> classOf(int type, String name) {
    return switch (type) {
      case Types.TINYINT, Types.SMALLINT, Types.INTEGER -> Integer.class;
      case Types.BIGINT -> Long.class;
      case Types.REAL -> Float.class;
      case Types.FLOAT, Types.DOUBLE -> Double.class;
      case Types.DECIMAL, Types.NUMERIC -> BigDecimal.class;
      case Types.BOOLEAN -> Boolean.class;
      case Types.CHAR, Types.VARCHAR -> String.class;
      case Types.DATE -> Date.class;
      case Types.TIME -> Time.class;
      case Types.TIMESTAMP -> Timestamp.class;
      case Types.ARRAY -> Array.class;
      default -> name.equals("UUID") ? UUID.class : Object.class;
    };
  }

  /** The most characters that a value's text has. */
  static int displaySize(int type, int precision) {
    return switch (type) {
      case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT -> precision + SIGN;
      case Types.DECIMAL, Types.NUMERIC -> precision + SIGN_AND_POINT;
      case Types.REAL -> "-1.17549435E-38".length();
      case Types.FLOAT, Types.DOUBLE -> "-2.2250738585072014E-308".length();
      case Types.BOOLEAN -> "false".length();
      case Types.DATE -> "2026-01-31".length();
      case Types.TIME -> "12:00:00.123456".length();
      case Types.TIMESTAMP -> "2026-01-31 12:00:00.123456".length();
      case Types.CHAR, Types.VARCHAR -> precision > 0 ? precision : Limits.MAX_DOCUMENT_BYTES;
      default -> Limits.MAX_DOCUMENT_BYTES;
    };
  }
}
