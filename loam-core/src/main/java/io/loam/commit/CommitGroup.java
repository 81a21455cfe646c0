package io.loam.commit;

import io.loam.manifest.FileRef;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.manifest.StoredManifest;
import io.loam.manifest.Versioned;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;

/** Batches that have no key in common, on their way onto the head as one version. Used once. */
final class CommitGroup implements Landing.Change {
  private final Metastore metastore;
  private final KeyDeltas deltas;
  private final IdReserve ids;
  private final CommitStorage storage;
  private final NextVersion versions;
  private final List<PreparedBatch> batches;

  CommitGroup(
      Metastore metastore,
      KeyDeltas deltas,
      IdReserve ids,
      CommitStorage storage,
      NextVersion versions,
      List<PreparedBatch> batches) {
    this.metastore = metastore;
    this.deltas = deltas;
    this.ids = ids;
    this.storage = storage;
    this.versions = versions;
    this.batches = new ArrayList<>(batches);
  }

  /** Versions of the batches that landed, by identity; the others must be resolved again. */
  IdentityHashMap<PreparedBatch, Long> land() {
    Versioned<Head> head = newestHead();
    Manifest base = metastore.readManifest(head.value().manifestPath());
    batches.removeIf(batch -> !canFollow(batch, head.value(), base));
    IdentityHashMap<PreparedBatch, Long> landed = new IdentityHashMap<>();
    if (!batches.isEmpty()) {
      new Landing(metastore, this)
          .land(head, base)
          .ifPresent(version -> batches.forEach(batch -> landed.put(batch, version)));
    }
    return landed;
  }

  private Versioned<Head> newestHead() {
    Versioned<Head> newest = batches.get(0).head();
    for (PreparedBatch batch : batches) {
      if (batch.head().value().version() > newest.value().version()) {
        newest = batch.head();
      }
    }
    return metastore.newestKnown(newest);
  }

  private boolean canFollow(PreparedBatch batch, Head head, Manifest base) {
    return head.gcEpoch() == batch.head().value().gcEpoch()
        && base.schemaVersion() == batch.schema().version()
        && Chain.isRetained(batch.base().version(), head)
        && isUntouched(batch, Chain.since(metastore, base, batch.base().version()));
  }

  /** Whether no other commit changed what a batch changes or found absent. */
  private boolean isUntouched(PreparedBatch batch, List<Manifest> since) {
    return since.stream().allMatch(m -> deltas.read(m).firstOf(batch.keys()).isEmpty());
  }

  @Override
  public boolean isOvertaken(List<Manifest> since) {
    batches.removeIf(batch -> !isUntouched(batch, since));
    return batches.isEmpty();
  }

  @Override
  public Optional<StoredManifest> write(String basePath, Manifest base) {
    CommitStorage.Contents contents =
        storage.apply(
            base,
            batches.get(0).schema(),
            batches.stream().flatMap(b -> b.written().stream()).toList(),
            batches.stream()
                .flatMap(b -> b.resolved().removed().keySet().stream())
                .mapToLong(Long::longValue)
                .sorted()
                .toArray(),
            () -> ids.fragment(base));
    FileRef delta = deltas.stage(base.version() + 1, keyDelta());
    long endRowId = batches.stream().mapToLong(PreparedBatch::endRowId).max().orElse(0);
    return Optional.of(
        versions.write(
            basePath, base, Manifest.CommitKind.WRITE, contents, endRowId, Optional.of(delta)));
  }

  private KeyDelta keyDelta() {
    return new KeyDelta(
        batches.stream()
            .flatMap(b -> b.changes().stream())
            .sorted(Comparator.comparing(KeyDelta.Entry::key))
            .toList());
  }
}
