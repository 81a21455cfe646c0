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
    String object = files.folder() + "fragment/" + ref.fragmentId();
    MemoryBudget.Slot slot = new MemoryBudget.Slot(object, 0, TailData.class);
    long number = version.manifest().version();
    TailData tail =
        files.memory().peek(slot, TailData.class).filter(t -> t.serves(number)).orElse(null);
    if (tail == null) {
      tail = TailData.read(version.reader(), number, ref, version.schema());
      files.memory().put(slot, tail, tail.sizeInBytes());
    }
    return new TailLeaf(ref, tail.data(), version.schema().keyField());
  }
}
