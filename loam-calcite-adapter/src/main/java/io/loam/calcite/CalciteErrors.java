package io.loam.calcite;

import com.google.common.base.Throwables;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.time.DateTimeException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.calcite.avatica.util.DateTimeUtils;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.CalciteException;
import org.apache.calcite.runtime.SqlFunctions;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.Static;
import org.jspecify.annotations.Nullable;

/** Turns what Calcite throws into Loam's errors. */
public final class CalciteErrors {
  private static final Pattern OBJECT = Pattern.compile("(?:Object|Table) '([^']*)' not found");
  private static final Pattern COLUMN =
      Pattern.compile(
          "(?:Column|Unknown target column|The definition of column) '([^']*)'"
              + "(?: not found| depends on itself|$)");
  private static final Pattern FUNCTION =
      Pattern.compile("No match found for function signature (\\w+)");
  private static final Pattern FUNCTION_ESCAPE =
      Pattern.compile("Function '(\\{fn [^']*)' is not defined");
  private static final Pattern NOT_NULL =
      Pattern.compile("Column '([^']*)' has no default value and does not allow NULLs");
  private static final Pattern TYPES =
      Pattern.compile(
          "(?s)(Cannot assign|Cannot apply|Cannot cast|Cast function cannot|Values"
              + " passed|.*incompatible types).*");

  private static final Set<String> TEXT_READERS =
      Set.of(
          UUID.class.getName(),
          DateTimeUtils.class.getName(),
          SqlFunctions.class.getName(),
          Pattern.class.getName());
  private static final Pattern WORD =
      Pattern.compile("(?:Encountered \"|Incorrect syntax near the keyword ')(\\w+)");
  private static final Pattern KEYWORD =
      Pattern.compile("^Incorrect syntax near the keyword '(\\w+)'");
  private static final Pattern STAR_CALL = Pattern.compile("(\\w+)\\s*\\($");
  private static final Pattern CALENDAR =
      Pattern.compile("^(?:Year|Month|Day|Hour|Minute|Second) out of range: \\[-?\\d+\\]$");
  private static final Pattern OUT_OF_RANGE =
      Pattern.compile(
          "^Value (\\S+) (?:out of range|cannot be represented as an? ([A-Z]+(?:\\([^)]*\\))?))");
  private static final Pattern VALUES =
      Pattern.compile(
          "Number of INSERT target columns \\((\\d+)\\) does not equal number of source items"
              + " \\((\\d+)\\)");
  private static final Pattern NUMBER = Pattern.compile("For input string: \"([^\"]{0,40})");

  /** Calcite's classes, those of its compiler, and the code that it generates. */
  private static final Pattern CALCITE =
      Pattern.compile("^(?:org\\.apache\\.calcite\\.|org\\.codehaus\\.|Baz|SC|Reducer)");

  /** How Calcite's message begins where a text is cast to BOOLEAN. */
  private static final String NO_BOOLEAN = "Invalid character for cast: ";

  /** Calcite's name of the operator that makes a value of a subquery. */
  private static final String SCALAR_QUERY = "$SCALAR_QUERY";

  private static final Pattern CLASS_NAME = Pattern.compile("\\b[a-z]\\w*\\.[a-z]\\w*\\.\\w+");

  private static final String ARRAY_CONTAINS =
      "write array_contains(<array>, <item>) to look into an array";

  /** What to do, by what the message says. */
  private static final Map<String, String> REMEDIES =
      Map.of(
          "is not being grouped",
          "add it to GROUP BY, or give an aggregate of it",
          "is ambiguous",
          "write the table's name or alias before it",
          "is illegal in WHERE",
          "put it into HAVING",
          "Aggregate expressions cannot be nested",
          "compute the inner one in a subquery",
          "is assigned more than once",
          "name each column once",
          "Illegal use of dynamic parameter",
          "its type does not follow from what is beside it: write CAST(? AS VARCHAR), or AS"
              + " another type",
          "SOME operator must have compatible types",
          ARRAY_CONTAINS,
          " ARRAY>",
          ARRAY_CONTAINS);

  private CalciteErrors() {}

  /** The error that a failure means; {@code INTERNAL} where nothing else fits. */
  public static LoamException translate(Throwable failure) {
    return translate(failure, null);
  }

  /**
   * Likewise.
   *
   * @param suggestions of the statement that was being planned; null where it was running
   */
  static LoamException translate(Throwable failure, @Nullable Suggestions suggestions) {
    Throwable last = failure;
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof LoamException e) {
        return e;
      }
      if (t instanceof StalePlanException e) {
        return e.asConflict();
      }
      if (t instanceof OutOfMemoryError) {
        return new LoamException(
            ErrorCode.LIMIT_EXCEEDED,
            "not enough memory: cause="
                + message(t)
                + "; give the JVM a larger heap, or the statement fewer or smaller rows",
            failure);
      }
      if (t instanceof StackOverflowError) {
        return new LoamException(
            ErrorCode.LIMIT_EXCEEDED,
            "statement is nested too deeply; use IN instead of many ORs, a batch instead of many"
                + " rows of VALUES, and fewer parentheses or nested expressions",
            failure);
      }
      last = t;
    }
    for (Throwable t = failure; t != null; t = t.getCause()) {
      Optional<LoamException> known = known(t, failure, suggestions);
      if (known.isPresent()) {
        return known.get();
      }
    }
    if (suggestions != null && isOfCalcite(last)) {
      String problem =
          "statement calls a function or operator that is not supported, or not for such"
              + " arguments"
              + suggestions.calls(suppressed(failure))
              + "; PERCENT_RANK, CUME_DIST, PERCENTILE_CONT, MEMBER OF and IGNORE NULLS"
              + " are not, positions within texts are numbers, and a bare NULL needs a type:"
              + " CAST(NULL AS VARCHAR)";
      // Calcite's own exceptions are of no use to who reads the trace, Java's are.
      return CALCITE.matcher(last.getClass().getName()).find()
          ? new LoamException(ErrorCode.UNSUPPORTED, problem)
          : new LoamException(ErrorCode.UNSUPPORTED, problem, last);
    }
    return new LoamException(
        ErrorCode.INTERNAL,
        "statement failed: cause=" + internal(message(last)) + "; report this with its stack trace",
        failure);
  }

  /**
   * Whether Calcite or its compiler failed by itself at what a statement asks for. Where code of
   * Loam did, the nearest frame that is not of Java is Loam's.
   */
  static boolean isOfCalcite(Throwable failure) {
    for (StackTraceElement frame : Throwables.getRootCause(failure).getStackTrace()) {
      String name = frame.getClassName();
      if (!name.startsWith("java.")
          && !name.startsWith("jdk.")
          && !name.startsWith("com.google.")) {
        return CALCITE.matcher(name).find();
      }
    }
    return false;
  }

  /** Why Calcite cannot run a plan, which it says in what it suppresses. */
  private static String suppressed(Throwable failure) {
    return Throwables.getCausalChain(failure).stream()
        .flatMap(t -> Stream.of(t.getSuppressed()))
        .map(CalciteErrors::message)
        .collect(Collectors.joining(" "));
  }

  private static boolean isOfGeneratedCode(Throwable t) {
    return t.getStackTrace().length > 0 && t.getStackTrace()[0].getClassName().startsWith("Baz");
  }

  /** Internal names mean nothing to a user; the stack trace has them. */
  private static String internal(String message) {
    return CLASS_NAME.matcher(message).find() ? "fault of Loam" : message;
  }

  private static Optional<LoamException> known(
      Throwable t, Throwable failure, @Nullable Suggestions suggestions) {
    if (t instanceof SqlParseException e) {
      return Optional.of(syntax(e, suggestions));
    }
    if (t instanceof CalciteContextException e) {
      return Optional.of(invalid(e, suggestions));
    }
    Matcher number = NUMBER.matcher(message(t));
    if (t instanceof NumberFormatException && (number.find() || t.getMessage() == null)) {
      return Optional.of(
          new LoamException(
              ErrorCode.INVALID_TEXT,
              "text is not a number: value="
                  + (t.getMessage() == null ? "" : number.group(1))
                  + "; compare and store numbers with numbers, and texts in quotes with texts",
              failure));
    }
    Matcher range = OUT_OF_RANGE.matcher(message(t));
    if (range.find()) {
      return Optional.of(
          named(
              ErrorCode.OUT_OF_RANGE,
              "number is out of range: value="
                  + range.group(1)
                  + (range.group(2) == null ? "" : ", type=" + range.group(2)),
              "use a wider type"));
    }
    if (t instanceof StringIndexOutOfBoundsException && isOfCalcite(t)) {
      return Optional.of(
          named(
              ErrorCode.INVALID_ARGUMENT,
              "position is not within the text: cause=" + message(t),
              "give one from 1 to the text's length"));
    }
    if (CALENDAR.matcher(message(t)).find()) {
      return Optional.of(
          named(
              ErrorCode.OUT_OF_RANGE,
              "time is out of the calendar: cause=" + message(t),
              "stay within the years 0001 to 9999"));
    }
    if (message(t).contains("InvalidJsonException")) {
      return Optional.of(
          named(
              ErrorCode.INVALID_TEXT,
              "text is not JSON",
              "write it as {\"a\": 1}, with names and texts in double quotes"));
    }
    int internals = message(t).indexOf(": 'JsonPathContext{");
    if (internals >= 0) {
      return Optional.of(
          named(
              ErrorCode.INVALID_ARGUMENT,
              "statement failed: cause=" + message(t).substring(0, internals),
              "give it JSON, and a path such as '$.a' that is not NULL"));
    }
    if (message(t).startsWith(NO_BOOLEAN)) {
      return Optional.of(
          named(
              ErrorCode.INVALID_TEXT,
              "text is not a BOOLEAN: value=" + message(t).substring(NO_BOOLEAN.length()),
              "write true or false"));
    }
    if (t instanceof NullPointerException && isOfGeneratedCode(t)) {
      return Optional.of(
          new LoamException(
              ErrorCode.UNSUPPORTED,
              "NULL where a value is needed, such as a key from which RANGE counts; leave such rows"
                  + " out: WHERE … IS NOT NULL",
              failure));
    }
    if (message(t).equals(Static.RESOURCE.preparationAborted().str())) {
      return Optional.of(
          new LoamException(
              ErrorCode.CANCELLED, "statement cancelled; run it again if wanted", failure));
    }
    ErrorCode code = null;
    if (t instanceof CalciteException || message(t).startsWith("Invalid escape ")) {
      code = ErrorCode.INVALID_ARGUMENT;
    } else if (message(t).startsWith("Cannot take logarithm")) {
      code = ErrorCode.INVALID_ARGUMENT;
    } else if (message(t).equals("Infinite or NaN")) {
      return Optional.of(
          new LoamException(
              ErrorCode.UNSUPPORTED,
              "RANGE counts from a number that is infinite or NaN; leave such rows out, or use"
                  + " ROWS",
              failure));
    } else if (t instanceof ArithmeticException) {
      return Optional.of(
          isDivision(t)
              ? new LoamException(
                  ErrorCode.DIVISION_BY_ZERO,
                  "division by zero; leave such rows out, or divide by NULLIF(<divisor>, 0)",
                  failure)
              : new LoamException(
                  ErrorCode.OUT_OF_RANGE,
                  "number is out of range: " + overflow(t) + "; CAST to a wider type",
                  failure));
    } else if (t instanceof NumberFormatException
        || t instanceof DateTimeException
        || isBadText(t)) {
      code = ErrorCode.INVALID_TEXT;
    } else if (t instanceof IllegalStateException && message(t).contains("SINGLE_VALUE")) {
      return Optional.of(
          new LoamException(
              ErrorCode.CARDINALITY,
              "subquery gives more than one row where one value is needed; add a condition or"
                  + " LIMIT 1",
              failure));
    } else if (message(t).contains("grows beyond 64 KB")) {
      return Optional.of(
          new LoamException(
              ErrorCode.LIMIT_EXCEEDED,
              "statement has too many computed expressions; compare columns with values, which"
                  + " needs no code, or use IN or a join",
              failure));
    } else if (message(t).startsWith("Correlated ")) {
      code = ErrorCode.UNSUPPORTED;
    }
    return code == null
        ? Optional.empty()
        : Optional.of(
            new LoamException(
                code, "statement failed: cause=" + message(t) + "; change the statement", failure));
  }

  /** Java says "/ by zero" of whole numbers; BigDecimal "Division by zero" or "undefined". */
  private static boolean isDivision(Throwable t) {
    String message = String.valueOf(t.getMessage());
    return message.contains("by zero") || message.startsWith("Division undefined");
  }

  /** The operation and type of a whole number that Java's exact arithmetic has no room for. */
  private static String overflow(Throwable t) {
    String method = t.getStackTrace().length == 0 ? "" : t.getStackTrace()[0].getMethodName();
    String type =
        switch (message(t)) {
          case "integer overflow" -> "INTEGER";
          case "long overflow" -> "BIGINT";
          default -> "";
        };
    String operation =
        switch (method) {
          case "addExact" -> "+";
          case "subtractExact", "negateExact" -> "-";
          case "multiplyExact" -> "*";
          default -> "";
        };
    return type.isEmpty() || operation.isEmpty()
        ? "cause=" + message(t)
        : "operation=" + operation + ", type=" + type;
  }

  /** Whether text that a user gave could not be read as a value of another type. */
  private static boolean isBadText(Throwable t) {
    return t instanceof IllegalArgumentException
        && t.getStackTrace().length > 0
        && TEXT_READERS.contains(t.getStackTrace()[0].getClassName());
  }

  private static LoamException syntax(SqlParseException e, @Nullable Suggestions suggestions) {
    SqlParserPos pos = e.getPos();
    Optional<LoamException> start =
        suggestions == null ? Optional.empty() : FirstWord.explained(suggestions.sql());
    if (start.isPresent()) {
      return start.get();
    }
    String message = message(e);
    int end = message.indexOf(" at line ");
    Matcher keyword = KEYWORD.matcher(message);
    if (keyword.find() && !isReserved(keyword.group(1)) && suggestions != null && pos != null) {
      // Calcite names a keyword that may stand there, and not the one after it that may not.
      Optional<SqlParserPos> next = suggestions.wordAfter(pos);
      if (next.isPresent()) {
        pos = next.get();
        message = "Encountered \"" + suggestions.wordAt(pos) + "\"";
        end = -1;
      }
    }
    return new LoamException(
        ErrorCode.SYNTAX_ERROR,
        "syntax error: "
            + (end < 0 ? message : message.substring(0, end))
            + (pos == null ? "" : ", line=" + pos.getLineNum() + ", column=" + pos.getColumnNum())
            + "; "
            + advice(message, pos, suggestions));
  }

  private static String advice(
      String message, @Nullable SqlParserPos place, @Nullable Suggestions suggestions) {
    Optional<String> instead =
        place == null || suggestions == null
            ? Optional.empty()
            : OtherDialects.syntax(suggestions.sql(), suggestions.rest(place));
    return instead.orElseGet(() -> "correct the statement there" + reservedWord(message));
  }

  /** Advice where a syntax error may come from a name that is a reserved word. */
  private static String reservedWord(String message) {
    Matcher word = WORD.matcher(message);
    return word.find() && isReserved(word.group(1))
        ? ", or write \"" + word.group(1) + "\" in quotes if it is a name: it is a reserved word"
        : "";
  }

  private static boolean isReserved(String word) {
    return SqlParser.create("", LoamParser.config())
        .getMetadata()
        .isReservedWord(word.toUpperCase(Locale.ROOT));
  }

  private static LoamException invalid(
      CalciteContextException e, @Nullable Suggestions suggestions) {
    String message = e.getCause() == null ? message(e) : message(e.getCause());
    String place = ", line=" + e.getPosLine() + ", column=" + e.getPosColumn();
    Matcher object = OBJECT.matcher(message);
    if (message.startsWith("Object")
        && object.find()
        && suggestions != null
        && suggestions.isSchema(object.group(1), e)) {
      return named(
          ErrorCode.UNKNOWN_COLLECTION,
          "unknown schema: schema=" + object.group(1) + place,
          suggestions.schema(object.group(1)));
    }
    object.reset();
    if (object.find()) {
      String table = SystemTables.collection(VersionedName.strip(object.group(1)));
      return named(
          ErrorCode.UNKNOWN_COLLECTION,
          "unknown table: table=" + table + place,
          suggestions == null ? "" : suggestions.collection(object.group(1), table));
    }
    Matcher column = COLUMN.matcher(message);
    if (column.find()) {
      String name = column.group(1);
      String remedy = suggestions == null ? "" : suggestions.column(name);
      return named(
          ErrorCode.UNKNOWN_COLUMN,
          "unknown column: column=" + name + place,
          (remedy.isEmpty() ? "correct the name" : remedy)
              + " (or write '"
              + name
              + "' if it is a text)");
    }
    Matcher function = FUNCTION.matcher(message);
    if (function.find()) {
      return named(
          ErrorCode.UNKNOWN_FUNCTION,
          "unknown function: call=" + message.substring(function.start(1)) + place,
          suggestions == null ? "" : suggestions.function(function.group(1)));
    }
    Matcher escape = FUNCTION_ESCAPE.matcher(message);
    if (escape.find()) {
      return named(
          ErrorCode.UNKNOWN_FUNCTION,
          "unknown function of JDBC's escapes: call=" + escape.group(1) + place,
          "look at its name and the number of its arguments");
    }
    if (message.contains(SCALAR_QUERY)) {
      return named(
          ErrorCode.SYNTAX_ERROR,
          "subquery gives several columns where one value is needed" + place.replaceFirst(",", ":"),
          "SELECT one column in it");
    }
    if (message.equals("Unknown identifier '*'") && suggestions != null) {
      Matcher call = STAR_CALL.matcher(suggestions.before(e));
      if (call.find()) {
        return named(
            ErrorCode.UNKNOWN_FUNCTION,
            "unknown function: call=" + call.group(1) + "(*)" + place,
            "did you mean count? No other takes a star");
      }
    }
    if (message.startsWith("Invalid number of arguments to function 'HIGHLIGHT'")) {
      return named(
          ErrorCode.SYNTAX_ERROR,
          "highlight takes 2 to 5 arguments" + place.replaceFirst(",", ":"),
          "write highlight(column, query [, before, after, fragments])");
    }
    Matcher values = VALUES.matcher(message);
    if (values.matches()) {
      return named(
          ErrorCode.SYNTAX_ERROR,
          "statement gives another number of values than of columns: columns="
              + values.group(1)
              + ", values="
              + values.group(2)
              + place,
          "give each column one value");
    }
    Matcher notNull = NOT_NULL.matcher(message);
    if (notNull.find()) {
      return named(
          ErrorCode.NULL_NOT_ALLOWED,
          "column must have a value: column=" + notNull.group(1) + place,
          "add it to the statement");
    }
    return named(
        TYPES.matcher(message).matches() ? ErrorCode.TYPE_MISMATCH : ErrorCode.SYNTAX_ERROR,
        "statement is not valid: cause=" + message + place,
        remedy(message));
  }

  private static String remedy(String message) {
    return REMEDIES.entrySet().stream()
        .filter(remedy -> message.contains(remedy.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("correct the statement there");
  }

  /** A user's mistake, which no stack trace of Calcite explains. */
  private static LoamException named(ErrorCode code, String problem, String remedy) {
    return new LoamException(
        code,
        VersionedName.strip(problem) + "; " + (remedy.isEmpty() ? "correct the name" : remedy));
  }

  /** The first line of a message, without internal names. */
  private static String message(Throwable t) {
    String message = t.getMessage() == null ? t.getClass().getSimpleName() : t.getMessage();
    return VersionedName.strip(message.lines().findFirst().orElse(message));
  }
}
