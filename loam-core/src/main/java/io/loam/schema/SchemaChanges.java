package io.loam.schema;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.error.Suggestion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The next schema version of a collection. Field numbers are never used again. */
public final class SchemaChanges {
  private SchemaChanges() {}

  /**
   * Adds a field at the end. Fails with {@code DUPLICATE_COLUMN}, {@code LIMIT_EXCEEDED}, or as
   * {@link SchemaBuilder#build} does.
   *
   * @param declared a schema of just that field, and without a key
   */
  public static CollectionSchema add(CollectionSchema schema, CollectionSchema declared) {
    Field field = declared.fields().get(0);
    if (schema.find(field.name()).isPresent()) {
      throw new LoamException(
          ErrorCode.DUPLICATE_COLUMN,
          "column exists: column=" + field.name() + "; choose another name");
    }
    if (!field.nullable() || !declared.hasHiddenKey()) {
      throw new LoamException(
          ErrorCode.INVALID_SCHEMA,
          "added column must take NULL, which it has in the rows that are there: column="
              + field.name()
              + "; leave NOT NULL and PRIMARY KEY out");
    }
    if (schema.fields().size() == Limits.MAX_FIELDS) {
      throw new LoamException(
          ErrorCode.LIMIT_EXCEEDED,
          "too many columns: limit=" + Limits.MAX_FIELDS + "; use a JSON column for the rest");
    }
    List<Field> fields = new ArrayList<>(schema.fields());
    fields.add(
        new Field(
            schema.nextFieldNumber(),
            field.name(),
            field.type(),
            true,
            field.analyzer(),
            field.metric()));
    return new CollectionSchema(
        schema.version() + 1,
        fields,
        schema.keyField(),
        schema.nextFieldNumber() + 1,
        both(schema.options(), declared.options()),
        schema.dropped());
  }

  /**
   * Drops a field. Fails with {@code UNKNOWN_COLUMN}, or with {@code INVALID_SCHEMA} for the key
   * and for the only field.
   */
  public static CollectionSchema drop(CollectionSchema schema, String name) {
    Field field =
        schema
            .find(name)
            .orElseThrow(
                () ->
                    new LoamException(
                        ErrorCode.UNKNOWN_COLUMN,
                        "no such column: column="
                            + name
                            + Suggestion.mend(
                                name, schema.fields().stream().map(Field::name).toList())));
    if (field.number() == schema.keyField()) {
      throw new LoamException(
          ErrorCode.INVALID_SCHEMA,
          "primary key cannot be dropped: column="
              + field.name()
              + "; make another table and copy the rows");
    }
    if (schema.fields().size() == 1) {
      throw new LoamException(
          ErrorCode.INVALID_SCHEMA,
          "only column of a table: column=" + field.name() + "; add another before it is dropped");
    }
    List<String> dropped = new ArrayList<>(schema.dropped());
    if (dropped.stream().noneMatch(field.name()::equalsIgnoreCase)) {
      dropped.add(field.name());
    }
    Map<String, String> options = new HashMap<>(schema.options());
    SchemaBuilder.optionsOf(field.name()).forEach(options::remove);
    options.keySet().removeIf(CollectionSchema.commentOption(field.name())::equalsIgnoreCase);
    return new CollectionSchema(
        schema.version() + 1,
        schema.fields().stream().filter(f -> !f.equals(field)).toList(),
        schema.keyField(),
        schema.nextFieldNumber(),
        options,
        dropped);
  }

  private static Map<String, String> both(Map<String, String> some, Map<String, String> others) {
    Map<String, String> all = new HashMap<>(some);
    all.putAll(others);
    return all;
  }
}
