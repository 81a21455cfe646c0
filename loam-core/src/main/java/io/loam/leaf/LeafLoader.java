package io.loam.leaf;

import io.loam.manifest.FileRef;
import io.loam.manifest.SplitRef;
import io.loam.manifest.TailRef;
import io.loam.text.DeleteBitmap;

/**
 * Loads what a version adds to files that several versions share: delete bitmaps, and tail
 * fragments.
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

  TailLeaf tail(OpenVersion version, TailRef ref) {
    long number = version.manifest().version();
    TailData tail =
        files.memory().peek(slot(ref), TailData.class).filter(t -> t.serves(number)).orElse(null);
    if (tail == null) {
      tail = TailData.read(version.reader(ref.fragmentId()), number, ref, version.schema());
      putTail(ref, tail);
    }
    return new TailLeaf(ref, tail.data(), version.schema().keyField());
  }

  void putTail(TailRef ref, TailData tail) {
    files.memory().put(slot(ref), tail, tail.sizeInBytes());
  }

  private MemoryBudget.Slot slot(TailRef ref) {
    return new MemoryBudget.Slot(
        files.folder() + "fragment/" + ref.fragmentId(), 0, TailData.class);
  }
}
