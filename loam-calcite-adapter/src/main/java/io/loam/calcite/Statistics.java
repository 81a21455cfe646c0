package io.loam.calcite;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.calcite.schema.impl.AggregateFunctionImpl;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.sql.validate.SqlUserDefinedAggFunction;
import org.apache.calcite.util.Optionality;

/**
 * Variances and the like of DOUBLEs, whatever numbers they are of. Calcite would compute them of
 * sums of squares in the numbers' own type, which overflows, or cancels to 0.
 */
final class Statistics {
  private static final SqlAggFunction VAR_POP = function("OWN_VAR_POP", Spread.VarPop.class);
  private static final SqlAggFunction VAR_SAMP = function("OWN_VAR_SAMP", Spread.VarSamp.class);
  private static final SqlAggFunction STDDEV_POP =
      function("OWN_STDDEV_POP", Spread.StddevPop.class);
  private static final SqlAggFunction STDDEV_SAMP =
      function("OWN_STDDEV_SAMP", Spread.StddevSamp.class);

  private static final Map<String, SqlAggFunction> OWN =
      Map.of(
          "VAR_POP", VAR_POP,
          "VAR_SAMP", VAR_SAMP,
          "VARIANCE", VAR_SAMP,
          "STDDEV_POP", STDDEV_POP,
          "STDDEV_SAMP", STDDEV_SAMP,
          "STDDEV", STDDEV_SAMP);

  /** Of two numbers. */
  private static final Set<String> CALCITES =
      Set.of("COVAR_POP", "COVAR_SAMP", "REGR_SXX", "REGR_SYY");

  private Statistics() {}

  /** Those that a statement's functions become. */
  static List<SqlOperator> operators() {
    return List.of(VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP);
  }

  private static SqlAggFunction function(String name, Class<?> implementation) {
    return new SqlUserDefinedAggFunction(
        new SqlIdentifier(name, SqlParserPos.ZERO),
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.DOUBLE.andThen(SqlTypeTransforms.FORCE_NULLABLE),
        InferTypes.ANY_NULLABLE,
        OperandTypes.operandMetadata(
            List.of(SqlTypeFamily.NUMERIC),
            types -> List.of(types.createSqlType(SqlTypeName.DOUBLE)),
            i -> "value",
            i -> false),
        Objects.requireNonNull(AggregateFunctionImpl.create(implementation)),
        false,
        false,
        Optionality.FORBIDDEN);
  }

  /** A call of such a function with DOUBLEs; other calls stay as they are. */
  static SqlCall ofDoubles(SqlCall call) {
    if (!(call.getOperator() instanceof SqlFunction function) || isOfStar(call)) {
      return call;
    }
    String name = function.getName().toUpperCase(Locale.ROOT);
    if (OWN.containsKey(name) && call.operandCount() == 1) {
      return with(OWN.get(name), call);
    }
    return CALCITES.contains(name) && call.operandCount() == 2 ? with(function, call) : call;
  }

  private static boolean isOfStar(SqlCall call) {
    return call.getOperandList().stream()
        .anyMatch(operand -> operand instanceof SqlIdentifier name && name.isStar());
  }

  private static SqlCall with(SqlFunction function, SqlCall call) {
    SqlNode[] numbers =
        call.getOperandList().stream().map(Statistics::asDouble).toArray(SqlNode[]::new);
    return function.createCall(call.getFunctionQuantifier(), call.getParserPosition(), numbers);
  }

  private static SqlNode asDouble(SqlNode number) {
    SqlParserPos place = number.getParserPosition();
    return SqlStdOperatorTable.CAST.createCall(
        place,
        number,
        new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.DOUBLE, place), place));
  }
}
