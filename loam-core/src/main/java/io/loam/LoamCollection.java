package io.loam;

import io.loam.commit.CommitResult;
import io.loam.commit.Committer;
import io.loam.commit.KeyLookup;
import io.loam.commit.WriteBatch;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.leaf.CollectionFiles;
import io.loam.leaf.VersionOpener;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.query.Snapshot;
import io.loam.query.VersionKeyLookup;
import io.loam.query.VersionSnapshot;
import io.loam.query.VersionSpec;
import io.loam.schema.CollectionSchema;
import io.loam.write.NativeStorage;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** A collection of an open warehouse. */
final class LoamCollection implements Collection, AutoCloseable {
  private final CollectionName name;
  private final Metastore metastore;
  private final VersionOpener versions;
  private final Committer committer;

  LoamCollection(
      CollectionName name, Metastore metastore, CollectionFiles files, Executor executor) {
    this.name = name;
    this.metastore = metastore;
    this.versions = new VersionOpener(files);
    KeyLookup.Opener lookups =
        (manifest, schema) -> new VersionKeyLookup(versions, versions.acquire(manifest, schema));
    this.committer =
        new Committer(
            files.store(),
            metastore,
            new NativeStorage(files, versions, executor),
            lookups,
            Clock.systemUTC());
  }

  @Override
  public CollectionName name() {
    return name;
  }

  @Override
  public CollectionSchema schema() {
    return schema(new VersionSpec.Latest());
  }

  @Override
  public CollectionSchema schema(VersionSpec version) {
    return metastore.readSchema(manifest(version).schemaPath());
  }

  @Override
  public Snapshot snapshot(VersionSpec version) {
    Manifest manifest = manifest(version);
    CollectionSchema schema = metastore.readSchema(manifest.schemaPath());
    return new VersionSnapshot(versions, versions.acquire(manifest, schema));
  }

  @Override
  public CommitResult commit(WriteBatch batch) {
    return committer.commit(batch);
  }

  @Override
  public List<Manifest> manifests() {
    List<Manifest> chain = new ArrayList<>();
    for (Manifest m = latest(); ; m = metastore.readManifest(m.parentPath())) {
      chain.add(m);
      if (m.parentVersion() == 0) {
        return chain;
      }
    }
  }

  private Manifest latest() {
    return metastore.readManifest(metastore.head().value().manifestPath());
  }

  private Manifest manifest(VersionSpec spec) {
    if (spec instanceof VersionSpec.Latest) {
      return latest();
    }
    if (spec instanceof VersionSpec.At at) {
      return at(at.version());
    }
    if (spec instanceof VersionSpec.AsOf asOf) {
      return asOf(asOf);
    }
    VersionSpec.Tag tag = (VersionSpec.Tag) spec;
    Head head = metastore.head().value();
    Long version = head.tags().get(tag.name());
    if (version == null) {
      throw new LoamException(
          ErrorCode.UNKNOWN_VERSION,
          "no such tag: collection="
              + name
              + ", tag="
              + tag.name()
              + ", tags="
              + head.tags().keySet()
              + "; name one of them");
    }
    return at(version);
  }

  private Manifest at(long version) {
    Manifest newest = latest();
    for (Manifest m = newest;
        m.version() >= version && version >= 1;
        m = metastore.readManifest(m.parentPath())) {
      if (m.version() == version) {
        return m;
      }
    }
    throw new LoamException(
        ErrorCode.UNKNOWN_VERSION,
        "no such version: collection="
            + name
            + ", version="
            + version
            + ", newest="
            + newest.version()
            + "; choose a version from 1 to the newest");
  }

  private Manifest asOf(VersionSpec.AsOf asOf) {
    for (Manifest m = latest(); ; m = metastore.readManifest(m.parentPath())) {
      if (m.createdAtMillis() <= asOf.time().toEpochMilli()) {
        return m;
      }
      if (m.parentVersion() == 0) {
        throw new LoamException(
            ErrorCode.UNKNOWN_VERSION,
            "the collection did not exist then: collection="
                + name
                + ", time="
                + asOf.time()
                + ", created="
                + java.time.Instant.ofEpochMilli(m.createdAtMillis())
                + "; choose a later time");
      }
    }
  }

  @Override
  public void close() {
    versions.close();
  }
}
