package io.loam.function;

import static io.loam.function.Parameter.optional;
import static io.loam.function.Parameter.required;

import io.loam.query.Search;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.TypeKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code sparse_match}: the largest dot products of sparse vectors. */
record SparseMatch() implements FunctionSpec {

  @Override
  public String name() {
    return "sparse_match";
  }

  @Override
  public String documentation() {
    return "Documents whose sparse vector has the largest dot product with the query's.";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        required("collection", Parameter.Type.COLLECTION, "Collection to search."),
        required("column", Parameter.Type.COLUMN, "SPARSEVECTOR column."),
        required("query", Parameter.Type.SPARSE, "Index-weight pairs: {\"12\":0.5}."),
        optional("k", Parameter.Type.COUNT, "10", "Most rows to find."),
        optional("filter", Parameter.Type.FILTER, "none", "Condition on documents to search."),
        optional("modifier", Parameter.Type.TEXT, "none", "none or idf."),
        optional("min_score", Parameter.Type.NUMBER, "none", "Least score of a row."));
  }

  @Override
  public List<ResultColumn> resultColumns(int legs) {
    return List.of(ResultColumn.SCORE);
  }

  @Override
  public Search bind(Arguments<@Nullable Object> arguments, CollectionSchema schema, int defaultK) {
    Checks checks = new Checks(name(), arguments);
    Field field = checks.field(schema, checks.text("column"), TypeKind.SPARSEVECTOR);
    return new Search.Sparse(
        field.number(),
        SparseValues.parse(checks.required("query")),
        checks.choice("modifier", Search.SparseModifier.class).orElse(Search.SparseModifier.NONE),
        checks.k(defaultK),
        checks.filter(),
        checks.finite("min_score"));
  }
}
