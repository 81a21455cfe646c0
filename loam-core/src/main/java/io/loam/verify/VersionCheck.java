package io.loam.verify;

import io.loam.commit.KeyDelta;
import io.loam.leaf.CollectionFiles;
import io.loam.manifest.FileRef;
import io.loam.manifest.IdBlock;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.manifest.SplitRef;
import io.loam.manifest.TailRef;
import io.loam.schema.CollectionSchema;
import io.loam.store.ObjectStore.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks all that makes up one version. */
final class VersionCheck {
  private final CollectionFiles files;
  private final Metastore metastore;
  private final Manifest manifest;
  private final Findings findings;

  VersionCheck(CollectionFiles files, Metastore metastore, Manifest manifest, Findings findings) {
    this.files = files;
    this.metastore = metastore;
    this.manifest = manifest;
    this.findings = findings;
  }

  Verification run() {
    ObjectCheck objects = new ObjectCheck(files.store(), files.folder(), findings);
    manifest.files().forEach(objects::check);
    checkIds();
    manifest.keyDelta().ifPresent(this::checkKeyDelta);
    long documents =
        findings
            .reading(manifest.schemaPath(), () -> metastore.readSchema(manifest.schemaPath()))
            .map(this::checkDocuments)
            .orElse(0L);
    return new Verification(
        manifest.version(), objects.objects(), objects.bytes(), documents, findings.toList());
  }

  private long checkDocuments(CollectionSchema schema) {
    if (schema.version() != manifest.schemaVersion()) {
      findings.add(
          manifest.schemaPath(),
          "another version than the manifest's",
          "version=%d, expected=%d".formatted(schema.version(), manifest.schemaVersion()));
    }
    RowOwners owners = new RowOwners(findings);
    List<CheckedSplit> splits = new ArrayList<>();
    for (SplitRef ref : manifest.splits()) {
      CheckedSplit split = new SplitCheck(files, schema, ref, findings).run();
      splits.add(split);
      owners.addSplit(split);
    }
    for (TailRef tail : manifest.tail()) {
      owners.addTail(files.folder() + tail.file().path(), tail.rowIds());
    }
    LanceCheck lance = new LanceCheck(files, manifest, schema, owners, findings);
    TailCheck tail = new TailCheck(files, schema, findings);
    KeyCheck keys = new KeyCheck(findings);
    lance.compare(splits, keys);
    new SegmentCheck(files, manifest, findings).run(lance);
    manifest.tail().forEach(ref -> tail.eachLive(ref, keys));
    Set<Long> repeated = keys.repeatedHashes();
    if (!repeated.isEmpty()) {
      KeyVisitor second = keys.secondPass(repeated);
      lance.eachLive(second);
      manifest.tail().forEach(ref -> tail.eachLive(ref, second));
    }
    return keys.documents();
  }

  /** Counters behind a version would give out its ids a second time. */
  private void checkIds() {
    String path = metastore.path("ids");
    Optional<IdBlock> ids = findings.reading(path, metastore::nextIds);
    if (ids.isPresent()
        && (ids.get().firstRowId() < manifest.nextRowId()
            || ids.get().firstFragmentId() < manifest.nextFragmentId())) {
      findings.add(
          path,
          "behind the version",
          "nextRowId=%d, used=%d, nextFragmentId=%d, used=%d"
              .formatted(
                  ids.get().firstRowId(),
                  manifest.nextRowId(),
                  ids.get().firstFragmentId(),
                  manifest.nextFragmentId()));
    }
  }

  private void checkKeyDelta(FileRef file) {
    String path = files.folder() + file.path();
    if (findings.has(path)) {
      return;
    }
    Optional<byte[]> content = files.store().get(path).map(StoredObject::content);
    content
        .flatMap(bytes -> findings.reading(path, () -> KeyDelta.decode(bytes, path)))
        .ifPresent(delta -> checkOrder(path, delta.entries()));
  }

  private void checkOrder(String path, List<KeyDelta.Entry> entries) {
    for (int i = 0; i < entries.size(); i++) {
      KeyDelta.Entry entry = entries.get(i);
      if (i > 0 && entries.get(i - 1).key().compareTo(entry.key()) >= 0) {
        findings.add(path, "keys out of order", "key=" + entry.key());
      }
      if (entry.rowId() >= manifest.nextRowId() || entry.previousRowId() >= manifest.nextRowId()) {
        findings.add(path, "row id past the version's last", "key=" + entry.key());
      }
    }
  }
}
