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
   * Documents whose field has the terms at successive positions; scores as one term, idf summed, tf
   * = phrase count.
   */
  record Phrase(int fieldNumber, List<String> terms, double boost) implements TextQuery {
    public Phrase {
      terms = List.copyOf(terms);
    }
  }

  /**
   * Documents that match all of {@code must}, none of {@code mustNot}, and, where {@code must} is
   * empty, at least one of {@code should}; scores the sum of the matching {@code must} and {@code
   * should} clauses.
   */
  record Bool(List<TextQuery> must, List<TextQuery> should, List<TextQuery> mustNot)
      implements TextQuery {
    public Bool {
      must = List.copyOf(must);
      should = List.copyOf(should);
      mustNot = List.copyOf(mustNot);
    }
  }

  /** No document. */
  record None() implements TextQuery {}
}
