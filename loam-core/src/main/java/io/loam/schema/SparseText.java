package io.loam.schema;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.IOException;

/** Sparse vectors as text: a JSON object of weights by index, {@code {"12":0.5,"907":1.25}}. */
public final class SparseText {
  private static final JsonFactory JSON = new JsonFactory();

  private SparseText() {}

  /**
   * Reads a sparse vector; entries may come in any order, and those of weight zero are dropped.
   * Fails with {@code INVALID_TEXT} for other text, {@code OUT_OF_RANGE} for an index that is no
   * unsigned 32-bit number or a weight that is no finite float, {@code INVALID_ARGUMENT} for an
   * index given twice, and {@code LIMIT_EXCEEDED} past {@link Limits#MAX_SPARSE_ENTRIES}.
   */
  public static SparseVector parse(String text) {
    return parse(text, "");
  }

  /** Likewise; {@code owner} stands before the values in messages. */
  static SparseVector parse(String text, String owner) {
    SparseEntries entries = new SparseEntries(owner);
    try (JsonParser parser = JSON.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw invalid(text, owner);
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String index = parser.currentName();
        if (!parser.nextToken().isNumeric()) {
          throw invalid(text, owner);
        }
        entries.add(index(index, text, owner), weight(parser.getText(), text, owner));
      }
      if (parser.nextToken() != null) {
        throw invalid(text, owner);
      }
    } catch (IOException e) {
      throw invalid(text, owner);
    }
    return entries.toVector();
  }

  /** Writes the shortest decimals that {@link #parse} reads back to the same floats. */
  public static String format(SparseVector vector) {
    StringBuilder text = new StringBuilder(2 + vector.size() * 16).append('{');
    for (int i = 0; i < vector.size(); i++) {
      text.append(i == 0 ? "\"" : ",\"")
          .append(Integer.toUnsignedString(vector.indices()[i]))
          .append("\":")
          .append(ShortFloat.format(vector.values()[i]));
    }
    return text.append('}').toString();
  }

  private static long index(String index, String text, String owner) {
    try {
      return Long.parseLong(index);
    } catch (NumberFormatException e) {
      throw invalid(text, owner);
    }
  }

  private static float weight(String weight, String text, String owner) {
    return ShortFloat.parse(weight).orElseThrow(() -> invalid(text, owner));
  }

  private static LoamException invalid(String text, String owner) {
    return new LoamException(
        ErrorCode.INVALID_TEXT,
        "not a sparse vector: %svalue=%s; write weights by index like {\"12\":0.5,\"907\":1.25}"
            .formatted(owner, ValueErrors.shown(text)));
  }
}
