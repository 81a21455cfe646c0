package io.loam.query;

import java.time.Instant;

/** Which version of a collection to read. */
public sealed interface VersionSpec {
  /** The head at the time the snapshot is taken. */
  record Latest() implements VersionSpec {}

  record At(long version) implements VersionSpec {}

  /** The newest version created at or before this time. */
  record AsOf(Instant time) implements VersionSpec {}

  record Tag(String name) implements VersionSpec {}
}
