package io.loam.write;

import io.loam.leaf.CollectionFiles;
import io.loam.leaf.DeleteBitmapFile;
import io.loam.manifest.FileRef;
import io.loam.manifest.SplitRef;
import io.loam.store.Ulid;
import io.loam.text.DeleteBitmap;
import java.util.List;

/** Writes which documents of a split are deleted. */
final class DeletedDocuments {
  private DeletedDocuments() {}

  /**
   * Writes the bitmap under a fresh name and gives the split with it.
   *
   * @param staged is told the path in the warehouse, which is not on stable storage yet
   */
  static SplitRef stage(
      CollectionFiles files, SplitRef split, DeleteBitmap deletes, List<String> staged) {
    FileRef file =
        files.stage(
            "text/deletes/" + split.ulid() + "/" + Ulid.next() + ".bitmap",
            DeleteBitmapFile.encode(deletes));
    staged.add(files.folder() + file.path());
    return split.withDeletes(file, deletes.cardinality());
  }
}
