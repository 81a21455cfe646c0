package io.loam.maintain;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The objects in a collection's folder that garbage collection may remove, known by their names.
 * Whatever has another name stays: the head and its like, the dataset's empty first version, and
 * files that are not Loam's.
 */
enum ObjectKind {
  MANIFEST("manifests/\\d{20}-<ulid>\\.pb"),
  SCHEMA("schemas/\\d+-<ulid>\\.json"),
  KEY_DELTA("keys/\\d{20}-<ulid>\\.delta"),
  SPLIT_FILE("text/<ulid>\\.(split|columns|\\d+\\.[a-z]+)"),
  DELETE_BITMAP("text/deletes/<ulid>/<ulid>\\.bitmap"),
  TAIL("tail/<ulid>\\.arrow"),
  LANCE_DATA("lance/data/[^/]+\\.lance<staged>"),
  LANCE_DELETIONS("lance/_deletions/\\d+-\\d+-\\d+\\.(arrow|bin)<staged>"),
  LANCE_MANIFEST("lance/_versions/d\\d+\\.manifest<staged>"),
  /** Named after the version that it was based on; version 0 is what the empty first one has. */
  LANCE_TRANSACTION("lance/_transactions/[1-9]\\d*-[0-9a-f-]{36}\\.txn<staged>"),
  SEGMENT("segments/<ulid>\\.ivf"),
  TRAINING("training/<ulid>\\.bin"),
  /** Needed only while a build goes on, by which it is pinned. */
  BUILD_PLAN("plans/<ulid>\\.json"),
  PIN("pins/<ulid>"),
  PROBE("probes/<ulid>");

  /** What Lance appends to a file's name until all of it is written. */
  private static final String STAGED = "(#\\d+)?";

  private static final String ULID = "[0-9a-z]{26}";

  private final Pattern path;

  ObjectKind(String path) {
    this.path = Pattern.compile(path.replace("<ulid>", ULID).replace("<staged>", STAGED));
  }

  /** Whether loads or builds of indexes write such objects long before a version names them. */
  boolean isWrittenAhead() {
    return switch (this) {
      case SPLIT_FILE, LANCE_DATA, SEGMENT, TRAINING, BUILD_PLAN -> true;
      case MANIFEST,
          SCHEMA,
          KEY_DELTA,
          DELETE_BITMAP,
          TAIL,
          LANCE_DELETIONS,
          LANCE_MANIFEST,
          LANCE_TRANSACTION,
          PIN,
          PROBE ->
          false;
    };
  }

  /** The kind of an object by its path in the collection's folder. */
  static Optional<ObjectKind> of(String path) {
    return Arrays.stream(values()).filter(kind -> kind.path.matcher(path).matches()).findFirst();
  }
}
