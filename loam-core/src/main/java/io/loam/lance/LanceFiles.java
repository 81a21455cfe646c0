package io.loam.lance;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.FileRef;
import io.loam.store.ObjectStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files of one collection's Lance dataset: where Lance reads and writes them, and their sizes
 * and checksums, which Lance never checks.
 */
public abstract class LanceFiles {
  /** The dataset's folder in the collection's. */
  public static final String FOLDER = "lance/";

  private static final long SMALL_BYTES = 64L << 20;

  /** A file's content as it was checked; a local file that was written since is another. */
  private record Checked(String uri, FileRef file, long modifiedNanos) {}

  // Of the process, so that opening a warehouse again does not read all files again.
  private static final Cache<Checked, Boolean> CHECKED =
      Caffeine.newBuilder().maximumSize(100_000).build();

  final ObjectStore store;
  final String collectionFolder;
  private final LanceVerification verification;

  LanceFiles(ObjectStore store, String collectionFolder, LanceVerification verification) {
    this.store = store;
    this.collectionFolder = collectionFolder;
    this.verification = verification;
  }

  /**
   * The files in a store.
   *
   * @param collectionFolder path of the collection in the store, with {@code /} at the end
   * @param lance what writes in workspaces
   * @param copies where files of a remote store are copied to and new ones are written
   */
  public static LanceFiles in(
      ObjectStore store,
      String collectionFolder,
      LanceVerification verification,
      LanceStore lance,
      LocalCopies copies) {
    return store.localPath(collectionFolder + "lance").isPresent()
        ? new LocalLanceFiles(store, collectionFolder, verification)
        : new RemoteLanceFiles(store, collectionFolder, verification, lance, copies);
  }

  /** A place to write in. */
  public abstract LanceWorkspace workspace();

  /**
   * Opens a version's files for reading. On this machine the lengths of all and the bytes of small
   * ones are checked now, in a remote store when they are required. Fails with {@code
   * MISSING_OBJECT} or {@code CORRUPT_OBJECT}, naming the path.
   *
   * @param manifest Lance's own
   * @param files all others
   */
  public abstract LanceSource source(FileRef manifest, List<FileRef> files);

  /** The size and the age of a file, by a path in the store. */
  abstract State state(String path);

  abstract int crc32c(String path, long size);

  /**
   * @param modifiedNanos time of last write, 0 where files never change
   */
  record State(long size, long modifiedNanos) {}

  /** Remembers that a file just written is what it should be. */
  final void trust(FileRef file, long modifiedNanos) {
    CHECKED.put(new Checked(store.uri(collectionFolder + file.path()), file, modifiedNanos), true);
  }

  final boolean isTrusted(FileRef file, long modifiedNanos) {
    String uri = store.uri(collectionFolder + file.path());
    return CHECKED.getIfPresent(new Checked(uri, file, modifiedNanos)) != null;
  }

  /** Checks a file's length, and its bytes if it is small and this process has not before. */
  final void verify(FileRef file) {
    String path = collectionFolder + file.path();
    State state = state(path);
    if (state.size() != file.size()) {
      throw corrupt(path, "bytes=" + state.size() + ", expected=" + file.size());
    }
    if (isTrusted(file, state.modifiedNanos())) {
      return;
    }
    if (readsBytes(file)) {
      int crc = crc32c(path, file.size());
      if (crc != file.crc32c()) {
        throw corrupt(path, String.format("crc32c=%08x, expected=%08x", crc, file.crc32c()));
      }
    }
    trust(file, state.modifiedNanos());
  }

  private boolean readsBytes(FileRef file) {
    return switch (verification) {
      case NEVER -> false;
      case SMALL -> file.size() <= SMALL_BYTES;
      case ALWAYS -> true;
    };
  }

  static LoamException missing(String path, @Nullable Throwable cause) {
    return new LoamException(
        ErrorCode.MISSING_OBJECT,
        "file is missing: path=" + path + "; restore it from a copy",
        cause);
  }

  private static LoamException corrupt(String path, String facts) {
    return new LoamException(
        ErrorCode.CORRUPT_OBJECT,
        "file is damaged: path=" + path + ", " + facts + "; restore it from a copy");
  }
}
