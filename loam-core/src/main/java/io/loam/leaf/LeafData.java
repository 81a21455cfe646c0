package io.loam.leaf;

import io.loam.column.Column;
import io.loam.column.ColumnBuilder;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.SparseVector;
import io.loam.schema.TypeKind;
import io.loam.sparse.SparseBuilder;
import io.loam.sparse.SparseIndex;
import io.loam.text.TokenBuilder;
import io.loam.text.TokenReader;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The indexed content of some documents, in memory: what a split's files hold, and what readers
 * make of the tail.
 *
 * @param documentCount documents, missing ones included
 * @param columns typed fields by number, the hidden key among them
 * @param tokens text fields by number
 * @param sparse sparse vector fields by number
 */
public record LeafData(
    int documentCount,
    SortedMap<Integer, Column> columns,
    SortedMap<Integer, TokenReader> tokens,
    SortedMap<Integer, SparseIndex> sparse) {

  public static Builder builder(CollectionSchema schema) {
    return new Builder(schema);
  }

  /** Takes documents in doc-id order. Not safe for use by several threads. */
  public static final class Builder {
    private final CollectionSchema schema;
    private final SortedMap<Integer, ColumnBuilder> columns = new TreeMap<>();
    private final Map<Integer, TokenBuilder> tokens = new HashMap<>();
    private final Map<Integer, SparseBuilder> sparse = new HashMap<>();
    private int documents;

    private Builder(CollectionSchema schema) {
      this.schema = schema;
      if (schema.hasHiddenKey()) {
        columns.put(CollectionSchema.HIDDEN_KEY, ColumnBuilder.of(hiddenKey()));
      }
      for (Field field : schema.fields()) {
        if (field.kind().isTyped()) {
          columns.put(field.number(), ColumnBuilder.of(field));
        } else if (field.kind() == TypeKind.TEXT) {
          tokens.put(field.number(), new TokenBuilder());
        } else if (field.kind() == TypeKind.SPARSEVECTOR) {
          sparse.put(field.number(), new SparseBuilder());
        }
      }
    }

    private static Field hiddenKey() {
      return new Field(
          CollectionSchema.HIDDEN_KEY,
          "_key",
          io.loam.schema.FieldType.of(TypeKind.BIGINT),
          false,
          "",
          "");
    }

    /**
     * Adds a document.
     *
     * @param key its key's value
     * @param values in the order of the schema's fields
     */
    public void add(Object key, @Nullable Object[] values) {
      if (schema.hasHiddenKey()) {
        columns.get(CollectionSchema.HIDDEN_KEY).add(key);
      }
      for (int i = 0; i < values.length; i++) {
        Field field = schema.fields().get(i);
        if (field.kind().isTyped()) {
          columns.get(field.number()).add(values[i]);
        } else if (field.kind() == TypeKind.TEXT) {
          String text = (String) values[i];
          tokens.get(field.number()).addText(field.analyzer(), text == null ? "" : text);
        } else if (field.kind() == TypeKind.SPARSEVECTOR) {
          sparse.get(field.number()).add((SparseVector) values[i]);
        }
      }
      documents++;
    }

    /** Adds a document that is not there any more, and whose values nobody asks for. */
    public void addMissing() {
      columns.forEach((number, c) -> c.add(number == schema.keyField() ? anyKey() : null));
      tokens.values().forEach(t -> t.addText("keyword", ""));
      sparse.values().forEach(s -> s.add(null));
      documents++;
    }

    private Object anyKey() {
      return switch (schema.keyKind()) {
        case VARCHAR -> "";
        case UUID -> new UUID(0, 0);
        default -> 0L;
      };
    }

    /**
     * Adds a copy of another leaf's document: its own typed values and tokens, nothing derived
     * anew.
     */
    public void addCopy(LeafData source, int doc, @Nullable Object[] sparseVectors) {
      columns.forEach(
          (number, builder) -> {
            Column column = source.columns.get(number);
            builder.add(column == null ? null : column.value(doc));
          });
      tokens.forEach(
          (number, builder) -> {
            TokenReader reader = source.tokens.get(number);
            if (reader == null) {
              builder.add(java.util.List.of());
            } else {
              builder.addCopy(reader, doc);
            }
          });
      int i = 0;
      for (Field field : schema.fields()) {
        if (field.kind() == TypeKind.SPARSEVECTOR) {
          sparse.get(field.number()).add((SparseVector) sparseVectors[i++]);
        }
      }
      documents++;
    }

    public LeafData build() {
      SortedMap<Integer, Column> builtColumns = new TreeMap<>();
      columns.forEach((number, builder) -> builtColumns.put(number, builder.build()));
      SortedMap<Integer, TokenReader> builtTokens = new TreeMap<>();
      tokens.forEach((number, builder) -> builtTokens.put(number, builder.build()));
      SortedMap<Integer, SparseIndex> builtSparse = new TreeMap<>();
      sparse.forEach((number, builder) -> builtSparse.put(number, builder.build()));
      return new LeafData(documents, builtColumns, builtTokens, builtSparse);
    }
  }
}
