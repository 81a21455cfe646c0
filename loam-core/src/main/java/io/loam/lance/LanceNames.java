package io.loam.lance;

import org.lance.fragment.DeletionFile;
import org.lance.fragment.DeletionFileType;

/** Where Lance puts its files, relative to the dataset. */
final class LanceNames {
  /** Lance's hint at the newest version of the mainline, written with it. */
  static final String HINT = "_versions/latest_version_hint.json";

  private LanceNames() {}

  static String data(String file) {
    return "data/" + file;
  }

  /** Mainline versions count down, so that a listing gives the newest first. */
  static String manifest(long version) {
    return version < 0
        ? "_versions/d" + Long.toUnsignedString(version) + ".manifest"
        : "_versions/" + Long.toUnsignedString(~version) + ".manifest";
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
