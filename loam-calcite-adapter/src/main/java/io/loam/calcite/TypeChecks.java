package io.loam.calcite;

import io.loam.calcite.parser.SqlAlterCollection;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.SchemaBuilder;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/** Refuses lengths and digits of types that no value has. */
final class TypeChecks extends SqlBasicVisitor<@Nullable Void> {
  private final boolean declares;

  private TypeChecks(boolean declares) {
    this.declares = declares;
  }

  static void check(SqlNode statement) {
    if (statement instanceof SqlAlterCollection alter) {
      if (alter.action() instanceof SqlAlterCollection.Add add) {
        add.column().accept(new TypeChecks(true));
      }
    } else {
      statement.accept(new TypeChecks(SqlKind.DDL.contains(statement.getKind())));
    }
  }

  @Override
  public @Nullable Void visit(SqlDataTypeSpec type) {
    if (type.getTypeNameSpec() instanceof SqlBasicTypeNameSpec name) {
      String plain = name.getTypeName().getSimple();
      if (SqlTypeName.get(plain) == SqlTypeName.DECIMAL) {
        checkDigits(type, name);
      } else if (name.getPrecision() == 0 && (plain.endsWith("CHAR") || plain.endsWith("BINARY"))) {
        throw refused("length of a type is 0", type, "give 1 or more, or no length");
      }
    }
    return null;
  }

  private void checkDigits(SqlDataTypeSpec type, SqlBasicTypeNameSpec name) {
    if (name.getPrecision() != -1 && name.getScale() < 0 && name.getScale() != Integer.MIN_VALUE) {
      throw refused("digits after the point are negative", type, "give 0 or more");
    }
    // What a column may have is told with the column's name.
    if (!declares && name.getPrecision() > SchemaBuilder.MAX_DECIMAL_DIGITS) {
      throw refused(
          "decimal has too many digits",
          type,
          "give " + SchemaBuilder.MAX_DECIMAL_DIGITS + " at most");
    }
  }

  private static LoamException refused(String problem, SqlDataTypeSpec type, String remedy) {
    SqlParserPos place = type.getParserPosition();
    return new LoamException(
        ErrorCode.INVALID_ARGUMENT,
        problem
            + ": type="
            + type
            + ", line="
            + place.getLineNum()
            + ", column="
            + place.getColumnNum()
            + "; "
            + remedy);
  }
}
