package io.loam.calcite;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.loam.function.TextArguments;
import io.loam.text.Highlighter;
import io.loam.text.OneText;
import io.loam.text.QueryField;
import io.loam.text.TextQuery;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.apache.calcite.schema.impl.ScalarFunctionImpl;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandTypeInference;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlUserDefinedFunction;
import org.jspecify.annotations.Nullable;

/**
 * The functions {@code match}, {@code score} and {@code highlight}. As users write them they know
 * nothing of the column; {@link SearchExpressions} puts {@link #MATCH_TEXT} and {@link
 * #HIGHLIGHT_TEXT} in their place, which do, and a search's score. A scan answers what it can; the
 * rest is computed row by row.
 */
public final class TextFunctions {
  private static final int PARSED_QUERIES = 256;

  private static final SqlOperandTypeInference PARAMETERS =
      (binding, returnType, types) -> {
        for (int i = 0; i < types.length; i++) {
          types[i] =
              binding
                  .getTypeFactory()
                  .createTypeWithNullability(
                      binding
                          .getTypeFactory()
                          .createSqlType(i == 4 ? SqlTypeName.INTEGER : SqlTypeName.VARCHAR),
                      true);
        }
      };

  /** {@code match(column, query [, syntax])}; never NULL. */
  static final SqlFunction MATCH =
      new SqlFunction(
          "MATCH",
          SqlKind.OTHER_FUNCTION,
          ReturnTypes.BOOLEAN_NOT_NULL,
          PARAMETERS,
          OperandTypes.family(
              List.of(SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER),
              i -> i == 2),
          SqlFunctionCategory.USER_DEFINED_FUNCTION);

  /** {@code score()}: the score of the matches of a WHERE. */
  static final SqlFunction SCORE =
      new SqlFunction(
          "SCORE",
          SqlKind.OTHER_FUNCTION,
          ReturnTypes.DOUBLE_NULLABLE,
          null,
          OperandTypes.NILADIC,
          SqlFunctionCategory.USER_DEFINED_FUNCTION) {
        @Override
        public boolean isDynamicFunction() {
          return true;
        }
      };

  /** {@code highlight(column, query [, before, after, fragments])}. */
  static final SqlFunction HIGHLIGHT =
      new SqlFunction(
          "HIGHLIGHT",
          SqlKind.OTHER_FUNCTION,
          ReturnTypes.VARCHAR_NULLABLE,
          PARAMETERS,
          OperandTypes.family(
              List.of(
                  SqlTypeFamily.CHARACTER,
                  SqlTypeFamily.CHARACTER,
                  SqlTypeFamily.CHARACTER,
                  SqlTypeFamily.CHARACTER,
                  SqlTypeFamily.INTEGER),
              i -> i >= 2),
          SqlFunctionCategory.USER_DEFINED_FUNCTION);

  /** Of text, query, syntax, then the column's analyzer and name. */
  static final SqlFunction MATCH_TEXT =
      computed("MATCH", ReturnTypes.BOOLEAN_NOT_NULL, "matches", 5);

  /** Of text, query, before, after, fragments, then the column's analyzer and name. */
  static final SqlFunction HIGHLIGHT_TEXT =
      computed("HIGHLIGHT", ReturnTypes.VARCHAR_NULLABLE, "highlight", 7);

  private record ParsedKey(
      String function, String query, String syntax, String analyzer, String column) {}

  private static final Cache<ParsedKey, TextQuery> PARSED =
      Caffeine.newBuilder().maximumSize(PARSED_QUERIES).build();

  private TextFunctions() {}

  private static SqlFunction computed(
      String name, SqlReturnTypeInference type, String method, int operands) {
    return new SqlUserDefinedFunction(
        new SqlIdentifier(name, SqlParserPos.ZERO),
        SqlKind.OTHER_FUNCTION,
        type,
        null,
        OperandTypes.operandMetadata(
            Collections.nCopies(operands, SqlTypeFamily.ANY),
            factory -> Collections.nCopies(operands, factory.createSqlType(SqlTypeName.ANY)),
            i -> "operand" + i,
            i -> false),
        ScalarFunctionImpl.create(TextFunctions.class, method));
  }

  /** Called by generated code. */
  public static boolean matches(
      @Nullable String text,
      @Nullable String query,
      @Nullable String syntax,
      String analyzer,
      String column) {
    QueryField field = new QueryField(1, analyzer, 1);
    TextQuery parsed = parsed("match", query, syntax, field, column);
    return text != null && OneText.of(field, text).matches(parsed);
  }

  /** Called by generated code. */
  public static @Nullable String highlight(
      @Nullable String text,
      @Nullable String query,
      @Nullable String before,
      @Nullable String after,
      @Nullable Integer fragments,
      String analyzer,
      String column) {
    QueryField field = new QueryField(1, analyzer, 1);
    TextQuery parsed = parsed("highlight", query, "simple", field, column);
    Highlighter.Style style = TextArguments.style(before, after, fragments);
    return text == null ? null : Highlighter.highlight(parsed, field, text, style);
  }

  private static TextQuery parsed(
      String function,
      @Nullable String query,
      @Nullable String syntax,
      QueryField field,
      String column) {
    Function<ParsedKey, TextQuery> parse =
        key -> new TextArguments(function, field, column).parse(query, syntax);
    return PARSED.get(
        new ParsedKey(
            function, String.valueOf(query), String.valueOf(syntax), field.analyzer(), column),
        parse);
  }
}
