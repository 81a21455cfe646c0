package io.loam;

import io.loam.error.LoamException;
import io.loam.index.IndexBuilds;
import io.loam.leaf.OpenVersion;
import io.loam.leaf.VersionOpener;
import io.loam.maintain.ReaderPins;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.manifest.StoredManifest;
import io.loam.query.SnapshotOwner;
import io.loam.schema.CollectionSchema;

/** Versions of one collection that are held open, and pinned, for those who read them. */
final class HeldVersions implements AutoCloseable {
  private final Metastore metastore;
  private final VersionOpener versions;
  private final ReaderPins pins;
  private final HeadReads reads;

  HeldVersions(Metastore metastore, VersionOpener versions, ReaderPins pins, HeadReads reads) {
    this.metastore = metastore;
    this.versions = versions;
    this.pins = pins;
    this.reads = reads;
  }

  Held hold(StoredManifest stored) {
    return new Held(stored);
  }

  /** A version that stays open until {@link #closed}. */
  final class Held implements SnapshotOwner {
    private final long number;
    private final OpenVersion version;
    private final ReaderPins.Reader reader;

    private Held(StoredManifest stored) {
      Manifest manifest = stored.manifest();
      this.number = manifest.version();
      this.reader = pins.open(number, stored.path());
      try {
        CollectionSchema schema = metastore.readSchema(manifest.schemaPath());
        this.version = versions.acquire(manifest, schema);
      } catch (RuntimeException | Error e) {
        reader.close();
        throw e;
      }
    }

    OpenVersion version() {
      return version;
    }

    @Override
    public LoamException explain(LoamException failure) {
      return reads.explained(failure, number);
    }

    @Override
    public void closed() {
      versions.release(version);
      reader.close();
    }
  }

  /** The version of a head, pinned at once and until it is closed. */
  IndexBuilds.Pinned holdLong(Head head) {
    StoredManifest stored = reads.finder().latest(head);
    ReaderPins.Reader reader = pins.openLong(stored.manifest().version(), stored.path());
    try {
      return new Pinned(stored.path(), hold(stored), reader);
    } catch (RuntimeException | Error e) {
      reader.close();
      throw e;
    }
  }

  private record Pinned(String manifestPath, Held held, ReaderPins.Reader reader)
      implements IndexBuilds.Pinned {
    @Override
    public OpenVersion version() {
      return held.version();
    }

    @Override
    public void close() {
      held.closed();
      reader.close();
    }
  }

  @Override
  public void close() {
    pins.close();
    versions.close();
  }
}
