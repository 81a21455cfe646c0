package io.loam.text;

import io.loam.doc.DocSet;
import io.loam.text.CompiledQuery.BoolNode;
import io.loam.text.CompiledQuery.Node;
import io.loam.text.CompiledQuery.Occur;
import io.loam.text.CompiledQuery.TermsNode;
import io.loam.text.MemoryTokens.Postings;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Finds the documents that can match, and perhaps more, by the postings of tokens in memory. */
final class PostingCandidates {
  private final LeafQuery leaf;

  PostingCandidates(LeafQuery leaf) {
    this.leaf = leaf;
  }

  DocSet of(Node node) {
    long[] words = new long[DocSet.wordCount(leaf.documentCount)];
    add(node, words);
    return DocSet.ofWords(words, leaf.documentCount);
  }

  private void add(Node node, long[] words) {
    if (leaf.mostMatches(node) == 0) {
      return;
    }
    if (node instanceof TermsNode terms) {
      addRarest(terms, words);
    } else if (node instanceof BoolNode bool) {
      if (bool.hasMust()) {
        add(rarest(bool), words);
      } else {
        clauses(bool, Occur.SHOULD).forEach(i -> add(bool.clauses().get(i), words));
      }
    }
  }

  private Node rarest(BoolNode bool) {
    return clauses(bool, Occur.MUST)
        .mapToObj(i -> bool.clauses().get(i))
        .min(Comparator.comparingInt(leaf::mostMatches))
        .orElseThrow();
  }

  private static IntStream clauses(BoolNode bool, Occur occur) {
    return IntStream.range(0, bool.clauses().size()).filter(i -> bool.occurs().get(i) == occur);
  }

  private void addRarest(TermsNode terms, long[] words) {
    if (leaf.readers[terms.field()] instanceof MemoryTokens tokens) {
      int code =
          IntStream.of(terms.slots())
              .map(slot -> leaf.codes[slot])
              .boxed()
              .min(Comparator.comparingInt(tokens::documentFrequency))
              .orElseThrow();
      Postings postings = tokens.postings();
      for (int i = postings.starts()[code]; i < postings.starts()[code + 1]; i++) {
        int doc = postings.docs()[i];
        words[doc >>> 6] |= 1L << doc;
      }
    }
  }
}
