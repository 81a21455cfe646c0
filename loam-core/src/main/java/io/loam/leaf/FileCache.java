package io.loam.leaf;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.FileRef;
import io.loam.store.LocalFiles;
import io.loam.store.ObjectStore;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Copies of a remote store's immutable objects on this machine, bounded in size, least recently
 * used first out. Safe for use by several threads and processes: a copy appears by an atomic
 * rename, complete; one that is removed stays readable where it is open.
 */
public final class FileCache {
  private static final int DOWNLOAD_BYTES = 8 << 20;
  private static final int ATTEMPTS = 10;

  /** Age at which nobody works on a temporary file any more. */
  private static final Duration LEFTOVER_AGE = Duration.ofDays(1);

  private static final int MAX_CHECKED = 100_000;

  private final Path files;
  private final Path temporary;
  private final long maxBytes;

  /** Files that this process has found to have the length and checksum they should. */
  private final Cache<Path, FileRef> checked =
      Caffeine.newBuilder().maximumSize(MAX_CHECKED).build();

  /** By a path's hash: held while an entry is brought in. */
  private final Object[] locks = Stream.generate(Object::new).limit(64).toArray();

  /**
   * @param folder of this cache, made if it is missing
   * @param maxBytes size past which copies are deleted
   */
  public FileCache(Path folder, long maxBytes) {
    this.files = folder.resolve("files");
    this.temporary = folder.resolve("tmp");
    this.maxBytes = maxBytes;
    try {
      Files.createDirectories(files);
      Files.createDirectories(temporary);
      sweep();
    } catch (IOException e) {
      throw cacheFailed(folder, e);
    }
  }

  /** Removes what processes that died left half done; tells how many files and folders. */
  public int sweep() {
    try {
      return LocalFiles.sweep(temporary, "", LEFTOVER_AGE);
    } catch (IOException e) {
      throw cacheFailed(temporary, e);
    }
  }

  /**
   * A local, checked copy of an object: the object itself in a local store.
   *
   * @param collectionPrefix prepended to the path in {@code file}; ends in {@code /}
   */
  public Path file(ObjectStore store, String collectionPrefix, FileRef file) {
    String object = collectionPrefix + file.path();
    Optional<Path> local = store.localPath(object);
    Path path = local.orElseGet(() -> cached(object));
    for (int attempt = 1; ; attempt++) {
      try {
        if (!isKnown(path, file)) {
          bring(store, object, file, path, local.isPresent());
        }
        return path;
      } catch (NoSuchFileException e) {
        if (attempt == ATTEMPTS) { // others need the room at once
          throw cacheFailed(path, e);
        }
      } catch (IOException e) {
        throw cacheFailed(path, e);
      }
    }
  }

  private void bring(ObjectStore store, String object, FileRef file, Path path, boolean local)
      throws IOException {
    synchronized (lock(path)) {
      if (isKnown(path, file)) {
        return;
      }
      if (local) {
        check(path, object, file);
      } else {
        fetch(store, object, file, path);
      }
      checked.put(path, file);
    }
  }

  /** The size past which copies are deleted. */
  public long maxBytes() {
    return maxBytes;
  }

  /**
   * Puts a checked copy of an object at a path in a folder of {@link #newFolder}: a link where the
   * file system has them. Nobody may write to it.
   */
  public void place(ObjectStore store, String collectionPrefix, FileRef file, Path target) {
    for (int attempt = 1; ; attempt++) {
      Path copy = file(store, collectionPrefix, file);
      try {
        link(copy, target);
        return;
      } catch (NoSuchFileException e) {
        if (attempt == ATTEMPTS) { // others need the room at once
          throw cacheFailed(copy, e);
        }
      } catch (IOException e) {
        throw cacheFailed(target, e);
      }
    }
  }

  private static void link(Path copy, Path target) throws IOException {
    try {
      Files.createLink(target, copy);
    } catch (UnsupportedOperationException e) {
      Files.copy(copy, target);
    }
  }

  /** Takes over a file that was uploaded as an object of a remote store. */
  public void keep(String collectionPrefix, FileRef file, Path source) {
    Path path = cached(collectionPrefix + file.path());
    try {
      makeRoom(file.size());
      Path work = temporary.resolve(UUID.randomUUID().toString());
      Files.move(source, work); // copies where it comes from another file system
      Files.move(work, path, StandardCopyOption.ATOMIC_MOVE);
      checked.put(path, file);
    } catch (IOException e) {
      throw cacheFailed(path, e);
    }
  }

  private Path cached(String object) {
    return files.resolve(object.replace('/', '~'));
  }

  /** A new, empty folder for the caller, who removes it; if the process dies, others will. */
  public Path newFolder() {
    Path folder = temporary.resolve(UUID.randomUUID().toString());
    try {
      return Files.createDirectory(folder);
    } catch (IOException e) {
      throw cacheFailed(folder, e);
    }
  }

  /** Removes a folder of {@link #newFolder} with all that is in it. */
  public void remove(Path folder) {
    LocalFiles.deleteTree(folder);
  }

  private boolean isKnown(Path path, FileRef file) throws IOException {
    return file.equals(checked.getIfPresent(path))
        && Files.exists(path)
        && Files.size(path) == file.size();
  }

  private void fetch(ObjectStore store, String object, FileRef file, Path path) throws IOException {
    if (Files.exists(path)
        && Files.size(path) == file.size()
        && LocalFiles.crc32c(path) == file.crc32c()) {
      touch(path);
      return;
    }
    Path work = temporary.resolve(UUID.randomUUID().toString());
    try {
      download(store, object, file, work);
      check(work, object, file);
      makeRoom(file.size());
      Files.move(work, path, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      LocalFiles.deleteTree(work);
    }
  }

  private static void download(ObjectStore store, String object, FileRef file, Path target)
      throws IOException {
    if (file.size() <= DOWNLOAD_BYTES) {
      Files.write(target, store.get(object).orElseThrow(() -> missing(object)).content());
      return;
    }
    long size = store.size(object).orElseThrow(() -> missing(object));
    if (size != file.size()) {
      throw corrupt(object, lengths(file.size(), size), null);
    }
    try (OutputStream out = Files.newOutputStream(target)) {
      for (long at = 0; at < file.size(); at += DOWNLOAD_BYTES) {
        out.write(store.getRange(object, at, (int) Math.min(DOWNLOAD_BYTES, file.size() - at)));
      }
    }
  }

  private static void check(Path path, String object, FileRef file) throws IOException {
    if (!Files.exists(path)) {
      throw missing(object);
    }
    long size = Files.size(path);
    if (size != file.size()) {
      throw corrupt(object, lengths(file.size(), size), null);
    }
    if (LocalFiles.crc32c(path) != file.crc32c()) {
      throw corrupt(object, "its checksum is wrong", null);
    }
  }

  private static String lengths(long expected, long found) {
    return "expectedBytes=" + expected + ", bytes=" + found;
  }

  private Object lock(Path entry) {
    return locks[Math.floorMod(entry.hashCode(), locks.length)];
  }

  private static void touch(Path entry) throws IOException {
    Files.setLastModifiedTime(entry, FileTime.fromMillis(System.currentTimeMillis()));
  }

  /** Removes the entries that were not used for longest until {@code bytes} more fit. */
  private synchronized void makeRoom(long bytes) throws IOException {
    record Entry(Path path, FileTime used, long size) {}
    List<Entry> entries = new ArrayList<>();
    long total = bytes;
    try (Stream<Path> paths = Files.list(files)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        long size = LocalFiles.treeSize(path);
        total += size;
        if (Files.exists(path)) {
          entries.add(new Entry(path, Files.getLastModifiedTime(path), size));
        }
      }
    }
    entries.sort(Comparator.comparing(Entry::used));
    for (Entry entry : entries) {
      if (total <= maxBytes) {
        return;
      }
      Files.deleteIfExists(entry.path());
      total -= entry.size();
    }
  }

  private static LoamException missing(String object) {
    return new LoamException(
        ErrorCode.MISSING_OBJECT,
        "object is gone: object=" + object + "; bring it back from a copy");
  }

  private static LoamException corrupt(String object, String found, @Nullable Exception cause) {
    return new LoamException(
        ErrorCode.CORRUPT_OBJECT,
        "damaged object: object=" + object + ", " + found + "; bring it back from a copy",
        cause);
  }

  private static LoamException cacheFailed(Path path, IOException cause) {
    return new LoamException(
        ErrorCode.STORE_UNAVAILABLE,
        "cache folder cannot be used: path="
            + path
            + "; check its permissions and free space, or name another",
        cause);
  }
}
