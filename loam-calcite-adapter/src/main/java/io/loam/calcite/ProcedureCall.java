package io.loam.calcite;

import io.loam.CollectionName;
import io.loam.Warehouse;
import io.loam.calcite.Procedure.Parameter;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.error.Suggestion;
import java.math.BigDecimal;
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
import org.jspecify.annotations.Nullable;

/**
 * A CALL of a {@link Procedure}, its arguments checked.
 *
 * @param arguments by parameter
 */
record ProcedureCall(Procedure procedure, Map<String, Object> arguments) {
  static final String SCHEMA = "loam";
  static final List<Procedure> ALL =
      List.of(
          new GcProcedure(), new OptimizeProcedure(), new RecallProcedure(), new VerifyProcedure());

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
    return of(procedure, call);
  }

  /** A call whose operands are the arguments of a procedure, checked. */
  static ProcedureCall of(Procedure procedure, SqlCall call) {
    return new ProcedureCall(procedure, arguments(procedure, call.getOperandList()));
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
    for (Parameter parameter : procedure.parameters()) {
      if (parameter.required() && !arguments.containsKey(parameter.name())) {
        throw invalid(procedure, "argument missing: argument=" + parameter.name());
      }
    }
    return arguments;
  }

  private static Parameter parameter(Procedure procedure, String name) {
    return procedure.parameters().stream()
        .filter(p -> p.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                invalid(procedure, "unknown argument: argument=" + name.toLowerCase(Locale.ROOT)));
  }

  /** The call, which must have no parameters. */
  ProcedureCall constant() {
    arguments.forEach(
        (name, value) -> {
          if (value instanceof Unbound) {
            throw invalid(procedure, "argument in FROM is no literal: argument=" + name);
          }
        });
    return this;
  }

  /** An argument whose value comes with each execution. */
  private record Unbound(int index) {}

  private static Object value(Procedure procedure, Parameter parameter, SqlNode node) {
    if (node instanceof SqlDynamicParam given) {
      return new Unbound(given.getIndex());
    }
    return node instanceof SqlLiteral literal
        ? value(
            procedure,
            parameter,
            literal instanceof SqlCharStringLiteral text
                ? text.getValueAs(String.class)
                : literal.getValue())
        : value(procedure, parameter, (Object) node);
  }

  private static Object value(Procedure procedure, Parameter parameter, @Nullable Object given) {
    Object value =
        switch (parameter.type()) {
          case TEXT -> given instanceof String text ? text : null;
          case NUMBER -> given instanceof Number number ? new BigDecimal(number.toString()) : null;
          case BOOLEAN -> given instanceof Boolean flag ? flag : null;
        };
    if (value != null) {
      return value;
    }
    throw invalid(
        procedure,
        "argument is not of its type: argument=%s, value=%s, wanted=%s"
            .formatted(parameter.name(), given, parameter.type().name().toLowerCase(Locale.ROOT)));
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
        data -> new Run<>(bound(data), warehouse, defaultSchema, Session.of(data)),
        Meta.StatementType.SELECT);
  }

  private List<AvaticaParameter> parameters() {
    AvaticaParameter[] parameters =
        new AvaticaParameter
            [(int) arguments.values().stream().filter(Unbound.class::isInstance).count()];
    arguments.forEach(
        (name, value) -> {
          if (value instanceof Unbound unbound) {
            parameters[unbound.index] = parameter(procedure, name).described();
          }
        });
    return List.of(parameters);
  }

  /** The call with the values of its parameters. */
  private ProcedureCall bound(DataContext context) {
    Map<String, Object> values = new LinkedHashMap<>(arguments);
    values.replaceAll(
        (name, value) ->
            value instanceof Unbound unbound
                ? value(procedure, parameter(procedure, name), context.get("?" + unbound.index))
                : value);
    return new ProcedureCall(procedure, values);
  }

  private static final class Run<T> extends AbstractEnumerable<T> {
    private final ProcedureCall call;
    private final Warehouse warehouse;
    private final String defaultSchema;
    private final Session session;

    Run(ProcedureCall call, Warehouse warehouse, String defaultSchema, Session session) {
      this.call = call;
      this.warehouse = warehouse;
      this.defaultSchema = defaultSchema;
      this.session = session;
    }

    @Override
    @SuppressWarnings("unchecked") // Rows have the shape of the columns' plan.
    public Enumerator<T> enumerator() {
      session.checkOutsideTransaction("CALL " + call.procedure.name());
      List<Object[]> rows = call.procedure.run(warehouse, defaultSchema, call.arguments);
      return (Enumerator<T>) Linq4j.enumerator(rows);
    }
  }
}
