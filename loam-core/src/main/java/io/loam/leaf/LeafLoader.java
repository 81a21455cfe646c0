package io.loam.leaf;

import io.loam.column.Column;
import io.loam.manifest.FileRef;
import io.loam.manifest.SplitRef;
import io.loam.manifest.TailRef;
import io.loam.schema.CollectionSchema;
import io.loam.text.DeleteBitmap;

/**
 * Loads what a version adds to splits that several versions share: delete bitmaps, and the tail.
 */
final class LeafLoader {
  private final CollectionFiles files;

  LeafLoader(CollectionFiles files) {
    this.files = files;
  }

  SplitLeaf split(SplitRef ref, OpenSplit split) {
    return new SplitLeaf(ref, split, ref.deletes().map(this::deletes).orElse(DeleteBitmap.NONE));
  }

  private DeleteBitmap deletes(FileRef file) {
    return files
        .memory()
        .get(
            new MemoryBudget.Slot(file.path(), 0, DeleteBitmap.class),
            () -> DeleteBitmapFile.read(files, file),
            d -> file.size() * 2);
  }

  TailLeaf tail(TailRef ref, CollectionSchema schema) {
    MemoryRows rows =
        files
            .memory()
            .get(
                slot(ref, schema.version()),
                () -> TailFile.read(files, ref, schema),
                r -> bytes(ref, r));
    return new TailLeaf(rows, ref.deleted());
  }

  void putTail(TailRef ref, MemoryRows rows) {
    files.memory().put(slot(ref, rows.schemaVersion()), rows, bytes(ref, rows));
  }

  /** Rows have the fields of the schema that they are read with. */
  private MemoryBudget.Slot slot(TailRef ref, int schemaVersion) {
    return new MemoryBudget.Slot(
        files.folder() + ref.file().path(), schemaVersion, MemoryRows.class);
  }

  /** About what the rows and their index take of the heap. */
  private static long bytes(TailRef ref, MemoryRows rows) {
    return 512
        + rows.data().columns().values().stream().mapToLong(Column::sizeInBytes).sum()
        + 6 * ref.file().size();
  }
}
