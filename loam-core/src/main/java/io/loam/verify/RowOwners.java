package io.loam.verify;

import io.loam.manifest.RowIdRange;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which split or file of the tail has a row id; finds row ids that two of them have. */
final class RowOwners {
  private record Owner(RowIdRange range, String object, @Nullable CheckedSplit split) {}

  private final Findings findings;
  private final TreeMap<Long, Owner> owners = new TreeMap<>();

  RowOwners(Findings findings) {
    this.findings = findings;
  }

  void addSplit(CheckedSplit split) {
    split.rowIds().forEach(range -> add(new Owner(range, split.object(), split)));
  }

  void addTail(String object, RowIdRange range) {
    add(new Owner(range, object, null));
  }

  private void add(Owner owner) {
    Map.Entry<Long, Owner> before = owners.lowerEntry(owner.range.end());
    if (before != null && before.getValue().range.end() > owner.range.start()) {
      findings.add(
          owner.object,
          "row ids of another object",
          "rowIds=%d-%d, other=%s"
              .formatted(owner.range.start(), owner.range.end() - 1, before.getValue().object));
    }
    owners.put(owner.range.start(), owner);
  }

  /** The split that has a row's document. */
  Optional<CheckedSplit> splitOf(long rowId) {
    return Optional.ofNullable(owners.floorEntry(rowId))
        .map(Map.Entry::getValue)
        .filter(owner -> owner.range.contains(rowId))
        .map(Owner::split);
  }
}
