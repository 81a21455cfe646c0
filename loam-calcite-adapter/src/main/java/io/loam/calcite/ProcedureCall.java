package io.loam.calcite;

import io.loam.CollectionName;
import io.loam.Warehouse;
import io.loam.calcite.Procedure.Parameter;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.error.Suggestion;
import java.math.BigDecimal;
import java.sql.Types;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.calcite.DataContext;
import org.apache.calcite.avatica.AvaticaParameter;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.util.Util;

/**
 * A CALL of a {@link Procedure}, its arguments checked.
 *
 * @param arguments by parameter; those that a {@code ?} gives are {@link Bound}
 */
record ProcedureCall(Procedure procedure, Map<String, Object> arguments) {
  static final String SCHEMA = "loam";
  static final List<Procedure> ALL =
      List.of(
          new GcProcedure(), new OptimizeProcedure(), new RecallProcedure(), new VerifyProcedure());

  /**
   * An argument that has its value when the statement runs.
   *
   * @param index of the statement's parameter, from 0
   */
  private record Bound(Parameter parameter, int index) {
    private static final int MAX_DIGITS = 19;

    AvaticaParameter described() {
      return switch (parameter.type()) {
        case TEXT -> described(Types.VARCHAR, "VARCHAR", 0, String.class);
        case NUMBER -> described(Types.DECIMAL, "DECIMAL", MAX_DIGITS, BigDecimal.class);
        case BOOLEAN -> described(Types.BOOLEAN, "BOOLEAN", 0, Boolean.class);
      };
    }

    private AvaticaParameter described(int type, String name, int digits, Class<?> javaClass) {
      return new AvaticaParameter(
          parameter.type() == Procedure.ArgumentType.NUMBER,
          digits,
          0,
          type,
          name,
          javaClass.getName(),
          "?" + index);
    }
  }

  static boolean is(SqlNode statement) {
    return statement.getKind() == SqlKind.PROCEDURE_CALL;
  }

  /** The call that a statement makes. */
  static ProcedureCall of(SqlNode statement) {
    return of((SqlCall) ((SqlCall) statement).operand(0));
  }

  private static ProcedureCall of(SqlCall call) {
    SqlIdentifier name = ((SqlFunction) call.getOperator()).getNameAsId();
    boolean known = name.names.size() == 1 || name.names.get(0).equalsIgnoreCase(SCHEMA);
    Procedure procedure =
        ALL.stream()
            .filter(p -> known && p.name().equalsIgnoreCase(Util.last(name.names)))
            .findFirst()
            .orElseThrow(
                () ->
                    new LoamException(
                        ErrorCode.UNKNOWN_FUNCTION,
                        "no such procedure: name="
                            + name
                            + Suggestion.mend(
                                name.toString(),
                                ALL.stream().map(p -> SCHEMA + "." + p.name()).toList())));
    return new ProcedureCall(procedure, arguments(procedure, call.getOperandList()));
  }

  /** A call whose operands are the arguments of a procedure, all of them literals, checked. */
  static ProcedureCall of(Procedure procedure, SqlCall call) {
    Map<String, Object> arguments = arguments(procedure, call.getOperandList());
    arguments.forEach(
        (name, value) -> {
          if (value instanceof Bound bound) {
            throw notLiteral(procedure, bound.parameter, "?");
          }
        });
    return new ProcedureCall(procedure, arguments);
  }

  /** The statement's parameters, in their order. */
  private List<AvaticaParameter> parameters() {
    return arguments.values().stream()
        .filter(Bound.class::isInstance)
        .map(Bound.class::cast)
        .sorted(Comparator.comparingInt(Bound::index))
        .map(Bound::described)
        .toList();
  }

  /** The arguments with the values of parameters; one that is null is as if it were not given. */
  private Map<String, Object> bound(DataContext statement) {
    Map<String, Object> values = new LinkedHashMap<>();
    arguments.forEach(
        (name, argument) -> {
          Object value =
              argument instanceof Bound bound ? statement.get("?" + bound.index) : argument;
          if (value != null) {
            values.put(name, value);
          }
        });
    checkRequired(procedure, values);
    return values;
  }

  private static Map<String, Object> arguments(Procedure procedure, List<SqlNode> operands) {
    Map<String, Object> arguments = new LinkedHashMap<>();
    boolean named = false;
    for (int i = 0; i < operands.size(); i++) {
      SqlNode value = operands.get(i);
      Parameter parameter;
      if (value.getKind() == SqlKind.ARGUMENT_ASSIGNMENT) {
        named = true;
        SqlCall assignment = (SqlCall) value;
        parameter = parameter(procedure, ((SqlIdentifier) assignment.operand(1)).getSimple());
        value = assignment.operand(0);
      } else if (named || i >= procedure.parameters().size()) {
        throw invalid(procedure, "argument is out of place: argument=" + value);
      } else {
        parameter = procedure.parameters().get(i);
      }
      if (arguments.put(parameter.name(), value(procedure, parameter, value)) != null) {
        throw invalid(procedure, "argument given twice: argument=" + parameter.name());
      }
    }
    checkRequired(procedure, arguments);
    return arguments;
  }

  private static void checkRequired(Procedure procedure, Map<String, Object> arguments) {
    for (Parameter parameter : procedure.parameters()) {
      if (parameter.required() && !arguments.containsKey(parameter.name())) {
        throw invalid(procedure, "argument missing: argument=" + parameter.name());
      }
    }
  }

  private static Parameter parameter(Procedure procedure, String name) {
    return procedure.parameters().stream()
        .filter(p -> p.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                invalid(procedure, "unknown argument: argument=" + name.toLowerCase(Locale.ROOT)));
  }

  private static Object value(Procedure procedure, Parameter parameter, SqlNode node) {
    if (node instanceof SqlLiteral literal) {
      Object value =
          switch (parameter.type()) {
            case TEXT ->
                literal instanceof SqlCharStringLiteral text ? text.getValueAs(String.class) : null;
            case NUMBER -> literal.getValue() instanceof BigDecimal number ? number : null;
            case BOOLEAN -> literal.getValue() instanceof Boolean flag ? flag : null;
          };
      if (value != null) {
        return value;
      }
    }
    if (node instanceof SqlDynamicParam bound) {
      return new Bound(parameter, bound.getIndex());
    }
    throw notLiteral(procedure, parameter, node.toString());
  }

  private static LoamException notLiteral(Procedure procedure, Parameter parameter, String value) {
    return invalid(
        procedure,
        "argument is not a literal of its type: argument=%s, value=%s, wanted=%s"
            .formatted(parameter.name(), value, parameter.type().name().toLowerCase(Locale.ROOT)));
  }

  private static LoamException invalid(Procedure procedure, String problem) {
    return new LoamException(
        ErrorCode.INVALID_ARGUMENT,
        "%s: %s; use %s".formatted(procedure.name(), problem, usage(procedure)));
  }

  /** A call of a procedure, for people. */
  static String usage(Procedure procedure) {
    return procedure.parameters().stream()
        .map(p -> p.required() ? p.name() : p.name() + " => …")
        .collect(Collectors.joining(", ", "CALL " + SCHEMA + "." + procedure.name() + "(", ")"));
  }

  /** The table that a text names, as {@code table} or {@code schema.table}. */
  static CollectionName table(String text, String defaultSchema) {
    int dot = text.indexOf('.');
    return dot < 0
        ? new CollectionName(defaultSchema, text)
        : new CollectionName(text.substring(0, dot), text.substring(dot + 1));
  }

  /**
   * The statement that runs the procedure each time it is executed.
   *
   * @param columns plan of the procedure's {@link Procedure#columnsQuery}
   */
  <T> CalciteSignature<T> signature(
      String sql, CalciteSignature<T> columns, Warehouse warehouse, String defaultSchema) {
    return new CalciteSignature<>(
        sql,
        parameters(),
        Map.of(),
        columns.rowType,
        columns.columns,
        columns.cursorFactory,
        columns.rootSchema,
        List.of(),
        -1,
        data -> new Run<>(this, warehouse, defaultSchema, data),
        Meta.StatementType.SELECT);
  }

  private static final class Run<T> extends AbstractEnumerable<T> {
    private final ProcedureCall call;
    private final Warehouse warehouse;
    private final String defaultSchema;
    private final DataContext data;

    Run(ProcedureCall call, Warehouse warehouse, String defaultSchema, DataContext data) {
      this.call = call;
      this.warehouse = warehouse;
      this.defaultSchema = defaultSchema;
      this.data = data;
    }

    @Override
    @SuppressWarnings("unchecked") // Rows have the shape of the columns' plan.
    public Enumerator<T> enumerator() {
      Session.of(data).checkOutsideTransaction("CALL " + call.procedure.name());
      List<Object[]> rows = call.procedure.run(warehouse, defaultSchema, call.bound(data));
      return (Enumerator<T>) Linq4j.enumerator(rows);
    }
  }
}
