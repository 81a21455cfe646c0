package io.loam.manifest;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds the retained versions of one collection. Safe for use by several threads. */
public final class VersionFinder {
  private final Metastore metastore;
  private final String collection;

  /**
   * @param collection name for messages
   */
  public VersionFinder(Metastore metastore, String collection) {
    this.metastore = metastore;
    this.collection = collection;
  }

  /** The version of a head. */
  public StoredManifest latest(Head head) {
    return stored(head.manifestPath());
  }

  /** A version by number; {@code UNKNOWN_VERSION} where it never was or is not retained. */
  public StoredManifest at(Head head, long version) {
    if (version < 1 || version > head.version()) {
      throw new LoamException(
          ErrorCode.UNKNOWN_VERSION,
          "no such version: collection=%s, version=%d, newest=%d; choose a version from %d to the newest"
              .formatted(collection, version, head.version(), head.oldestVersion()));
    }
    for (Tag tag : head.tags().values()) {
      if (tag.version() == version) {
        return stored(tag.manifestPath());
      }
    }
    if (version < head.oldestVersion()) {
      throw collected(head, "version=" + version, null);
    }
    StoredManifest found = latest(head);
    while (found.manifest().version() > version) {
      found = stored(found.manifest().parentPath());
    }
    return found;
  }

  /** The version that a tag names; {@code UNKNOWN_VERSION} where there is no such tag. */
  public StoredManifest tagged(Head head, String name) {
    Tag tag = head.tags().get(name);
    if (tag == null) {
      throw new LoamException(
          ErrorCode.UNKNOWN_VERSION,
          "no such tag: collection=%s, tag=%s, tags=%s; name one of them"
              .formatted(collection, name, head.tags().keySet()));
    }
    return stored(tag.manifestPath());
  }

  /**
   * The newest version made at or before this time; {@code UNKNOWN_VERSION} where that is before
   * the collection, or before the oldest version that all newer ones are retained from.
   */
  public StoredManifest asOf(Head head, Instant time) {
    StoredManifest found = latest(head);
    while (found.manifest().createdAtMillis() > time.toEpochMilli()) {
      if (found.manifest().parentVersion() == 0) {
        throw new LoamException(
            ErrorCode.UNKNOWN_VERSION,
            "the collection did not exist then: collection=%s, time=%s, created=%s; choose a later time"
                .formatted(
                    collection, time, Instant.ofEpochMilli(found.manifest().createdAtMillis())));
      }
      if (found.manifest().parentVersion() < head.oldestVersion()) {
        throw collected(head, "time=" + time, null);
      }
      found = stored(found.manifest().parentPath());
    }
    return found;
  }

  /** Every version that a head retains: from its own to the oldest one, then tagged ones. */
  public List<StoredManifest> retained(Head head) {
    List<StoredManifest> found = new ArrayList<>();
    walk(head, head.oldestVersion(), found::add);
    head.tags().values().stream()
        .filter(tag -> tag.version() < head.oldestVersion())
        .map(Tag::manifestPath)
        .distinct()
        .map(this::stored)
        .sorted(Comparator.comparingLong((StoredManifest s) -> -s.manifest().version()))
        .forEach(found::add);
    return found;
  }

  /** Visits versions from a head's down to and with an older one, which the head must retain. */
  public void walk(Head head, long downTo, Consumer<StoredManifest> visitor) {
    String path = head.manifestPath();
    for (long version = head.version(); version >= Math.max(1, downTo); ) {
      StoredManifest next = stored(path);
      visitor.accept(next);
      path = next.manifest().parentPath();
      version = next.manifest().parentVersion();
    }
  }

  /**
   * The error for what a head does not retain.
   *
   * @param wanted such as {@code version=3}
   */
  public LoamException collected(Head head, String wanted, @Nullable Throwable cause) {
    String tags =
        head.tags().isEmpty()
            ? ""
            : ", tags="
                + head.tags().entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .map(e -> e.getKey() + ":" + e.getValue().version())
                    .toList();
    return new LoamException(
        ErrorCode.UNKNOWN_VERSION,
        "version is not retained any more: collection=%s, %s, oldestRetained=%d%s; read a retained version, or keep versions longer by retention.minutes, retention.versions or a tag"
            .formatted(collection, wanted, head.oldestVersion(), tags),
        cause);
  }

  private StoredManifest stored(String path) {
    return new StoredManifest(path, metastore.readManifest(path));
  }
}
