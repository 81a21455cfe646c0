package io.loam.commit;

import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Versioned;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Key;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A batch that is resolved against one version and whose rows are written, once, whatever heads it
 * is tried on.
 *
 * @param keys that it changes or found absent, but for those that were made for it
 * @param head that named {@code base}
 * @param rows what it adds
 */
record PreparedBatch(
    ResolvedBatch resolved,
    Set<Key> keys,
    CollectionSchema schema,
    Versioned<Head> head,
    Manifest base,
    List<NewRow> rows,
    Optional<CommitStorage.PreparedRows> written) {

  /** What it changes, in no order. */
  List<KeyDelta.Entry> changes() {
    Map<Key, Long> before = new HashMap<>();
    resolved.removed().forEach((rowId, key) -> before.put(key, rowId));
    List<KeyDelta.Entry> entries = new ArrayList<>();
    for (NewRow row : rows) {
      Long previous = before.remove(row.key());
      entries.add(new KeyDelta.Entry(row.key(), row.rowId(), previous == null ? 0 : previous));
    }
    before.forEach((key, rowId) -> entries.add(new KeyDelta.Entry(key, 0, rowId)));
    return entries;
  }

  /** First row id after its own, or 0 if it adds none. */
  long endRowId() {
    return rows.isEmpty() ? 0 : rows.get(rows.size() - 1).rowId() + 1;
  }
}
