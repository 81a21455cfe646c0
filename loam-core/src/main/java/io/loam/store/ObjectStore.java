package io.loam.store;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * Named immutable objects and a few small mutable ones, which change by compare-and-swap only.
 * Paths are relative to the warehouse, with {@code /} between parts.
 *
 * <p>A write that returns has reached stable storage, name included, except where it says
 * otherwise. Writes throw {@code STORE_UNAVAILABLE} when nothing was applied, and {@code
 * OUTCOME_UNKNOWN} when the write may have been, or may still be, applied.
 */
public interface ObjectStore extends AutoCloseable {
  /** What is read at once of an object that may be large. */
  int PART_BYTES = 8 << 20;

  /** How many objects a store removes at once at most. */
  int DELETED_TOGETHER = 1_000;

  /** An object's bytes and the tag of this content. */
  record StoredObject(byte[] content, String tag) {}

  /**
   * An object's path, size in bytes, and time of last write in milliseconds by the store's own
   * clock.
   */
  record ObjectInfo(String path, long size, long modifiedMillis) {}

  /** Reads a whole object, or nothing where there is none. */
  Optional<StoredObject> get(String path);

  /**
   * Reads {@code length} bytes at {@code offset}; fails with {@code MISSING_OBJECT} or, past the
   * end, {@code CORRUPT_OBJECT}.
   */
  byte[] getRange(String path, long offset, int length);

  /** CRC32C of an object's first {@code size} bytes; see {@link #getRange}. */
  default int crc32c(String path, long size) {
    CRC32C crc = new CRC32C();
    for (long at = 0; at < size; at += PART_BYTES) {
      crc.update(getRange(path, at, (int) Math.min(PART_BYTES, size - at)));
    }
    return (int) crc.getValue();
  }

  /** The object's size in bytes, or nothing where there is none. */
  OptionalLong size(String path);

  /** Creates an object. Returns its tag, or nothing if the name was taken, whatever its content. */
  Optional<String> putIfAbsent(String path, byte[] content);

  /**
   * Creates an object as {@link #putIfAbsent} does, except that only {@link #force} brings it to
   * stable storage for sure.
   */
  default Optional<String> stage(String path, byte[] content) {
    return putIfAbsent(path, content);
  }

  /**
   * Creates an object from a local file, which the caller does not change meanwhile; see {@link
   * #putIfAbsent}.
   */
  Optional<String> putFileIfAbsent(String path, Path file);

  /**
   * Replaces the content that has {@code tag}. Returns the new tag, or nothing if the object has
   * another tag or is gone.
   */
  Optional<String> putIfMatch(String path, byte[] content, String tag);

  /** All objects whose path starts with {@code prefix}, in order of path. */
  List<ObjectInfo> list(String prefix);

  /** Removes an object; does nothing where there is none. */
  void delete(String path);

  /** Removes objects, in any order; see {@link #delete}. Where it fails, some of them are gone. */
  default void deleteAll(Collection<String> paths) {
    paths.forEach(this::delete);
  }

  /**
   * Brings staged objects and files that other code wrote, and the folders that name them, to
   * stable storage, all side by side.
   */
  void force(Collection<String> paths);

  /** A turn at an object, until it is closed. */
  interface Turn extends AutoCloseable {
    /** No turn: others may be at it, too. */
    Turn NONE = () -> {};

    @Override
    void close();
  }

  /**
   * Waits a little for a turn at an object, where the store can tell who else uses it. A turn saves
   * races that would be lost; it promises nothing, since a holder may be passed over.
   */
  default Turn turn(String path) {
    return Turn.NONE;
  }

  /** The address by which Lance opens {@code path}. */
  String uri(String path);

  /**
   * What native readers of {@link #uri} have to be told beside it, keys among it, as of now; empty
   * for files of this machine.
   */
  default Map<String, String> nativeOptions() {
    return Map.of();
  }

  /** Where {@code path} lies on this machine, or nothing for a remote store. */
  Optional<Path> localPath(String path);

  @Override
  void close();
}
