package io.loam.text;

import io.loam.doc.DocSet;
import io.loam.text.CompiledQuery.BoolNode;
import io.loam.text.CompiledQuery.Node;
import io.loam.text.CompiledQuery.Occur;
import io.loam.text.CompiledQuery.PatternNode;
import io.loam.text.CompiledQuery.TermsNode;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A query against one leaf: term codes, postings, and how many documents can match. */
final class LeafQuery {
  final CompiledQuery query;
  final int documentCount;

  /** By place of the field; null where the leaf has no such field. */
  final @Nullable TokenReader[] readers;

  /** By slot, or -1. */
  final int[] codes;

  /** By node, for patterns. */
  private final @Nullable BitSet[] patternCodes;

  /** By node: no more documents match. */
  private final int[] mostMatches;

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
    this.patternCodes = new BitSet[query.nodes.size()];
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
    if (node instanceof PatternNode pattern) {
      return countPattern(pattern);
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

  private int countPattern(PatternNode node) {
    TokenReader reader = readers[node.field()];
    if (reader == null) {
      return 0;
    }
    BitSet found = node.matcher().codes(reader);
    patternCodes[node.ordinal()] = found;
    long most = found.stream().mapToLong(reader::documentFrequency).sum();
    return (int) Math.min(most, documentCount);
  }

  /** The codes of the terms that a pattern describes; the leaf has its field. */
  BitSet codes(PatternNode node) {
    return Objects.requireNonNull(patternCodes[node.ordinal()]);
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
    if (node instanceof PatternNode pattern) {
      return pattern.boost();
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
   * No document's exact score of a term in a field is greater than its score by this leaf's own
   * mean length times this. The quotient of the two is monotone in tf and in dl, so that it is
   * greatest at an end of each.
   */
  double exactByOwnStatistics(int field) {
    TokenReader reader = reader(field);
    double ownAverage = (double) reader.totalTokens() / documentCount;
    double greatest = 1;
    for (int length : new int[] {1, reader.longestDocument()}) {
      double exactNorm = query.formulas.get(field).norm(length, query.averageLengths[field]);
      double ownNorm = Bm25.DEFAULT.norm(length, ownAverage);
      greatest = Math.max(greatest, (1 + ownNorm) / (1 + exactNorm));
    }
    return greatest;
  }

  /** The tokens of a field that this leaf has. */
  TokenReader reader(int field) {
    return Objects.requireNonNull(readers[field]);
  }

  /** The term that fewest documents have. */
  int rarestSlot(TermsNode node) {
    return Arrays.stream(node.slots())
        .boxed()
        .min(Comparator.comparingInt(this::documentFrequency))
        .orElseThrow();
  }

  /** The documents that have a term which a pattern describes. */
  DocSet docs(PatternNode node) {
    long[] words = new long[DocSet.wordCount(documentCount)];
    TokenReader reader = reader(node.field());
    codes(node).stream().forEach(code -> new PostingCursor(reader.postings(code)).addTo(words));
    return DocSet.ofWords(words, documentCount);
  }

  /** The postings of a term that some document has. */
  PostingCursor cursor(int slot) {
    return new PostingCursor(reader(query.slots.get(slot).field()).postings(codes[slot]));
  }
}
