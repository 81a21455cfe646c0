package io.loam.schema;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.io.SegmentedStringWriter;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Documents' JSON bodies, the {@code _source} column: one object with the fields that are not null,
 * by the name of {@link CollectionSchema#bodyFields} and in declared order, without vectors and
 * sparse vectors. JSON fields are embedded as they are, decimals are numbers with all their digits,
 * dates, timestamps and UUIDs are ISO text, NaN and infinities are text.
 */
public final class SourceCodec {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(Limits.MAX_DOCUMENT_BYTES)
                  // The body is one level around a JSON field.
                  .maxNestingDepth(StreamReadConstraints.DEFAULT_MAX_DEPTH + 1)
                  .build())
          .build();

  private SourceCodec() {}

  /**
   * The body of a document whose values are canonical. Fails with {@code LIMIT_EXCEEDED} past
   * {@link Limits#MAX_DOCUMENT_BYTES} of UTF-8.
   */
  public static String encode(CollectionSchema schema, @Nullable Object[] values) {
    SegmentedStringWriter body = new SegmentedStringWriter(JSON._getBufferRecycler());
    String json;
    try {
      try (JsonGenerator generator = JSON.createGenerator(body)) {
        write(generator, schema.bodyFields(), values);
      }
      json = body.getAndClear();
    } catch (IOException e) {
      throw new LoamException(
          ErrorCode.INTERNAL, "cannot write document body: reason=" + e + "; report this", e);
    }
    checkSize(json);
    return json;
  }

  private static void write(JsonGenerator generator, List<Field> fields, @Nullable Object[] values)
      throws IOException {
    generator.writeStartObject();
    for (int i = 0; i < values.length; i++) {
      Object value = values[i];
      Field field = fields.get(i);
      if (value != null && isInBody(field)) {
        generator.writeFieldName(field.name());
        write(generator, field, value);
      }
    }
    generator.writeEndObject();
  }

  /** Whether bodies hold the field; the others are columns of their own. */
  public static boolean isInBody(Field field) {
    return field.kind() != TypeKind.VECTOR && field.kind() != TypeKind.SPARSEVECTOR;
  }

  private static void write(JsonGenerator generator, Field field, Object value) throws IOException {
    switch (field.kind()) {
      case BIGINT -> generator.writeNumber((Long) value);
      case INTEGER -> generator.writeNumber((Integer) value);
      case REAL -> generator.writeNumber((Float) value);
      case DOUBLE -> generator.writeNumber((Double) value);
      case DECIMAL -> generator.writeNumber((BigDecimal) value);
      case BOOLEAN -> generator.writeBoolean((Boolean) value);
      case DATE, TIMESTAMP, UUID -> generator.writeString(value.toString());
      case VARCHAR, TEXT -> generator.writeString((String) value);
      case JSON -> generator.writeRawValue((String) value);
      case VARCHAR_ARRAY -> {
        generator.writeStartArray();
        for (Object item : (List<?>) value) {
          generator.writeString((String) item);
        }
        generator.writeEndArray();
      }
      case VECTOR, SPARSEVECTOR -> throw new IllegalArgumentException(field.name());
    }
  }

  private static void checkSize(String json) {
    // A UTF-16 unit takes at most three bytes, so most documents need no count.
    if (json.length() <= Limits.MAX_DOCUMENT_BYTES / 3) {
      return;
    }
    long bytes = 0;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      // Each half of a surrogate pair stands for two of the pair's four bytes.
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    if (bytes > Limits.MAX_DOCUMENT_BYTES) {
      throw new LoamException(
          ErrorCode.LIMIT_EXCEEDED,
          "document too large: bytes=%d, limit=%d; split it into several documents"
              .formatted(bytes, Limits.MAX_DOCUMENT_BYTES));
    }
  }

  /** All values of a body, in the order of the schema's fields; null for those it does not hold. */
  public static @Nullable Object[] decode(CollectionSchema schema, String json) {
    return read(json, schema.bodyFields());
  }

  /**
   * A body as users see it: with the fields that the schema has, by their declared names. Bodies
   * that were written before a field was dropped hold it for ever.
   */
  public static String visible(CollectionSchema schema, String json) {
    if (schema.dropped().isEmpty()) {
      return json;
    }
    List<Field> stored = schema.bodyFields();
    SegmentedStringWriter body = new SegmentedStringWriter(JSON._getBufferRecycler());
    try (JsonParser parser = JSON.createParser(json);
        JsonGenerator generator = JSON.createGenerator(body)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw damaged("it is no object", null);
      }
      generator.writeStartObject();
      int next = 0;
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        int place = find(stored, parser.currentName(), next);
        parser.nextToken();
        if (place < 0) {
          parser.skipChildren();
        } else {
          generator.writeFieldName(schema.fields().get(place).name());
          generator.writeRawValue(raw(parser, json));
          next = place + 1;
        }
      }
      generator.writeEndObject();
    } catch (IOException e) {
      throw damaged(e.getMessage(), e);
    }
    return text(body);
  }

  private static String text(SegmentedStringWriter body) {
    try {
      return body.getAndClear();
    } catch (IOException e) {
      throw damaged(e.getMessage(), e);
    }
  }

  /** The value of one field, by its name in the body, or null. */
  public static @Nullable Object read(String json, Field field) {
    return read(json, List.of(field))[0];
  }

  /**
   * The values of several fields, by their names in the body and in the order given, in one pass
   * that ends with the last of them; fastest if they are in declared order.
   */
  public static @Nullable Object[] read(String json, List<Field> fields) {
    @Nullable Object[] values = new Object[fields.size()];
    try (JsonParser parser = JSON.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw damaged("it is no object", null);
      }
      int missing = values.length;
      int next = 0;
      while (missing > 0 && parser.nextToken() == JsonToken.FIELD_NAME) {
        int place = find(fields, parser.currentName(), next);
        JsonToken token = parser.nextToken();
        if (place < 0) {
          parser.skipChildren();
        } else {
          values[place] = value(parser, token, fields.get(place), json);
          missing--;
          next = place + 1;
        }
      }
    } catch (IOException e) {
      throw damaged(e.getMessage(), e);
    }
    return values;
  }

  /** The place of a name, looked for from {@code start} on and around, or -1. */
  private static int find(List<Field> fields, String name, int start) {
    int size = fields.size();
    for (int i = 0; i < size; i++) {
      int place = start + i < size ? start + i : start + i - size;
      if (fields.get(place).name().equals(name)) {
        return place;
      }
    }
    return -1;
  }

  private static Object value(JsonParser parser, JsonToken token, Field field, String json)
      throws IOException {
    return switch (field.kind()) {
      case BIGINT -> parser.getLongValue();
      case INTEGER -> parser.getIntValue();
      case REAL -> Float.parseFloat(parser.getText());
      case DOUBLE -> Double.parseDouble(parser.getText());
      case DECIMAL -> parser.getDecimalValue();
      case BOOLEAN -> parser.getBooleanValue();
      case DATE -> LocalDate.parse(parser.getText());
      case TIMESTAMP -> LocalDateTime.parse(parser.getText());
      case UUID -> UUID.fromString(parser.getText());
      case VARCHAR, TEXT -> parser.getText();
      case JSON -> raw(parser, json);
      case VARCHAR_ARRAY -> texts(parser, token);
      case VECTOR, SPARSEVECTOR -> throw damaged("it holds vector " + field.name(), null);
    };
  }

  /** The value's own text. */
  private static String raw(JsonParser parser, String json) throws IOException {
    long start = parser.currentTokenLocation().getCharOffset();
    parser.skipChildren();
    parser.finishToken();
    return json.substring((int) start, (int) parser.currentLocation().getCharOffset());
  }

  private static List<String> texts(JsonParser parser, JsonToken token) throws IOException {
    if (token != JsonToken.START_ARRAY) {
      throw damaged("it holds no array where one belongs", null);
    }
    List<String> texts = new ArrayList<>();
    while (parser.nextToken() == JsonToken.VALUE_STRING) {
      texts.add(parser.getText());
    }
    return List.copyOf(texts);
  }

  private static LoamException damaged(String problem, @Nullable Throwable cause) {
    return new LoamException(
        ErrorCode.CORRUPT_OBJECT,
        "document body cannot be read: problem=" + problem + "; restore the collection from a copy",
        cause);
  }
}
