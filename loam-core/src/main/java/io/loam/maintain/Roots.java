package io.loam.maintain;

import io.loam.manifest.FileRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.StoredManifest;
import java.util.HashSet;
import java.util.Set;

/** The objects that some versions need. */
final class Roots {
  private static final String TRANSACTIONS = "lance/_transactions/";

  private final String folder;
  private final Set<String> paths = new HashSet<>();
  private final Set<String> lanceVersions = new HashSet<>();

  /**
   * @param folder of the collection, with {@code /} at its end
   */
  Roots(String folder) {
    this.folder = folder;
  }

  /** Adds all that a version needs: its manifest names every file, Lance's among them. */
  Roots add(StoredManifest stored) {
    Manifest manifest = stored.manifest();
    paths.add(stored.path());
    paths.add(manifest.schemaPath());
    for (FileRef file : manifest.files()) {
      paths.add(folder + file.path());
    }
    lanceVersions.add(Long.toUnsignedString(manifest.lanceVersion()));
    return this;
  }

  /**
   * Whether a version needs an object. Transaction files of Lance are in no manifest; nobody reads
   * them again, but they stay as long as the version that they were based on.
   */
  boolean hold(String path) {
    if (path.startsWith(folder + TRANSACTIONS)) {
      String name = path.substring(folder.length() + TRANSACTIONS.length());
      return lanceVersions.contains(name.substring(0, Math.max(0, name.indexOf('-'))));
    }
    return paths.contains(path);
  }
}
