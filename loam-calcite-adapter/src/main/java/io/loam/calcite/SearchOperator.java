package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.function.FunctionSpec;
import io.loam.function.Nearest;
import io.loam.function.Parameter;
import io.loam.query.VersionSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlTableFunction;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlMonikerType;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorCatalogReader;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.SqlValidatorTable;
import org.apache.calcite.util.Util;

/**
 * One call of a search function in FROM, or of a leg of one. Operands are the legs, then the values
 * of {@code parameters}; they may be of any type, since {@link FunctionSpec#bind} checks values.
 */
final class SearchOperator extends SqlFunction implements SqlTableFunction {
  private final FunctionSpec spec;
  private final int legs;
  private final List<String> parameters;
  private final VersionSpec version;

  SearchOperator(FunctionSpec spec, int legs, List<String> parameters, VersionSpec version) {
    super(
        spec.name(),
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.CURSOR,
        (binding, returnType, operandTypes) ->
            Arrays.fill(
                operandTypes,
                binding
                    .getTypeFactory()
                    .createTypeWithNullability(
                        binding.getTypeFactory().createSqlType(SqlTypeName.ANY), true)),
        null,
        SqlFunctionCategory.USER_DEFINED_TABLE_FUNCTION);
    this.spec = spec;
    this.legs = legs;
    this.parameters = parameters;
    this.version = version;
  }

  FunctionSpec spec() {
    return spec;
  }

  int legs() {
    return legs;
  }

  /** Names of the parameters of the operands after the legs. */
  List<String> parameters() {
    return parameters;
  }

  @Override
  public SqlOperandCountRange getOperandCountRange() {
    return SqlOperandCountRanges.any();
  }

  @Override
  public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    for (SqlNode operand : call.getOperandList()) {
      validator.deriveType(scope, operand);
    }
    return validator.getTypeFactory().createSqlType(SqlTypeName.CURSOR);
  }

  @Override
  public SqlReturnTypeInference getRowTypeInference() {
    return operands -> {
      SqlCallBinding binding = (SqlCallBinding) operands;
      SqlCall call = binding.getCall();
      SqlValidatorCatalogReader reader = binding.getValidator().getCatalogReader();
      SqlValidatorTable table = reader.getTable(tableName(call));
      LoamTable collection = table == null ? null : table.unwrap(LoamTable.class);
      if (collection == null) {
        throw new LoamException(
            ErrorCode.UNKNOWN_COLLECTION,
            spec.name()
                + ": unknown collection: collection="
                + collectionOf(call)
                + "; "
                + Nearest.advice(collectionOf(call), tables(reader)));
      }
      return collection.searchRowType(binding.getTypeFactory(), spec.resultColumns(legs));
    };
  }

  private static List<String> tables(SqlValidatorCatalogReader reader) {
    return reader.getAllSchemaObjectNames(reader.getSchemaPaths().get(0)).stream()
        .filter(name -> name.getType() == SqlMonikerType.TABLE)
        .map(name -> Util.last(name.getFullyQualifiedNames()))
        .toList();
  }

  /** The parts of the collection's name, the last with the version. */
  List<String> tableName(SqlCall call) {
    List<String> names = new ArrayList<>(Arrays.asList(collectionOf(call).split("\\.", -1)));
    int last = names.size() - 1;
    names.set(last, new VersionedName(names.get(last), version).encode());
    return names;
  }

  /** The collection that a call names, by way of its legs if it has any. */
  private static String collectionOf(SqlCall call) {
    SearchOperator operator = (SearchOperator) call.getOperator();
    if (operator.legs > 0) {
      return collectionOfLegs(call, operator);
    }
    if (operator.spec.parameters().get(0).type() == Parameter.Type.LEG) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          operator.spec.name() + ": too few legs: legs=0; give two or more searches");
    }
    int position = operator.parameters.indexOf("collection");
    if (position >= 0 && call.operand(position) instanceof SqlCharStringLiteral literal) {
      return literal.getValueAs(String.class);
    }
    throw new LoamException(
        ErrorCode.INVALID_ARGUMENT,
        operator.spec.name() + ": collection is not a string literal; write its name in quotes");
  }

  private static String collectionOfLegs(SqlCall call, SearchOperator operator) {
    String first = "";
    for (int i = 0; i < operator.legs; i++) {
      if (!(call.operand(i) instanceof SqlCall leg
          && leg.getOperator() instanceof SearchOperator)) {
        throw new LoamException(
            ErrorCode.INVALID_ARGUMENT,
            operator.spec.name()
                + ": leg is not a search function: leg="
                + call.operand(i)
                + "; give vector_search, bm25 or sparse_match");
      }
      String collection = collectionOf(leg);
      if (i > 0 && !collection.equalsIgnoreCase(first)) {
        throw new LoamException(
            ErrorCode.UNSUPPORTED,
            operator.spec.name()
                + ": legs search different collections: first="
                + first
                + ", other="
                + collection
                + "; search one collection");
      }
      first = i == 0 ? collection : first;
    }
    return first;
  }
}
