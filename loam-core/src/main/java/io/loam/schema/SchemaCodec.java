package io.loam.schema;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** Schemas as {@link SealedJson}. */
public final class SchemaCodec {
  private static final int FORMAT = 2;

  /** Knew no dropped fields. */
  private static final int FORMAT_WITHOUT_CHANGES = 1;

  private SchemaCodec() {}

  /** The schema as bytes; equal schemas give equal bytes. */
  public static byte[] encode(CollectionSchema schema) {
    ObjectNode json =
        SealedJson.ofFormat(FORMAT)
            .put("version", schema.version())
            .put("keyField", schema.keyField())
            .put("nextFieldNumber", schema.nextFieldNumber());
    ArrayNode fields = json.putArray("fields");
    for (Field field : schema.fields()) {
      fields
          .addObject()
          .put("number", field.number())
          .put("name", field.name())
          .put("type", field.kind().name())
          .put("precision", field.type().precision())
          .put("scale", field.type().scale())
          .put("nullable", field.nullable())
          .put("analyzer", field.analyzer())
          .put("metric", field.metric());
    }
    ObjectNode options = json.putObject("options");
    new TreeMap<>(schema.options()).forEach(options::put);
    ArrayNode dropped = json.putArray("dropped");
    schema.dropped().forEach(dropped::add);
    return SealedJson.seal(json);
  }

  /** Reads what {@link #encode} wrote, or fails with {@code CORRUPT_OBJECT}, naming the path. */
  public static CollectionSchema decode(byte[] bytes, String path) {
    SealedJson json = SealedJson.open(bytes, FORMAT, path);
    List<Field> fields = new ArrayList<>();
    for (SealedJson field : json.objects("fields")) {
      fields.add(
          new Field(
              field.integer("number"),
              field.text("name"),
              new FieldType(
                  kind(field.text("type"), path),
                  field.integer("precision"),
                  field.integer("scale")),
              field.flag("nullable"),
              field.text("analyzer"),
              field.text("metric")));
    }
    int keyField = json.integer("keyField");
    if (keyField != CollectionSchema.HIDDEN_KEY
        && fields.stream().noneMatch(f -> f.number() == keyField)) {
      throw corrupt("schema's key is not a field", path, "keyField=" + keyField);
    }
    return new CollectionSchema(
        json.integer("version"),
        fields,
        keyField,
        json.integer("nextFieldNumber"),
        json.texts("options"),
        json.format() == FORMAT_WITHOUT_CHANGES ? List.of() : json.textList("dropped"));
  }

  private static TypeKind kind(String name, String path) {
    return Arrays.stream(TypeKind.values())
        .filter(kind -> kind.name().equals(name))
        .findFirst()
        .orElseThrow(() -> corrupt("schema has an unknown type", path, "type=" + name));
  }

  private static LoamException corrupt(String problem, String path, String detail) {
    return new LoamException(
        ErrorCode.CORRUPT_OBJECT,
        "%s: path=%s, %s; restore it from a copy".formatted(problem, path, detail));
  }
}
