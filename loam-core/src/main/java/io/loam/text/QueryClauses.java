package io.loam.text;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.Limits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Makes clauses of words and phrases, and groups of clauses. */
final class QueryClauses {
  private static final double LEAST_BOOST = 1e-3;
  private static final double GREATEST_BOOST = 1e3;

  private final List<QueryField> fields;
  private final boolean allWords;
  private final boolean counted;

  /**
   * @param counted whether clauses of the outermost group are counted, so that each stays one
   */
  QueryClauses(List<QueryField> fields, boolean allWords, boolean counted) {
    this.fields = List.copyOf(fields);
    this.allWords = allWords;
    this.counted = counted;
  }

  /** A word in any of the fields. */
  TextQuery word(String text) {
    Group either = anyOf();
    for (QueryField field : fields) {
      Group tokens = group();
      for (String token : Analyzers.tokens(field.analyzer(), text)) {
        tokens.add(new TextQuery.Term(field.fieldNumber(), token, field.boost()));
      }
      either.add(tokens.build());
    }
    return either.build();
  }

  /** A phrase in any of the fields. */
  TextQuery phrase(String text, int slop) {
    Group either = anyOf();
    for (QueryField field : fields) {
      List<String> tokens = Analyzers.tokens(field.analyzer(), text);
      if (tokens.size() == 1) {
        either.add(new TextQuery.Term(field.fieldNumber(), tokens.get(0), field.boost()));
      } else if (!tokens.isEmpty()) {
        either.add(new TextQuery.Phrase(field.fieldNumber(), tokens, slop, field.boost()));
      }
    }
    return either.build();
  }

  /** Words like a pattern in any of the fields. */
  TextQuery pattern(TermPattern.Kind kind, String text, int edits) {
    Group either = anyOf();
    for (QueryField field : fields) {
      String normal = Analyzers.normalize(field.analyzer(), text);
      TermPattern pattern = new TermPattern(kind, normal, Math.min(edits, TermPattern.MAX_EDITS));
      either.add(
          pattern.isLongerThanTerms()
              ? new TextQuery.None()
              : new TextQuery.Pattern(field.fieldNumber(), pattern, field.boost()));
    }
    return either.build();
  }

  /** The group of all words of a query. */
  Group outermost() {
    return new Group(allWords, counted);
  }

  /** A group of words within a query. */
  Group group() {
    return new Group(allWords, false);
  }

  /** A group of alternatives. */
  Group anyOf() {
    return new Group(false, false);
  }

  /** The boost, if it is in range. */
  static double checkBoost(double boost) {
    if (!(boost >= LEAST_BOOST && boost <= GREATEST_BOOST)) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          "boost is out of range: boost=" + boost + "; use 0.001 to 1000");
    }
    return boost;
  }

  /** Refuses a query of too many terms and phrases. */
  static void checkCount(TextQuery query) {
    long count = count(query);
    if (count > Limits.MAX_QUERY_CLAUSES) {
      throw new LoamException(
          ErrorCode.LIMIT_EXCEEDED,
          "query has too many words: words="
              + count
              + ", limit="
              + Limits.MAX_QUERY_CLAUSES
              + "; shorten it");
    }
  }

  private static long count(TextQuery query) {
    if (query instanceof TextQuery.Bool bool) {
      return Stream.of(bool.must(), bool.should(), bool.mustNot())
          .flatMap(Collection::stream)
          .mapToLong(QueryClauses::count)
          .sum();
    }
    return query instanceof TextQuery.Phrase phrase ? phrase.terms().size() : 1;
  }

  /** Collects clauses, each once; what matches nothing is left out. */
  final class Group {
    private final boolean all;

    /** Whether a group that is a clause of this one stays a clause. */
    private final boolean whole;

    private final Set<TextQuery> must = new LinkedHashSet<>();
    private final Set<TextQuery> should = new LinkedHashSet<>();
    private final Set<TextQuery> mustNot = new LinkedHashSet<>();

    private Group(boolean all, boolean whole) {
      this.all = all;
      this.whole = whole;
    }

    /** Adds a clause without an operator. A group of the same kind is taken apart. */
    Group add(TextQuery clause) {
      if (!whole && clause instanceof TextQuery.Bool bool && bool.mustNot().isEmpty()) {
        if (all && bool.should().isEmpty()) {
          must.addAll(bool.must());
          return this;
        }
        if (!all && bool.must().isEmpty()) {
          should.addAll(bool.should());
          return this;
        }
      }
      addTo(all ? must : should, clause);
      return this;
    }

    void addWord(String word) {
      add(QueryClauses.this.word(word));
    }

    void addMust(TextQuery clause) {
      addTo(must, clause);
    }

    void addMustNot(TextQuery clause) {
      addTo(mustNot, clause);
    }

    private void addTo(Set<TextQuery> clauses, TextQuery clause) {
      if (!(clause instanceof TextQuery.None)) {
        clauses.add(clause);
      }
    }

    TextQuery build() {
      if (must.isEmpty() && should.isEmpty()) {
        return new TextQuery.None();
      }
      if (!whole && mustNot.isEmpty() && must.size() + should.size() == 1) {
        return must.isEmpty() ? should.iterator().next() : must.iterator().next();
      }
      return new TextQuery.Bool(
          new ArrayList<>(must), new ArrayList<>(should), new ArrayList<>(mustNot));
    }
  }
}
