package io.loam.text;

import io.loam.doc.DocSet;
import io.loam.text.CompiledQuery.BoolNode;
import io.loam.text.CompiledQuery.Node;
import io.loam.text.CompiledQuery.Occur;
import io.loam.text.CompiledQuery.PatternNode;
import io.loam.text.CompiledQuery.TermsNode;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Finds the documents that can match, and perhaps more, by postings. */
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
      leaf.cursor(leaf.rarestSlot(terms)).addTo(words);
    } else if (node instanceof PatternNode pattern) {
      long[] found = leaf.docs(pattern).words();
      for (int i = 0; i < words.length; i++) {
        words[i] |= found[i];
      }
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
}
