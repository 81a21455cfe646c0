package io.loam.text;

import java.util.List;

/**
 * Collects the tokens of one text field, document by document in doc-id order. Not safe for use by
 * several threads.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class TokenBuilder {

  /** Adds the next document's tokens; an empty list where the field is missing. */
  public TokenBuilder add(List<String> tokens) {
    throw new UnsupportedOperationException();
  }

  /** Adds the next document's text; an empty string where the field is missing. */
  public TokenBuilder addText(String analyzer, String text) {
    throw new UnsupportedOperationException();
  }

  /** Adds the next document, a copy of one in {@code source}, which has the same field. */
  public TokenBuilder addCopy(TokenReader source, int doc) {
    throw new UnsupportedOperationException();
  }

  /** Documents added. */
  public int documentCount() {
    throw new UnsupportedOperationException();
  }

  /** The documents added, in memory. The builder cannot be used any more. */
  public TokenReader build() {
    throw new UnsupportedOperationException();
  }
}
