package io.loam.verify;

import io.loam.manifest.RowIdRange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Finds the leaf that holds a row id, and finds row ids that two leaves hold. */
final class LeafMap {
  private record Entry(RowIdRange range, CheckedLeaf leaf) {}

  private final TreeMap<Long, Entry> entries = new TreeMap<>();

  LeafMap(List<CheckedLeaf> leaves, Findings findings) {
    for (CheckedLeaf leaf : leaves) {
      for (RowIdRange range : leaf.rowIds()) {
        Map.Entry<Long, Entry> before = entries.lowerEntry(range.end());
        if (before != null && before.getValue().range.end() > range.start()) {
          findings.add(
              leaf.object(),
              "row ids of another leaf",
              "rowIds=%d-%d, other=%s"
                  .formatted(range.start(), range.end() - 1, before.getValue().leaf.object()));
        }
        entries.put(range.start(), new Entry(range, leaf));
      }
    }
  }

  Optional<CheckedLeaf> leafOf(long rowId) {
    return Optional.ofNullable(entries.floorEntry(rowId))
        .map(Map.Entry::getValue)
        .filter(entry -> entry.range.contains(rowId))
        .map(Entry::leaf);
  }
}
