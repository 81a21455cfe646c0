package io.loam.index;

import io.loam.commit.CommitQueue;
import io.loam.commit.Landing;
import io.loam.commit.NextVersion;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.manifest.StoredManifest;
import io.loam.manifest.VectorIndexRef;
import io.loam.manifest.Versioned;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Brings changes of indexes onto the head. */
final class SegmentCommit {
  private static final int ATTEMPTS = 20;

  private final Metastore metastore;
  private final NextVersion versions;
  private final CommitQueue queue;

  SegmentCommit(Metastore metastore, NextVersion versions, CommitQueue queue) {
    this.metastore = metastore;
    this.versions = versions;
    this.queue = queue;
  }

  /** Gives the change as it may be made on a head, with files that its gc epoch allows. */
  interface Changes {
    SegmentChange at(Head head);
  }

  /**
   * The version that has the change, or nothing where it cannot be made any more.
   *
   * @param check of every head before it is swapped
   */
  Optional<Long> commit(Manifest.CommitKind kind, Changes changes, Consumer<Head> check) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Versioned<Head> head = metastore.head();
      Manifest base = metastore.readManifest(head.value().manifestPath());
      Attempt change = new Attempt(kind, changes.at(head.value()), check);
      Optional<Long> version = queue.alone(() -> new Landing(metastore, change).land(head, base));
      if (version.isPresent() || change.refused) {
        return version;
      }
    }
    throw new LoamException(
        ErrorCode.CONFLICT, "an index could not be changed beside so many others; try again");
  }

  private final class Attempt implements Landing.Change {
    private final Manifest.CommitKind kind;
    private final SegmentChange change;
    private final Consumer<Head> check;
    private boolean refused;

    Attempt(Manifest.CommitKind kind, SegmentChange change, Consumer<Head> check) {
      this.kind = kind;
      this.change = change;
      this.check = check;
    }

    @Override
    public void check(Head head) {
      check.accept(head);
    }

    @Override
    public Optional<StoredManifest> write(String basePath, Manifest base) {
      Optional<List<VectorIndexRef>> indexes = change.apply(base);
      refused = indexes.isEmpty();
      return indexes.map(changed -> versions.write(basePath, base, kind, changed, List.of()));
    }

    @Override
    public boolean isOvertaken(List<Manifest> since) {
      return false; // writing tells whether the change still fits
    }
  }
}
