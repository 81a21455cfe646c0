package io.loam.schema;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;

/** The canonical text of JSON values. */
final class JsonText {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonText() {}

  /** One JSON value without white space around its parts; numbers keep their digits. */
  static String compact(Field field, String text) {
    StringWriter compact = new StringWriter(text.length());
    try (JsonParser parser = JSON.createParser(text);
        JsonGenerator generator = JSON.createGenerator(compact)) {
      int depth = 0;
      int values = 0;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token.isStructEnd()) {
          depth--;
        } else {
          if (depth == 0 && ++values > 1) {
            throw ValueErrors.invalidText(field, text, "write one JSON value", null);
          }
          depth += token.isStructStart() ? 1 : 0;
        }
        if (token.isNumeric()) {
          generator.writeNumber(parser.getText());
        } else {
          generator.copyCurrentEvent(parser);
        }
      }
    } catch (IOException e) {
      throw ValueErrors.invalidText(field, text, "write JSON", e);
    }
    if (compact.getBuffer().isEmpty()) {
      throw ValueErrors.invalidText(field, text, "write JSON", null);
    }
    return Values.text(field, compact.toString());
  }
}
