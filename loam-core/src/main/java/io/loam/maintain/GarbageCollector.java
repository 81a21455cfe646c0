package io.loam.maintain;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.manifest.StoredManifest;
import io.loam.manifest.Tag;
import io.loam.manifest.VersionFinder;
import io.loam.manifest.Versioned;
import io.loam.schema.Retention;
import io.loam.store.ObjectStore;
import io.loam.store.ObjectStore.ObjectInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Removes objects of one collection that nothing needs, in this order:
 *
 * <ol>
 *   <li>List all objects. Only these may go.
 *   <li>Swap the head to its next gc epoch, with the oldest version that is retained from now on.
 *   <li>Find what the retained versions, the tags and the live pins need.
 *   <li>Remove what was listed, is not needed and is old enough.
 * </ol>
 *
 * A commit that lands after the second step was begun after it, since a commit whose head is of
 * another gc epoch is begun again: all that it names is either needed by the head of that step or
 * younger than the list. So no clock decides whether a commit is safe, and work that stops anywhere
 * leaves garbage only. Ages decide only how soon garbage goes.
 */
public final class GarbageCollector {
  /**
   * How long a load or the building of an index takes at most. It pins a version; while any pin is
   * alive, what such work writes is let alone for so long, though no version names it yet.
   */
  private static final Duration LONG_WORK = Duration.ofDays(1);

  private final ObjectStore store;
  private final Metastore metastore;
  private final VersionFinder versions;
  private final Leases leases;
  private final Pins pins;
  private final String folder;

  /**
   * @param versions of the same collection
   */
  public GarbageCollector(
      ObjectStore store, Metastore metastore, VersionFinder versions, Leases leases, Pins pins) {
    this.store = store;
    this.metastore = metastore;
    this.versions = versions;
    this.leases = leases;
    this.pins = pins;
    this.folder = metastore.path("");
  }

  /**
   * What was removed, or would be. Fails with {@code CONFLICT} while other maintenance runs; a dry
   * run does not, and leaves all as it is.
   */
  public List<Garbage> run(GcOptions options) {
    if (options.dryRun()) {
      Listing listing = Listing.of(store, folder);
      History history = history(listing, options.grace());
      return garbage(listing, options.grace(), history, history.head());
    }
    try (Lease lease = leases.acquire("gc", Leases.TIME).keepAlive()) {
      return collect(options.grace(), lease);
    }
  }

  private List<Garbage> collect(Duration grace, Lease lease) {
    Listing listing = Listing.of(store, folder);
    History history = history(listing, grace);
    if (garbage(listing, grace, history, history.head()).isEmpty()) {
      return List.of(); // writers need not begin again for nothing
    }
    Versioned<Head> collected =
        metastore.updateHead(
            head -> {
              lease.check(head);
              return head.collected(history.oldestVersion());
            });
    List<Garbage> garbage = garbage(listing, grace, history, collected.value());
    List<String> paths = garbage.stream().map(Garbage::path).toList();
    for (int from = 0; from < paths.size(); from += ObjectStore.DELETED_TOGETHER) {
      int to = Math.min(paths.size(), from + ObjectStore.DELETED_TOGETHER);
      store.deleteAll(paths.subList(from, to));
      lease.progress();
    }
    return garbage;
  }

  private History history(Listing listing, Duration grace) {
    Head head = metastore.head().value();
    Manifest newest = metastore.readManifest(head.manifestPath());
    Retention retention = metastore.readSchema(newest.schemaPath()).retention();
    return History.of(head, retention, grace, listing, versions, folder);
  }

  /**
   * What was listed and nothing needs.
   *
   * @param head that of the history, or a later one
   */
  private List<Garbage> garbage(Listing listing, Duration grace, History history, Head head) {
    Roots others = new Roots(folder);
    versions.walk(head, history.head().version() + 1, others::add);
    for (Tag tag : head.tags().values()) {
      others.add(
          new StoredManifest(tag.manifestPath(), metastore.readManifest(tag.manifestPath())));
    }
    List<Pins.Pinned> live = pins.live(listing.storeMillis());
    live.forEach(pin -> pinned(pin).ifPresent(others::add));
    List<Garbage> garbage = new ArrayList<>();
    for (ObjectInfo object : listing.objects()) {
      String path = object.path();
      Optional<ObjectKind> kind = ObjectKind.of(path.substring(folder.length()));
      if (kind.isPresent()
          && listing.isOlderThan(grace, object)
          && !(kind.get().isWrittenAhead()
              && !live.isEmpty()
              && mayBeNamedYet(object, listing, history))
          && !history.retained().hold(path)
          && !others.hold(path)
          && !(kind.get() == ObjectKind.PIN && isAlive(object, listing))) {
        garbage.add(new Garbage(path, object.size(), reason(kind.get(), path, history)));
      }
    }
    return garbage;
  }

  /** Whether an object may belong to work that goes on and has not landed. */
  private static boolean mayBeNamedYet(ObjectInfo object, Listing listing, History history) {
    return !listing.isOlderThan(LONG_WORK, object) && !history.expired().hold(object.path());
  }

  /** The version that a pin names, unless the pin came too late to keep it. */
  private Optional<StoredManifest> pinned(Pins.Pinned pin) {
    try {
      String path = pin.manifestPath();
      return Optional.of(new StoredManifest(path, metastore.readManifest(path)));
    } catch (LoamException e) {
      if (e.code() == ErrorCode.MISSING_OBJECT) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static boolean isAlive(ObjectInfo pin, Listing listing) {
    return !Pins.isExpired(pin.modifiedMillis(), listing.storeMillis());
  }

  private static String reason(ObjectKind kind, String path, History history) {
    if (history.expired().hold(path)) {
      return "needed by versions before " + history.oldestVersion() + " only";
    }
    return switch (kind) {
      case PIN -> "pin was not renewed";
      case BUILD_PLAN -> "plan of a build of an index, which is finished or was given up";
      case PROBE -> "left by a garbage collection that stopped";
      case MANIFEST,
          SCHEMA,
          KEY_DELTA,
          SPLIT_FILE,
          DELETE_BITMAP,
          TAIL,
          LANCE_DATA,
          LANCE_DELETIONS,
          LANCE_MANIFEST,
          LANCE_TRANSACTION,
          SEGMENT,
          TRAINING ->
          "named by no version";
    };
  }
}
