package io.loam.function;

import static io.loam.function.Parameter.optional;
import static io.loam.function.Parameter.required;

import io.loam.query.Search;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.TypeKind;
import io.loam.vector.Metric;
import io.loam.vector.VectorQuery.Precision;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code vector_search}: the nearest vectors. */
record VectorSearch() implements FunctionSpec {

  @Override
  public String name() {
    return "vector_search";
  }

  @Override
  public String documentation() {
    return "Documents whose vector is nearest to the query's.";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        required("collection", Parameter.Type.COLLECTION, "Collection to search."),
        required("column", Parameter.Type.COLUMN, "VECTOR column."),
        required("query", Parameter.Type.VECTOR, "Vector of the column's dimension."),
        optional("k", Parameter.Type.COUNT, "10", "Most rows to find."),
        optional("filter", Parameter.Type.FILTER, "none", "Condition on documents to search."),
        optional("metric", Parameter.Type.TEXT, "the column's", "cosine, l2 or dot."),
        optional("exact", Parameter.Type.FLAG, "false", "Whether no row may be missed."),
        optional("max_distance", Parameter.Type.NUMBER, "none", "Greatest distance of a row."),
        optional("nprobes", Parameter.Type.COUNT, "the index's", "Lists of an index to look at."),
        optional("refine", Parameter.Type.COUNT, "the code's", "Times k to compare at least."));
  }

  @Override
  public List<ResultColumn> resultColumns(int legs) {
    return List.of(ResultColumn.SCORE, ResultColumn.DISTANCE);
  }

  @Override
  public Search bind(Arguments<@Nullable Object> arguments, CollectionSchema schema, int defaultK) {
    Checks checks = new Checks(name(), arguments);
    Field field = checks.field(schema, checks.text("column"), TypeKind.VECTOR);
    float[] query = VectorValues.parse(checks.required("query"));
    VectorValues.check(query, field);
    return new Search.Vector(
        field.number(),
        query,
        checks.choice("metric", Metric.class),
        checks.k(defaultK),
        checks.filter(),
        checks.finite("max_distance"),
        new Precision(checks.flag("exact"), checks.count("nprobes"), checks.count("refine")));
  }
}
