package io.loam.jdbc;

import io.loam.function.FunctionSpec;
import io.loam.function.Parameter;
import java.sql.DatabaseMetaData;
import java.sql.JDBCType;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A function beyond SQL's own, as JDBC tells of it.
 *
 * @param returns the type of its value, or null if it gives rows
 */
record FunctionEntry(
    String name, String documentation, @Nullable String returns, List<Argument> arguments) {

  /** An argument, by its SQL type. */
  record Argument(String name, String type, boolean required, String documentation) {
    static Argument of(Parameter parameter) {
      return new Argument(
          parameter.name(),
          parameter.type().sqlType(),
          parameter.required(),
          parameter.documentation());
    }
  }

  private static final List<FunctionEntry> ALL =
      Stream.concat(
              FunctionSpec.all().stream()
                  .map(
                      f ->
                          new FunctionEntry(
                              f.name(),
                              f.documentation(),
                              null,
                              f.parameters().stream().map(Argument::of).toList())),
              scalars())
          .sorted(Comparator.comparing(FunctionEntry::name))
          .toList();

  /** All of them, by name. */
  static List<FunctionEntry> all() {
    return ALL;
  }

  private static Stream<FunctionEntry> scalars() {
    return Stream.of(
        distance("cosine_distance", "1 less the cosine of the angle between two vectors"),
        distance("l2_distance", "Euclidean distance of two vectors"),
        distance("negative_inner_product", "inner product of two vectors, negated"),
        new FunctionEntry(
            "match",
            "whether a text column matches a query",
            "BOOLEAN",
            List.of(
                required("column", "VARCHAR", "TEXT column"),
                required("query", "VARCHAR", "words to look for"),
                optional("syntax", "syntax of the query, as bm25 has it"))),
        new FunctionEntry(
            "score",
            "BM25 score of a row under the match conditions of the statement",
            "DOUBLE",
            List.of()),
        new FunctionEntry(
            "highlight",
            "text with the words of a query between marks",
            "VARCHAR",
            List.of(
                required("column", "VARCHAR", "TEXT column"),
                required("query", "VARCHAR", "words to mark"),
                optional("before", "mark before a word, <b> if not given"),
                optional("after", "mark after a word, </b> if not given"),
                new Argument("fragments", "INTEGER", false, "number of best sentences"))),
        new FunctionEntry(
            "array_contains",
            "whether an array has a value",
            "BOOLEAN",
            List.of(
                required("array", "ARRAY", "array to look into"),
                required("value", "VARCHAR", "value to look for"))));
  }

  private static FunctionEntry distance(String name, String documentation) {
    return new FunctionEntry(
        name,
        documentation,
        "DOUBLE",
        List.of(required("a", "ANY", "vector"), required("b", "ANY", "vector")));
  }

  private static Argument required(String name, String type, String documentation) {
    return new Argument(name, type, true, documentation);
  }

  private static Argument optional(String name, String documentation) {
    return new Argument(name, "VARCHAR", false, documentation);
  }

  /** The row of getFunctions. */
  Object[] row(String schema) {
    int kind =
        returns == null
            ? DatabaseMetaData.functionReturnsTable
            : DatabaseMetaData.functionNoTable;
    return CatalogTable.FUNCTIONS.row(null, schema, name, documentation, (short) kind, name);
  }

  /** The rows of getFunctionColumns: the value, if it gives one, then the arguments in order. */
  List<Object[]> columns(String schema) {
    List<Object[]> rows = new ArrayList<>();
    if (returns != null) {
      rows.add(
          column(
              schema,
              new Argument("", returns, false, "the value"),
              DatabaseMetaData.functionReturn,
              0));
    }
    for (Argument argument : arguments) {
      rows.add(
          column(
              schema,
              argument,
              DatabaseMetaData.functionColumnIn,
              arguments.indexOf(argument) + 1));
    }
    return rows;
  }

  private Object[] column(String schema, Argument argument, int kind, int position) {
    int jdbcType =
        argument.type().equals("ANY")
            ? Types.OTHER
            : JDBCType.valueOf(argument.type()).getVendorTypeNumber();
    int nullable =
        argument.required() ? DatabaseMetaData.functionNoNulls : DatabaseMetaData.functionNullable;
    return CatalogTable.FUNCTION_COLUMNS.row(
        null,
        schema,
        name,
        argument.name(),
        (short) kind,
        jdbcType,
        argument.type(),
        null,
        null,
        null,
        null,
        (short) nullable,
        argument.documentation(),
        null,
        position,
        argument.required() ? "NO" : "YES",
        name);
  }
}
