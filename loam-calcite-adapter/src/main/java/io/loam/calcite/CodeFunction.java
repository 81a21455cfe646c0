package io.loam.calcite;

import java.util.List;
import org.apache.calcite.schema.impl.ScalarFunctionImpl;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.validate.SqlUserDefinedFunction;

/** Functions that plans call, and no statement can name: public static methods of classes. */
final class CodeFunction {
  private CodeFunction() {}

  /**
   * A function.
   *
   * @param name as EXPLAIN shows it
   */
  static SqlFunction of(Class<?> owner, String name, String method) {
    return new SqlUserDefinedFunction(
        new SqlIdentifier(name, SqlParserPos.ZERO),
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.ARG0,
        InferTypes.ANY_NULLABLE,
        OperandTypes.operandMetadata(List.of(), factory -> List.of(), i -> "value", i -> false),
        ScalarFunctionImpl.create(owner, method));
  }
}
