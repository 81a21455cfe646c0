package io.loam.verify;

import io.loam.leaf.CollectionFiles;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.manifest.StoredManifest;
import io.loam.manifest.Tag;
import io.loam.manifest.Versioned;
import java.util.Optional;
import java.util.function.Function;

/**
 * Looks for missing, damaged and contradicting objects of one version, and whether all retained
 * versions can be found. Damage is what it returns; it fails only where the store does not answer.
 */
public final class Verifier {
  private final CollectionFiles files;
  private final Metastore metastore;
  private final Findings findings = new Findings();

  /** For one run: what it has read stays in memory. */
  public Verifier(CollectionFiles files, Metastore metastore) {
    this.files = files;
    this.metastore = metastore.uncached();
  }

  /**
   * Verifies a version.
   *
   * @param choose finds the version in a head; where there is no such version, what it throws is
   *     thrown
   */
  public Verification run(Function<Head, StoredManifest> choose) {
    Optional<Head> head =
        findings.reading(metastore.path("head"), metastore::head).map(Versioned::value);
    head.ifPresent(this::checkChain);
    return head.flatMap(h -> chosen(choose, h))
        .map(s -> new VersionCheck(files, metastore, s, findings).run())
        .orElseGet(() -> new Verification(0, 0, 0, 0, findings.toList()));
  }

  /** The version, unless it cannot be read, which the chain has shown already. */
  private Optional<StoredManifest> chosen(Function<Head, StoredManifest> choose, Head head) {
    Findings unlessKnown = findings.isEmpty() ? findings : new Findings();
    return unlessKnown.reading(head.manifestPath(), () -> choose.apply(head));
  }

  /** Every version that the head retains must be there. */
  private void checkChain(Head head) {
    String path = head.manifestPath();
    long version = head.version();
    while (version >= Math.max(1, head.oldestVersion())) {
      Optional<Manifest> manifest = checkManifest(path, version);
      if (manifest.isEmpty()) {
        return;
      }
      path = manifest.get().parentPath();
      version = manifest.get().parentVersion();
    }
    for (Tag tag : head.tags().values()) {
      checkManifest(tag.manifestPath(), tag.version());
    }
  }

  private Optional<Manifest> checkManifest(String path, long version) {
    Optional<Manifest> manifest = findings.reading(path, () -> metastore.readManifest(path));
    if (manifest.isPresent() && manifest.get().version() != version) {
      findings.add(
          path,
          "another version than expected",
          "version=%d, expected=%d".formatted(manifest.get().version(), version));
      return Optional.empty();
    }
    return manifest;
  }
}
