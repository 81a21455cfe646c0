package io.loam.manifest;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The one mutable pointer of a collection.
 *
 * @param version the current version
 * @param manifestPath its manifest
 * @param leaseEpoch raised when a lease is taken over, so that the old holder's swap fails
 * @param gcEpoch raised by garbage collection before it looks for garbage
 * @param tags versions by tag name
 */
public record Head(
    long version,
    String manifestPath,
    long leaseEpoch,
    long gcEpoch,
    SortedMap<String, Long> tags) {

  public Head {
    tags = Collections.unmodifiableSortedMap(new TreeMap<>(tags));
  }

  /** The head of a collection's first version. */
  public static Head first(String manifestPath) {
    return new Head(1, manifestPath, 0, 0, new TreeMap<>());
  }

  /** The same head at another version. */
  public Head withVersion(long newVersion, String newManifestPath) {
    return new Head(newVersion, newManifestPath, leaseEpoch, gcEpoch, tags);
  }
}
