package io.loam.manifest;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The one mutable pointer of a collection.
 *
 * @param version the current version
 * @param manifestPath its manifest
 * @param leaseEpoch raised when a lease is taken over, so that the old holder's swap fails
 * @param gcEpoch raised by garbage collection before it decides what is garbage
 * @param oldestVersion all versions from this one on are retained; of older ones, those with a tag
 * @param tags by name, in any letter case
 */
public record Head(
    long version,
    String manifestPath,
    long leaseEpoch,
    long gcEpoch,
    long oldestVersion,
    SortedMap<String, Tag> tags) {

  public Head {
    tags = Collections.unmodifiableSortedMap(caseless(tags));
  }

  /** The head of a collection's first version. */
  public static Head first(String manifestPath) {
    return new Head(1, manifestPath, 0, 0, 1, new TreeMap<>());
  }

  /** The same head at another version. */
  public Head withVersion(long newVersion, String newManifestPath) {
    return new Head(newVersion, newManifestPath, leaseEpoch, gcEpoch, oldestVersion, tags);
  }

  /** The same head in another lease epoch. */
  public Head withLeaseEpoch(long epoch) {
    return new Head(version, manifestPath, epoch, gcEpoch, oldestVersion, tags);
  }

  /** The same head in the next garbage-collection epoch, with this oldest version. */
  public Head collected(long oldest) {
    return new Head(version, manifestPath, leaseEpoch, gcEpoch + 1, oldest, tags);
  }

  /** The same head with these tags. */
  public Head withTags(SortedMap<String, Tag> newTags) {
    return new Head(version, manifestPath, leaseEpoch, gcEpoch, oldestVersion, newTags);
  }

  /** Whether garbage collection keeps a version, pins aside. */
  public boolean retains(long wanted) {
    return (wanted >= oldestVersion && wanted <= version)
        || tags.values().stream().anyMatch(tag -> tag.version() == wanted);
  }

  private static SortedMap<String, Tag> caseless(Map<String, Tag> tags) {
    SortedMap<String, Tag> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    copy.putAll(tags);
    return copy;
  }
}
