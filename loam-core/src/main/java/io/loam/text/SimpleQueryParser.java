package io.loam.text;

import java.util.List;

/** Reads query strings. */
@SuppressWarnings("DoNotCallSuggester")
public final class SimpleQueryParser {

  /**
   * The query that a user's text means.
   *
   * @param allWords documents must have all words instead of any
   * @param fields at least one
   */
  public static TextQuery parse(
      String query, QuerySyntax syntax, boolean allWords, List<QueryField> fields) {
    throw new UnsupportedOperationException();
  }

  private SimpleQueryParser() {}
}
