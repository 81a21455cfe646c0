package io.loam.text;

import io.loam.doc.DocSet;
import io.loam.text.CompiledQuery.BoolNode;
import io.loam.text.CompiledQuery.Node;
import io.loam.text.CompiledQuery.Occur;
import io.loam.text.CompiledQuery.PatternNode;
import io.loam.text.CompiledQuery.TermsNode;
import org.jspecify.annotations.Nullable;

/** Finds all documents of a leaf that match, by postings; only phrases need tokens. */
final class PostingMatches {
  private final LeafQuery leaf;
  private final int documents;
  private @Nullable LeafScorer scorer;

  PostingMatches(LeafQuery leaf) {
    this.leaf = leaf;
    this.documents = leaf.documentCount;
  }

  /** Deleted documents may be among them. */
  DocSet all() {
    return of(leaf.query.root);
  }

  private DocSet of(Node node) {
    if (leaf.mostMatches(node) == 0) {
      return DocSet.none(documents);
    }
    if (node instanceof TermsNode terms) {
      return terms.slots().length == 1 ? withTerm(terms.slots()[0]) : withPhrase(terms);
    }
    if (node instanceof PatternNode pattern) {
      return leaf.docs(pattern);
    }
    return node instanceof BoolNode bool ? of(bool) : DocSet.none(documents);
  }

  private DocSet withTerm(int slot) {
    long[] words = new long[DocSet.wordCount(documents)];
    leaf.cursor(slot).addTo(words);
    return DocSet.ofWords(words, documents);
  }

  private DocSet withPhrase(TermsNode phrase) {
    DocSet all = DocSet.all(documents);
    for (int slot : phrase.slots()) {
      all = all.and(withTerm(slot));
    }
    return scored(all, phrase);
  }

  private DocSet of(BoolNode bool) {
    DocSet result = DocSet.all(documents);
    long[] some = new long[DocSet.wordCount(documents)];
    for (int i = 0; i < bool.clauses().size(); i++) {
      Occur occur = bool.occurs().get(i);
      if (occur == Occur.SHOULD && bool.leastShould() == 0) {
        continue;
      }
      DocSet matches = of(bool.clauses().get(i));
      switch (occur) {
        case MUST -> result = result.and(matches);
        case MUST_NOT -> result = result.andNot(matches);
        case SHOULD -> {
          for (int w = 0; w < some.length; w++) {
            some[w] |= matches.words()[w];
          }
        }
      }
    }
    if (bool.leastShould() > 0) {
      result = result.and(DocSet.ofWords(some, documents));
    }
    return bool.leastShould() > 1 ? scored(result, bool) : result;
  }

  /** Those of the candidates that match a clause by their tokens. */
  private DocSet scored(DocSet candidates, Node node) {
    if (scorer == null) {
      scorer = new LeafScorer(leaf);
    }
    LeafScorer tokens = scorer;
    long[] words = new long[DocSet.wordCount(documents)];
    candidates.forEach(
        doc -> {
          if (tokens.score(doc, node) != LeafScorer.NO_MATCH) {
            words[doc >>> 6] |= 1L << doc;
          }
        });
    return DocSet.ofWords(words, documents);
  }
}
