package io.loam.text;

import java.util.List;

/**
 * A query over analysed text: what a query string means once parsed and analysed. One tree drives
 * the native index, the tail and the scorer.
 */
public sealed interface TextQuery {

  /** Documents whose field has the term; scores BM25 times {@code boost}. */
  record Term(int fieldNumber, String term, double boost) implements TextQuery {}

  /**
   * Documents whose field has the terms at successive positions, or as {@link SloppyPhrase} says
   * where {@code slop} is not 0; scores as one term, idf summed, tf = phrase count.
   */
  record Phrase(int fieldNumber, List<String> terms, int slop, double boost) implements TextQuery {
    public Phrase {
      terms = List.copyOf(terms);
    }

    Phrase(int fieldNumber, List<String> terms, double boost) {
      this(fieldNumber, terms, 0, boost);
    }
  }

  /** Documents whose field has a term that the pattern describes; scores {@code boost}. */
  record Pattern(int fieldNumber, TermPattern pattern, double boost) implements TextQuery {}

  /**
   * Documents that match all of {@code must}, none of {@code mustNot}, and at least {@code
   * leastShould} of {@code should}, or one where {@code must} is empty; scores the sum of the
   * matching {@code must} and {@code should} clauses.
   */
  record Bool(
      List<TextQuery> must, List<TextQuery> should, List<TextQuery> mustNot, int leastShould)
      implements TextQuery {
    public Bool {
      must = List.copyOf(must);
      should = List.copyOf(should);
      mustNot = List.copyOf(mustNot);
    }

    Bool(List<TextQuery> must, List<TextQuery> should, List<TextQuery> mustNot) {
      this(must, should, mustNot, 0);
    }
  }

  /** No document. */
  record None() implements TextQuery {}
}
