package io.loam.query;

import io.loam.doc.DocSet;
import io.loam.doc.Hit;
import io.loam.leaf.Leaf;
import java.util.ArrayList;
import java.util.List;

/** Hits as sets of documents. */
final class HitSets {
  private HitSets() {}

  /** The hits' documents by leaf. */
  static List<DocSet> of(List<Hit> hits, List<Leaf> leaves) {
    List<long[]> words = new ArrayList<>();
    leaves.forEach(l -> words.add(new long[DocSet.wordCount(l.documentCount())]));
    hits.forEach(h -> words.get(h.leaf())[h.doc() >>> 6] |= 1L << h.doc());
    List<DocSet> sets = new ArrayList<>();
    for (int i = 0; i < leaves.size(); i++) {
      sets.add(DocSet.ofWords(words.get(i), leaves.get(i).documentCount()));
    }
    return sets;
  }
}
