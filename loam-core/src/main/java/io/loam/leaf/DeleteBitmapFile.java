package io.loam.leaf;

import io.loam.manifest.FileRef;
import io.loam.store.Envelope;
import io.loam.text.DeleteBitmap;

/** The enveloped object of a delete bitmap. */
public final class DeleteBitmapFile {
  static final String MAGIC = "LMDB";
  static final int FORMAT = 1;

  private DeleteBitmapFile() {}

  /** The object's bytes. */
  public static byte[] encode(DeleteBitmap deletes) {
    return Envelope.wrap(MAGIC, FORMAT, deletes.encodeBody());
  }

  /** Reads an object; {@code MISSING_OBJECT} or {@code CORRUPT_OBJECT} name its path. */
  public static DeleteBitmap read(CollectionFiles files, FileRef file) {
    String path = files.folder() + file.path();
    return DeleteBitmap.decodeBody(Envelope.unwrap(MAGIC, FORMAT, files.read(file), path), path);
  }
}
