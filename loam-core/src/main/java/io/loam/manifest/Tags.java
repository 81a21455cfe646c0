package io.loam.manifest;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.Limits;
import java.time.Clock;
import java.util.SortedMap;
import java.util.TreeMap;

/** The tags of one collection, which its head holds. Safe for use by several threads. */
public final class Tags {
  private final Metastore metastore;
  private final VersionFinder versions;
  private final Clock clock;

  /**
   * @param versions of the same collection
   */
  public Tags(Metastore metastore, VersionFinder versions, Clock clock) {
    this.metastore = metastore;
    this.versions = versions;
    this.clock = clock;
  }

  /** By name, in any letter case. */
  public SortedMap<String, Tag> all() {
    return metastore.head().value().tags();
  }

  /**
   * Gives a version a name. Fails with {@code DUPLICATE_TAG}, with {@code UNKNOWN_VERSION} if the
   * version is not retained any more, with {@code LIMIT_EXCEEDED}, or with {@code INVALID_ARGUMENT}
   * for a name that cannot be.
   */
  public void create(String name, StoredManifest version) {
    checkName(name);
    Tag tag = new Tag(version.manifest().version(), version.path(), clock.millis());
    metastore.updateHead(
        head -> {
          Tag before = head.tags().get(name);
          if (tag.equals(before)) {
            return head; // our own write, whose answer was lost
          }
          if (before != null) {
            throw new LoamException(
                ErrorCode.DUPLICATE_TAG,
                "tag exists: tag=%s, version=%d; choose another name, or drop it first"
                    .formatted(name, before.version()));
          }
          if (!head.retains(tag.version())) {
            throw versions.collected(head, "version=" + tag.version(), null);
          }
          if (head.tags().size() >= Limits.MAX_TAGS) {
            throw new LoamException(
                ErrorCode.LIMIT_EXCEEDED,
                "too many tags: tags=%d, limit=%d; drop some"
                    .formatted(head.tags().size(), Limits.MAX_TAGS));
          }
          SortedMap<String, Tag> tags = new TreeMap<>(head.tags());
          tags.put(name, tag);
          return head.withTags(tags);
        });
  }

  /** Takes a tag away; false if there is none of this name. */
  public boolean drop(String name) {
    boolean[] found = {false};
    metastore.updateHead(
        head -> {
          SortedMap<String, Tag> tags = new TreeMap<>(head.tags());
          found[0] |= tags.remove(name) != null;
          return head.withTags(tags);
        });
    return found[0];
  }

  private static void checkName(String name) {
    boolean printable = name.codePoints().noneMatch(Character::isISOControl);
    if (name.isBlank() || name.length() > Limits.MAX_TAG_CHARS || !printable) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          "invalid tag name: name=%s; use 1 to %d characters without controls"
              .formatted(name, Limits.MAX_TAG_CHARS));
    }
  }
}
