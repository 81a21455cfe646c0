package io.loam.verify;

import io.loam.leaf.CollectionFiles;
import io.loam.leaf.MemoryRows;
import io.loam.leaf.TailFile;
import io.loam.manifest.TailRef;
import io.loam.schema.CollectionSchema;

/** Reads the files of the tail that were found to be sound. */
final class TailCheck {
  private final CollectionFiles files;
  private final CollectionSchema schema;
  private final Findings findings;

  TailCheck(CollectionFiles files, CollectionSchema schema, Findings findings) {
    this.files = files;
    this.schema = schema;
    this.findings = findings;
  }

  /** Visits the rows of a file that are not deleted. */
  void eachLive(TailRef tail, KeyVisitor visitor) {
    String path = files.folder() + tail.file().path();
    if (findings.has(path)) {
      return;
    }
    findings
        .reading(path, () -> TailFile.read(files, tail, schema))
        .ifPresent(rows -> eachLive(path, tail, rows, visitor));
  }

  private static void eachLive(String path, TailRef tail, MemoryRows rows, KeyVisitor visitor) {
    for (int doc = 0; doc < tail.rowIds().count(); doc++) {
      if (!tail.deleted().contains(doc)) {
        long rowId = tail.rowIds().start() + doc;
        visitor.visit(path, rowId, rows.row(rowId).key().bytes());
      }
    }
  }
}
