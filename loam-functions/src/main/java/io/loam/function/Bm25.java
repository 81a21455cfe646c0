package io.loam.function;

import static io.loam.function.Parameter.optional;
import static io.loam.function.Parameter.required;

import io.loam.query.Search;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.TypeKind;
import io.loam.text.QuerySyntax;
import io.loam.text.TextQueries;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code bm25}: ranked full-text search. */
record Bm25() implements FunctionSpec {
  private static final BigDecimal MIN_BOOST = new BigDecimal("1e-3");
  private static final BigDecimal MAX_BOOST = new BigDecimal("1e3");

  private enum Operator {
    OR,
    AND
  }

  @Override
  public String name() {
    return "bm25";
  }

  @Override
  public String documentation() {
    return "Documents whose text matches the query, best first by BM25.";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        required("collection", Parameter.Type.COLLECTION, "Collection to search."),
        required("columns", Parameter.Type.COLUMNS, "TEXT columns with boosts: title^2,body."),
        required("query", Parameter.Type.TEXT, "What to look for."),
        optional("k", Parameter.Type.COUNT, "10", "Most rows to find."),
        optional("filter", Parameter.Type.FILTER, "none", "Condition on documents to search."),
        optional("syntax", Parameter.Type.TEXT, "simple", "simple, lucene, terms or phrase."),
        optional("operator", Parameter.Type.TEXT, "or", "or: any word matches; and: all must."),
        optional(
            "minimum_should_match",
            Parameter.Type.COUNT,
            "0",
            "How many of the optional words must match."),
        optional("min_score", Parameter.Type.NUMBER, "none", "Least score of a row."));
  }

  @Override
  public List<ResultColumn> resultColumns(int legs) {
    return List.of(ResultColumn.SCORE);
  }

  @Override
  public Search bind(Arguments<@Nullable Object> arguments, CollectionSchema schema, int defaultK) {
    Checks checks = new Checks(name(), arguments);
    List<Search.BoostedField> fields = fields(checks, schema);
    return new Search.Text(
        fields,
        checks.text("query"),
        new TextQueries.Options(
            checks.choice("syntax", QuerySyntax.class).orElse(QuerySyntax.SIMPLE),
            checks.choice("operator", Operator.class).orElse(Operator.OR) == Operator.AND,
            checks.count("minimum_should_match")),
        checks.k(defaultK),
        checks.filter(),
        checks.finite("min_score"));
  }

  private static List<Search.BoostedField> fields(Checks checks, CollectionSchema schema) {
    List<Search.BoostedField> fields = new ArrayList<>();
    Set<Integer> seen = new HashSet<>();
    for (String part : checks.text("columns").split(",", -1)) {
      int caret = part.indexOf('^');
      String column = caret < 0 ? part : part.substring(0, caret);
      Field field = checks.field(schema, column, TypeKind.TEXT);
      if (!seen.add(field.number())) {
        throw checks.invalid("column given twice: column=" + field.name() + "; give it once");
      }
      double boost = caret < 0 ? 1 : boost(checks, part.substring(caret + 1));
      fields.add(new Search.BoostedField(field.number(), boost));
    }
    return fields;
  }

  private static double boost(Checks checks, String text) {
    BigDecimal boost = checks.number("columns", text);
    if (boost.compareTo(MIN_BOOST) < 0 || boost.compareTo(MAX_BOOST) > 0) {
      throw checks.invalid("boost out of range: boost=" + text + "; use 0.001 to 1000");
    }
    return boost.doubleValue();
  }
}
