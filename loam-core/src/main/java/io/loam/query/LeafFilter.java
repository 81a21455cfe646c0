package io.loam.query;

import io.loam.column.Filters;
import io.loam.column.KeyIndex;
import io.loam.column.Predicate;
import io.loam.doc.DocSet;
import io.loam.leaf.Leaf;
import io.loam.leaf.OpenVersion;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Which live documents of each leaf a predicate allows. */
final class LeafFilter {
  /** A key costs about as much to look up as this many documents to compare. */
  private static final int LOOKUP_DOCUMENTS = 8;

  /** So many documents are tested in the time that another step takes for one. */
  private static final int TESTED_PER_DOCUMENT = 16;

  private final OpenVersion version;
  private final int keyField;

  LeafFilter(OpenVersion version) {
    this.version = version;
    this.keyField = version.schema().keyField();
  }

  /** By leaf. */
  List<DocSet> allowed(Optional<Predicate> predicate) {
    List<Leaf> leaves = version.leaves();
    if (predicate.isEmpty()) {
      return leaves.stream().map(Leaf::live).toList();
    }
    Optional<KeyIndex.Wanted> keys = wantedKeys(predicate.get()).map(KeyIndex.Wanted::of);
    Filters filters = Filters.of(predicate.get());
    boolean shared = Filters.isOfColumns(predicate.get());
    return LeafWork.map(
        leaves.size(),
        leaf -> shared ? leaves.get(leaf).documentCount() / TESTED_PER_DOCUMENT : 0,
        leaf -> leaves.get(leaf).live().and(matching(leaf, predicate.get(), filters, keys)));
  }

  private DocSet matching(
      int ordinal, Predicate predicate, Filters filters, Optional<KeyIndex.Wanted> keys) {
    Leaf leaf = version.leaves().get(ordinal);
    LeafView view = new LeafView(version, ordinal);
    int documents = leaf.documentCount();
    if (keys.isEmpty() || (long) keys.get().size() * LOOKUP_DOCUMENTS > documents) {
      return filters.evaluate(view, leaf.live());
    }
    long[] words = new long[DocSet.wordCount(documents)];
    leaf.keys().find(keys.get(), (key, doc) -> words[doc >>> 6] |= 1L << doc);
    DocSet withKey = DocSet.ofWords(words, documents);
    return predicate instanceof Predicate.And && withKey.cardinality() > 0
        ? withKey.and(filters.evaluate(view, withKey.and(leaf.live())))
        : withKey;
  }

  /** Keys, one of which documents must have for the predicate to be true, if it names such. */
  private Optional<List<Object>> wantedKeys(Predicate predicate) {
    if (predicate instanceof Predicate.Compare c
        && c.fieldNumber() == keyField
        && c.op() == Predicate.Op.EQ) {
      return keys(List.of(c.value()));
    }
    if (predicate instanceof Predicate.In in && in.fieldNumber() == keyField) {
      return keys(in.values());
    }
    if (predicate instanceof Predicate.And and) {
      return and.all().stream().map(this::wantedKeys).flatMap(Optional::stream).findFirst();
    }
    return Optional.empty();
  }

  /** Values that all have the class of keys; a number of another class is not looked up. */
  private static Optional<List<Object>> keys(List<Object> values) {
    return values.stream()
            .allMatch(v -> v instanceof Long || v instanceof String || v instanceof UUID)
        ? Optional.of(values)
        : Optional.empty();
  }
}
