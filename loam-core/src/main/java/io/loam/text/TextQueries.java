package io.loam.text;

import io.loam.text.TextQuery.Bool;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads query strings.
 *
 * <p>Words and phrases are analysed field by field. A word that gives several tokens, such as
 * {@code foo-bar}, is a group of words; one that gives none, such as a stop word, is left out. With
 * several fields, scores of those that match are summed. A clause given twice counts once.
 */
public final class TextQueries {

  /**
   * How a query string is read.
   *
   * @param allWords documents must have all words instead of any
   * @param leastShould how many of the outermost optional clauses must match; all of them if there
   *     are no more
   */
  public record Options(QuerySyntax syntax, boolean allWords, int leastShould) {}

  /**
   * The query that a user's text means.
   *
   * @param fields at least one
   * @param named finds a text field by its name, for syntaxes whose clauses can name one
   */
  public static TextQuery parse(
      String query,
      Options options,
      List<QueryField> fields,
      Function<String, Optional<QueryField>> named) {
    fields.forEach(field -> QueryClauses.checkBoost(field.boost()));
    boolean counted = options.leastShould() > 0;
    QueryClauses clauses = new QueryClauses(fields, options.allWords(), counted);
    TextQuery parsed =
        switch (options.syntax()) {
          case SIMPLE -> new SimpleQueryParser(query, clauses).parse();
          case LUCENE ->
              new LuceneQueryParser(query, options.allWords(), fields, named, counted).parse();
          case TERMS -> words(query, clauses);
          case PHRASE -> clauses.outermost().add(clauses.phrase(query, 0)).build();
        };
    QueryClauses.checkCount(parsed);
    return withLeastShould(parsed, options.leastShould());
  }

  private static TextQuery words(String query, QueryClauses clauses) {
    QueryClauses.Group group = clauses.outermost();
    for (String word : query.split("[\\s\\p{Z}]+", -1)) {
      group.addWord(word);
    }
    return group.build();
  }

  private static TextQuery withLeastShould(TextQuery query, int leastShould) {
    return query instanceof Bool b
        ? new Bool(b.must(), b.should(), b.mustNot(), Math.min(leastShould, b.should().size()))
        : query;
  }

  private TextQueries() {}
}
