package io.loam.calcite;

import io.loam.Collection;
import io.loam.CollectionName;
import io.loam.Warehouse;
import io.loam.function.FunctionSpec;
import io.loam.function.Nearest;
import io.loam.schema.Field;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Names that an unknown one may have been meant to be.
 *
 * @param schema the default one
 * @param sql the statement
 */
record Suggestions(Warehouse warehouse, String schema, String sql) {
  private static final Pattern CALL = Pattern.compile("\\b(\\w+)\\s*\\(");
  private static final Set<String> SCORES = Set.of("_score", "_distance");

  /**
   * The calls in the statement of which one may not be supported, with the place if there is one.
   *
   * @param cause says which, by Calcite's name, as far as it is known
   */
  String calls(String cause) {
    Set<String> words = new HashSet<>(List.of(cause.split("\\W+")));
    List<MatchResult> calls =
        CALL.matcher(sql)
            .results()
            .filter(call -> functions().contains(call.group(1).toLowerCase(Locale.ROOT)))
            .toList();
    List<MatchResult> named =
        calls.stream()
            .filter(call -> words.contains(call.group(1).toUpperCase(Locale.ROOT)))
            .toList();
    List<MatchResult> suspects = named.isEmpty() ? calls : named;
    List<String> names = suspects.stream().map(call -> call.group(1)).distinct().toList();
    if (names.size() > 1) {
      return ": one of the calls=" + String.join(", ", names);
    }
    return suspects.stream()
        .findFirst()
        .map(call -> ": call=" + call.group(1) + TextPlace.of(sql, call.start()))
        .orElse("");
  }

  /** The place of the next word after the one at a place, on the same line. */
  Optional<SqlParserPos> wordAfter(SqlParserPos place) {
    Matcher words = Pattern.compile("\\w+").matcher(line(place.getLineNum()));
    boolean found =
        words.find(Math.min(words.regionEnd(), place.getColumnNum() - 1)) && words.find();
    return found
        ? Optional.of(new SqlParserPos(place.getLineNum(), words.start() + 1))
        : Optional.empty();
  }

  String wordAt(SqlParserPos place) {
    return rest(place).split("\\W", 2)[0];
  }

  /** The text of the line from a place on. */
  String rest(SqlParserPos place) {
    String text = line(place.getLineNum());
    return text.substring(Math.min(text.length(), Math.max(0, place.getColumnNum() - 1)));
  }

  private String line(int number) {
    List<String> lines = sql.lines().toList();
    return number < 1 || number > lines.size() ? "" : lines.get(number - 1);
  }

  /** The text of the line before the place of an error. */
  String before(CalciteContextException place) {
    String text = line(place.getPosLine());
    return text.substring(0, Math.min(text.length(), Math.max(0, place.getPosColumn() - 1)));
  }

  /** Whether an unknown name, found at the place of an error, is what precedes a table's name. */
  boolean isSchema(String name, CalciteContextException place) {
    String text = line(place.getPosLine());
    String rest = text.substring(Math.min(text.length(), Math.max(0, place.getPosColumn() - 1)));
    return Pattern.compile("^\"?" + Pattern.quote(name) + "\"?\\s*\\.", Pattern.CASE_INSENSITIVE)
        .matcher(rest)
        .find();
  }

  String schema(String name) {
    return Nearest.advice(name, List.copyOf(warehouse.schemas()));
  }

  /**
   * The nearest table.
   *
   * @param given in the statement
   * @param name of the collection that it is about
   */
  String collection(String given, String name) {
    List<String> names = warehouse.collections(schema).stream().map(CollectionName::name).toList();
    int suffix = VersionedName.strip(given).indexOf('$');
    String about = suffix < 0 ? "" : given.substring(0, suffix);
    if (names.stream().anyMatch(about::equalsIgnoreCase)) {
      return Nearest.advice(
          VersionedName.strip(given), SystemTables.suffixes().map(s -> about + s).toList());
    }
    return names.stream().anyMatch(name::equalsIgnoreCase)
        ? "the table has another name within this statement; write its alias, or put it in FROM"
        : Nearest.advice(name, names);
  }

  /** The nearest column of any collection of the schema. */
  String column(String name) {
    if (SCORES.contains(name.toLowerCase(Locale.ROOT))) {
      return "a search function in FROM gives it; beside match(…), write score()";
    }
    if (SystemColumns.has(name)) {
      return "tables and searches have it, system tables and VALUES do not; of a subquery, name it"
          + " in its SELECT";
    }
    List<String> columns =
        warehouse.collections(schema).stream()
            .flatMap(c -> warehouse.find(c).map(Collection::schema).stream())
            .flatMap(s -> s.fields().stream())
            .map(Field::name)
            .distinct()
            .toList();
    return suggestion(Nearest.to(name, columns), "look at the table's columns");
  }

  String function(String name) {
    if (FunctionSpec.find(name).isPresent()) {
      return "a search function stands in FROM";
    }
    Optional<String> other = OtherDialects.function(name);
    if (other.isPresent()) {
      return other.get();
    }
    if (functions().contains(name.toLowerCase(Locale.ROOT))) {
      return "it takes other arguments; look at their number and types";
    }
    return Nearest.to(name, functions())
        .map(nearest -> "did you mean " + nearest + "?")
        .or(() -> Nearest.to(name, OtherDialects.functions()).flatMap(OtherDialects::function))
        .orElse("look at the functions and the types of their arguments");
  }

  /** Names of search functions and of those that stand in expressions. */
  private static List<String> functions() {
    return Stream.concat(
            FunctionSpec.all().stream().map(FunctionSpec::name),
            SqlStdOperatorTable.instance().getOperatorList().stream()
                .filter(SqlFunction.class::isInstance)
                .map(operator -> operator.getName().toLowerCase(Locale.ROOT))
                .filter(name -> name.matches("\\w+") && !name.equals("some")))
        .distinct()
        .toList();
  }

  private static String suggestion(Optional<String> nearest, String otherwise) {
    return nearest.map(n -> "did you mean " + n + "?").orElse(otherwise);
  }
}
