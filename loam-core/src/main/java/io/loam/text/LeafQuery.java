package io.loam.text;

import io.loam.text.CompiledQuery.BoolNode;
import io.loam.text.CompiledQuery.Node;
import io.loam.text.CompiledQuery.NoneNode;
import io.loam.text.CompiledQuery.Occur;
import io.loam.text.CompiledQuery.TermsNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A query against one leaf: term codes, how many documents can match, and the native query. */
final class LeafQuery {
  /** Relative error of one f32 operation: native scores add one clause after another. */
  private static final double FLOAT_ERROR = 0x1p-23;

  /** Operations behind one native clause's score, generously. */
  private static final int FLOAT_OPERATIONS = 16;

  final CompiledQuery query;
  final int documentCount;

  /** By place of the field; null where the leaf has no such field. */
  final @Nullable TokenReader[] readers;

  /** By slot, or -1. */
  final int[] codes;

  /** By node: no more documents match. */
  private final int[] mostMatches;

  private boolean nativeScores = true;

  LeafQuery(CompiledQuery query, TextLeaf leaf) {
    this.query = query;
    this.documentCount = leaf.documentCount();
    this.readers = new TokenReader[query.fields.length];
    for (int field = 0; field < readers.length; field++) {
      readers[field] = leaf.tokens(query.fields[field]).orElse(null);
    }
    this.codes = new int[query.slots.size()];
    for (int slot = 0; slot < codes.length; slot++) {
      TokenReader reader = readers[query.slots.get(slot).field()];
      codes[slot] = reader == null ? -1 : reader.termCode(query.slots.get(slot).term());
    }
    this.mostMatches = new int[query.nodes.size()];
    for (Node node : query.nodes) {
      mostMatches[node.ordinal()] = countMost(node);
    }
  }

  /** No more documents match, deleted ones included; 0 where none can. */
  int mostMatches(Node node) {
    return mostMatches[node.ordinal()];
  }

  private int countMost(Node node) {
    if (node instanceof TermsNode terms) {
      int most = documentCount;
      for (int slot : terms.slots()) {
        most = Math.min(most, documentFrequency(slot));
      }
      return most;
    }
    if (node instanceof BoolNode bool) {
      long most = bool.hasMust() ? documentCount : 0;
      for (int i = 0; i < bool.clauses().size(); i++) {
        int ofClause = mostMatches(bool.clauses().get(i));
        if (bool.occurs().get(i) == Occur.MUST) {
          most = Math.min(most, ofClause);
        } else if (bool.occurs().get(i) == Occur.SHOULD && !bool.hasMust()) {
          most += ofClause;
        }
      }
      return (int) Math.min(most, documentCount);
    }
    return 0;
  }

  private int documentFrequency(int slot) {
    TokenReader reader = readers[query.slots.get(slot).field()];
    return reader == null || codes[slot] < 0 ? 0 : reader.documentFrequency(codes[slot]);
  }

  /** No document's score is greater. */
  double greatestScore(Node node) {
    if (mostMatches(node) == 0) {
      return 0;
    }
    if (node instanceof TermsNode terms) {
      return terms.weight();
    }
    double sum = 0;
    if (node instanceof BoolNode bool) {
      for (int i = 0; i < bool.clauses().size(); i++) {
        if (bool.occurs().get(i) != Occur.MUST_NOT) {
          sum += greatestScore(bool.clauses().get(i));
        }
      }
    }
    return sum;
  }

  /** Mean tokens of a document, over all fields that the query reads. */
  double tokensPerDocument() {
    double tokens = 0;
    for (TokenReader reader : readers) {
      tokens += reader == null ? 0 : reader.totalTokens();
    }
    return tokens / documentCount;
  }

  /**
   * No document's exact score is greater than its native score times this. Both formulas differ
   * only in the mean length; the quotient of a term's two scores is monotone in tf and in dl, so
   * that it is greatest at an end of each, and a quotient of sums is no greater than the greatest
   * quotient of their terms.
   */
  double exactByNative() {
    double greatest = 1;
    for (int field = 0; field < readers.length; field++) {
      TokenReader reader = readers[field];
      if (reader == null || reader.totalTokens() == 0) {
        continue;
      }
      double nativeAverage = (double) reader.totalTokens() / documentCount;
      for (int length : new int[] {1, reader.longestDocument()}) {
        double exactNorm = query.formula.norm(length, query.averageLengths[field]);
        double nativeNorm = Bm25.DEFAULT.norm(length, nativeAverage);
        greatest = Math.max(greatest, (1 + nativeNorm) / (1 + exactNorm));
      }
    }
    return greatest * (1 + (query.nodes.size() + FLOAT_OPERATIONS) * FLOAT_ERROR);
  }

  /**
   * The query whose native scores approximate the exact ones, or nothing where f32 cannot or no
   * document can match.
   */
  Optional<TextQuery> nativeQuery() {
    TextQuery made = toNative(query.root);
    return nativeScores ? Optional.ofNullable(made) : Optional.empty();
  }

  private @Nullable TextQuery toNative(Node node) {
    if (mostMatches(node) == 0 || node instanceof NoneNode) {
      return null;
    }
    if (node instanceof TermsNode terms) {
      return toNative(terms);
    }
    BoolNode bool = (BoolNode) node;
    List<TextQuery> must = clauses(bool, Occur.MUST);
    List<TextQuery> should = clauses(bool, Occur.SHOULD);
    List<TextQuery> mustNot = clauses(bool, Occur.MUST_NOT);
    if (mustNot.isEmpty() && must.size() + should.size() == 1) {
      return must.isEmpty() ? should.get(0) : must.get(0);
    }
    return new TextQuery.Bool(must, should, mustNot);
  }

  private TextQuery toNative(TermsNode node) {
    float nativeIdf = 0;
    List<String> terms = new ArrayList<>();
    for (int slot : node.slots()) {
      nativeIdf += Bm25.nativeIdf(documentCount, documentFrequency(slot));
      terms.add(query.slots.get(slot).term());
    }
    if (!(nativeIdf > 0)) {
      nativeScores = false;
    }
    double boost = node.boost() * node.idf() / nativeIdf;
    int fieldNumber = query.fields[node.field()];
    return terms.size() == 1
        ? new TextQuery.Term(fieldNumber, terms.get(0), boost)
        : new TextQuery.Phrase(fieldNumber, terms, boost);
  }

  /** Rarest first. */
  private List<TextQuery> clauses(BoolNode bool, Occur occur) {
    List<Node> wanted = new ArrayList<>();
    for (int i = 0; i < bool.clauses().size(); i++) {
      if (bool.occurs().get(i) == occur) {
        wanted.add(bool.clauses().get(i));
      }
    }
    wanted.sort(Comparator.comparingInt(this::mostMatches));
    List<TextQuery> made = new ArrayList<>();
    for (Node node : wanted) {
      TextQuery clause = toNative(node);
      if (clause != null) {
        made.add(clause);
      }
    }
    return made;
  }

  /** True where all the query's fields are in memory. */
  boolean hasPostings() {
    return Arrays.stream(readers).allMatch(r -> r == null || r instanceof MemoryTokens);
  }
}
