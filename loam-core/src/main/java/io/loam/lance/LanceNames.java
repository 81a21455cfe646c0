package io.loam.lance;

import org.lance.fragment.DeletionFile;
import org.lance.fragment.DeletionFileType;

/** Where Lance puts its files, relative to the dataset. */
final class LanceNames {
  private LanceNames() {}

  static String data(String file) {
    return "data/" + file;
  }

  static String manifest(long detachedVersion) {
    return "_versions/d" + Long.toUnsignedString(detachedVersion) + ".manifest";
  }

  static String transaction(long readVersion, String uuid) {
    return "_transactions/" + Long.toUnsignedString(readVersion) + "-" + uuid + ".txn";
  }

  static String deletion(int fragmentId, DeletionFile file) {
    String suffix = file.getFileType() == DeletionFileType.ARRAY ? ".arrow" : ".bin";
    return "_deletions/"
        + fragmentId
        + "-"
        + Long.toUnsignedString(file.getReadVersion())
        + "-"
        + Long.toUnsignedString(file.getId())
        + suffix;
  }
}
