package io.loam.commit;

import io.loam.manifest.FileRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.manifest.StoredManifest;
import io.loam.manifest.VectorIndexRef;
import io.loam.store.ObjectStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Writes the manifest that follows another one. */
public final class NextVersion {
  private final ObjectStore store;
  private final Metastore metastore;
  private final Clock clock;

  public NextVersion(ObjectStore store, Metastore metastore, Clock clock) {
    this.store = store;
    this.metastore = metastore;
    this.clock = clock;
  }

  /**
   * Writes the manifest of a version with these contents and brings all of it to stable storage.
   *
   * @param nextRowId first row id that no row of the version has
   * @param keyDelta staged, if any
   */
  public StoredManifest write(
      String basePath,
      Manifest base,
      Manifest.CommitKind kind,
      CommitStorage.Contents contents,
      long nextRowId,
      Optional<FileRef> keyDelta) {
    SchemaAt schema = new SchemaAt(base.schemaVersion(), base.schemaPath());
    return write(basePath, base, kind, schema, contents, base.indexes(), nextRowId, keyDelta);
  }

  /**
   * Likewise, of a version with the same documents and other indexes.
   *
   * @param staged as in {@link CommitStorage.Contents}
   */
  public StoredManifest write(
      String basePath,
      Manifest base,
      Manifest.CommitKind kind,
      List<VectorIndexRef> indexes,
      List<String> staged) {
    CommitStorage.Contents same =
        new CommitStorage.Contents(
            base.lanceVersion(),
            base.lanceManifest(),
            base.splits(),
            base.fragments(),
            base.tail(),
            base.liveDocuments(),
            staged);
    SchemaAt schema = new SchemaAt(base.schemaVersion(), base.schemaPath());
    return write(basePath, base, kind, schema, same, indexes, base.nextRowId(), Optional.empty());
  }

  /** Where a schema is. */
  record SchemaAt(int version, String path) {}

  /** The same under another schema, with other indexes. */
  StoredManifest write(
      String basePath,
      Manifest base,
      Manifest.CommitKind kind,
      SchemaAt schema,
      CommitStorage.Contents contents,
      List<VectorIndexRef> indexes,
      long nextRowId,
      Optional<FileRef> keyDelta) {
    int maxFragment = contents.fragments().stream().mapToInt(f -> f.id() + 1).max().orElse(1);
    Manifest next =
        new Manifest(
            base.version() + 1,
            base.version(),
            basePath,
            schema.version(),
            schema.path(),
            Math.max(clock.millis(), base.createdAtMillis() + 1),
            kind,
            contents.lanceVersion(),
            contents.lanceManifest(),
            contents.splits(),
            contents.fragments(),
            contents.tail(),
            indexes.stream().sorted(Comparator.comparing(VectorIndexRef::name)).toList(),
            Math.max(base.nextRowId(), nextRowId),
            Math.max(base.nextFragmentId(), maxFragment),
            contents.liveDocuments(),
            keyDelta);
    String path = metastore.stageManifest(next);
    List<String> staged = new ArrayList<>(contents.staged());
    keyDelta.ifPresent(delta -> staged.add(metastore.path(delta.path())));
    staged.add(path);
    store.force(staged);
    return new StoredManifest(path, next);
  }
}
