package io.loam.function;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.text.Highlighter;
import io.loam.text.QueryField;
import io.loam.text.QuerySyntax;
import io.loam.text.TextQueries;
import io.loam.text.TextQuery;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks of the arguments of {@code match} and {@code highlight}.
 *
 * @param field the column as queries know it
 * @param column its name, which a clause of the query may give
 */
public record TextArguments(String function, QueryField field, String column) {

  /** The query that a text means in a syntax. */
  public TextQuery parse(@Nullable Object query, @Nullable Object syntax) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("query", query);
    values.put("syntax", syntax);
    Checks checks = new Checks(function, new Arguments<>(List.of(), values));
    return TextQueries.parse(
        checks.text("query"),
        new TextQueries.Options(
            checks.choice("syntax", QuerySyntax.class).orElse(QuerySyntax.SIMPLE), false, 0),
        List.of(field),
        name -> name.equalsIgnoreCase(column) ? Optional.of(field) : Optional.empty());
  }

  /** How {@code highlight} shows a text. */
  public static Highlighter.Style style(
      @Nullable String before, @Nullable String after, @Nullable Integer fragments) {
    if (before == null || after == null || fragments == null || fragments < 0) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          "highlight: argument is null or negative: before=%s, after=%s, fragments=%s; give texts and 0 or more"
              .formatted(before, after, fragments));
    }
    return new Highlighter.Style(before, after, fragments);
  }
}
