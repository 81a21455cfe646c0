package io.loam.query;

import io.loam.column.KeyIndex;
import io.loam.commit.KeyLookup;
import io.loam.leaf.Leaf;
import io.loam.leaf.OpenVersion;
import io.loam.leaf.VersionOpener;
import io.loam.schema.Key;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Looks keys up in the key columns of a version's leaves. */
public final class VersionKeyLookup implements KeyLookup {
  private final VersionOpener opener;
  private final OpenVersion version;
  private final int keyField;

  public VersionKeyLookup(VersionOpener opener, OpenVersion version) {
    this.opener = opener;
    this.version = version;
    this.keyField = version.schema().keyField();
  }

  @Override
  public Map<Key, Long> rowIds(Set<Key> keys) {
    Map<Key, Long> found = new HashMap<>();
    if (keys.isEmpty()) {
      return found;
    }
    Set<Object> values = new HashSet<>();
    keys.forEach(k -> values.add(k.value()));
    KeyIndex.Wanted wanted = KeyIndex.Wanted.of(values);
    for (Leaf leaf : version.leaves()) {
      leaf.keys()
          .find(
              wanted,
              (value, doc) -> {
                if (leaf.live().contains(doc)) {
                  found.put(Key.ofValue(value), leaf.rowId(doc));
                }
              });
    }
    return found;
  }

  @Override
  public Map<Long, Key> keys(Set<Long> rowIds) {
    Map<Long, Key> found = new HashMap<>();
    for (Leaf leaf : version.leaves()) {
      for (long rowId : rowIds) {
        int doc = leaf.doc(rowId);
        if (doc >= 0 && leaf.live().contains(doc)) {
          Object value = leaf.column(keyField).orElseThrow().value(doc);
          if (value != null) {
            found.put(rowId, Key.ofValue(value));
          }
        }
      }
    }
    return found;
  }

  @Override
  public void close() {
    opener.release(version);
  }
}
