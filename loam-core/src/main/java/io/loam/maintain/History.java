package io.loam.maintain;

import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.StoredManifest;
import io.loam.manifest.VersionFinder;
import io.loam.schema.Retention;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Which versions of a head's chain are retained, and what they need. */
final class History {
  private final Head head;
  private final Retention retention;
  private final Duration grace;
  private final Listing listing;
  private final Roots retained;
  private final Roots expired;
  private long oldestVersion;
  private int retainedVersions;
  private @Nullable StoredManifest child;

  private History(Head head, Retention retention, Duration grace, Listing listing, String folder) {
    this.head = head;
    this.retention = retention;
    this.grace = grace;
    this.listing = listing;
    this.retained = new Roots(folder);
    this.expired = new Roots(folder);
  }

  /**
   * Of a head that was read after the listing.
   *
   * @param grace for which a version stays once it was superseded, whatever its retention, so that
   *     whoever has just begun to read it need not pin it
   * @param folder of the collection, with {@code /} at its end
   */
  static History of(
      Head head,
      Retention retention,
      Duration grace,
      Listing listing,
      VersionFinder versions,
      String folder) {
    History history = new History(head, retention, grace, listing, folder);
    versions.walk(head, head.oldestVersion(), history::add);
    return history;
  }

  /** Called from the newest version on. */
  private void add(StoredManifest stored) {
    if (oldestVersion == childVersion() && isRetained()) {
      retained.add(stored);
      oldestVersion = stored.manifest().version();
      retainedVersions++;
    } else {
      expired.add(stored);
    }
    child = stored;
  }

  /** The version that superseded the one being added; 0 for the newest. */
  private long childVersion() {
    return child == null ? 0 : child.manifest().version();
  }

  private boolean isRetained() {
    return child == null
        || retainedVersions < retention.versions()
        || supersededMillis(child) > listing.storeMillis() - retentionMillis();
  }

  private long retentionMillis() {
    return Math.max(grace.toMillis(), TimeUnit.MINUTES.toMillis(retention.minutes()));
  }

  /** The later of what the writer's clock and the store's clock say; the future if unlisted. */
  private long supersededMillis(StoredManifest by) {
    Manifest manifest = by.manifest();
    return Math.max(
        manifest.createdAtMillis(), listing.modifiedMillis(by.path()).orElse(Long.MAX_VALUE));
  }

  /** The head whose chain this is. */
  Head head() {
    return head;
  }

  /** The oldest version that is still retained. */
  long oldestVersion() {
    return oldestVersion;
  }

  Roots retained() {
    return retained;
  }

  /** What versions need that are not retained any more. */
  Roots expired() {
    return expired;
  }
}
