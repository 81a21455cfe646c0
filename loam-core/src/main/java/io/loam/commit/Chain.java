package io.loam.commit;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import java.util.ArrayList;
import java.util.List;

/** What happened since a version. */
final class Chain {
  private Chain() {}

  /** Manifests after {@code version} up to and with {@code newest}, newest first. */
  static List<Manifest> since(Metastore metastore, Manifest newest, long version) {
    List<Manifest> manifests = new ArrayList<>();
    for (Manifest m = newest; m.version() > version; m = metastore.readManifest(m.parentPath())) {
      manifests.add(m);
      if (m.parentVersion() == 0) {
        break;
      }
    }
    return manifests;
  }

  /** Whether all versions after {@code version} are retained. */
  static boolean isRetained(long version, Head head) {
    return version + 1 >= head.oldestVersion();
  }

  /** Fails with {@code CONFLICT} where what happened since a version is not known any more. */
  static void checkRetained(long version, Head head) {
    if (!isRetained(version, head)) {
      throw new LoamException(
          ErrorCode.CONFLICT,
          "versions since the one that was read are not retained any more: version=%d, oldestRetained=%d; run the statement again"
              .formatted(version, head.oldestVersion()));
    }
  }
}
