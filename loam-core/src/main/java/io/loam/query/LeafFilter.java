package io.loam.query;

import io.loam.column.Filters;
import io.loam.column.Predicate;
import io.loam.doc.DocSet;
import io.loam.leaf.Leaf;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which live documents of each leaf a predicate allows. */
final class LeafFilter {
  private final int keyField;

  LeafFilter(int keyField) {
    this.keyField = keyField;
  }

  List<DocSet> allowed(List<Leaf> leaves, Optional<Predicate> predicate) {
    List<DocSet> sets = new ArrayList<>(leaves.size());
    for (Leaf leaf : leaves) {
      sets.add(predicate.map(p -> leaf.live().and(matching(leaf, p))).orElse(leaf.live()));
    }
    return sets;
  }

  private DocSet matching(Leaf leaf, Predicate predicate) {
    Optional<Object> key = wantedKey(predicate);
    if (key.isEmpty()) {
      return Filters.evaluate(predicate, leaf, leaf.documentCount());
    }
    long[] words = new long[DocSet.wordCount(leaf.documentCount())];
    leaf.keys().find(key.get(), doc -> words[doc >>> 6] |= 1L << doc);
    DocSet withKey = DocSet.ofWords(words, leaf.documentCount());
    if (predicate instanceof Predicate.Compare || withKey.cardinality() == 0) {
      return withKey;
    }
    return withKey.and(Filters.evaluate(predicate, leaf, leaf.documentCount()));
  }

  /** The one key that documents must have for the predicate to be true, if it names one. */
  private Optional<Object> wantedKey(Predicate predicate) {
    if (predicate instanceof Predicate.Compare c
        && c.fieldNumber() == keyField
        && c.op() == Predicate.Op.EQ) {
      return Optional.of(c.value());
    }
    if (predicate instanceof Predicate.And and) {
      return and.all().stream().map(this::wantedKey).flatMap(Optional::stream).findFirst();
    }
    return Optional.empty();
  }
}
