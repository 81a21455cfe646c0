package io.loam.lance;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.FileRef;
import io.loam.store.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Sizes and checksums of the files of one collection's Lance dataset, which Lance never checks. */
public final class LanceFiles {
  /** The dataset's folder in the collection's. */
  public static final String FOLDER = "lance/";

  private static final long SMALL_BYTES = 64L << 20;
  private static final int LOCAL_BLOCK_BYTES = 128 << 10;
  private static final int REMOTE_BLOCK_BYTES = 8 << 20;
  private static final long REMOTE = 0;

  /** A file's content as it was checked; a local file that was written since is another. */
  private record Checked(String uri, FileRef file, long modifiedNanos) {}

  // Of the process, so that opening a warehouse again does not read all files again.
  private static final Cache<Checked, Boolean> CHECKED =
      Caffeine.newBuilder().maximumSize(100_000).build();

  private record State(long size, long modifiedNanos) {}

  private final ObjectStore store;
  private final String collectionFolder;
  private final LanceVerification verification;

  /**
   * @param collectionFolder path of the collection in the store, with {@code /} at the end
   */
  public LanceFiles(ObjectStore store, String collectionFolder, LanceVerification verification) {
    this.store = store;
    this.collectionFolder = collectionFolder;
    this.verification = verification;
  }

  /** Length and checksum of a file just written, given by its path relative to the dataset. */
  public FileRef describe(String datasetPath) {
    String path = collectionFolder + FOLDER + datasetPath;
    State state = state(path);
    FileRef file = new FileRef(FOLDER + datasetPath, state.size(), crc32c(path, state.size()));
    CHECKED.put(new Checked(store.uri(path), file, state.modifiedNanos()), true);
    return file;
  }

  /**
   * Checks files before they are read: the length of all, and the bytes of those that this process
   * has not checked before. Fails with {@code MISSING_OBJECT} or {@code CORRUPT_OBJECT}, naming the
   * path.
   */
  public void verify(Collection<FileRef> files) {
    for (FileRef file : files) {
      verify(file);
    }
  }

  private void verify(FileRef file) {
    String path = collectionFolder + file.path();
    String uri = store.uri(path);
    if (CHECKED.getIfPresent(new Checked(uri, file, REMOTE)) != null) {
      return; // objects of a remote store never change, and asking for a length is a request
    }
    State state = state(path);
    if (state.size() != file.size()) {
      throw corrupt(path, "bytes=" + state.size() + ", expected=" + file.size());
    }
    Checked checked = new Checked(uri, file, state.modifiedNanos());
    if (CHECKED.getIfPresent(checked) != null) {
      return;
    }
    if (readsBytes(file)) {
      int crc = crc32c(path, file.size());
      if (crc != file.crc32c()) {
        throw corrupt(path, String.format("crc32c=%08x, expected=%08x", crc, file.crc32c()));
      }
    }
    CHECKED.put(checked, true);
  }

  private boolean readsBytes(FileRef file) {
    return switch (verification) {
      case NEVER -> false;
      case SMALL -> file.size() <= SMALL_BYTES;
      case ALWAYS -> true;
    };
  }

  private State state(String path) {
    Optional<Path> local = store.localPath(path);
    if (local.isEmpty()) {
      return new State(store.size(path).orElseThrow(() -> missing(path, null)), REMOTE);
    }
    try {
      BasicFileAttributes attributes = Files.readAttributes(local.get(), BasicFileAttributes.class);
      return new State(attributes.size(), attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS));
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  private int crc32c(String path, long size) {
    CRC32C crc = new CRC32C();
    Optional<Path> local = store.localPath(path);
    if (local.isPresent()) {
      try (InputStream in = Files.newInputStream(local.get())) {
        byte[] block = new byte[(int) Math.min(LOCAL_BLOCK_BYTES, Math.max(1, size))];
        for (int n = in.read(block); n >= 0; n = in.read(block)) {
          crc.update(block, 0, n);
        }
      } catch (IOException e) {
        throw unreadable(path, e);
      }
    } else {
      for (long at = 0; at < size; at += REMOTE_BLOCK_BYTES) {
        crc.update(store.getRange(path, at, (int) Math.min(REMOTE_BLOCK_BYTES, size - at)));
      }
    }
    return (int) crc.getValue();
  }

  private static LoamException unreadable(String path, IOException e) {
    return e instanceof NoSuchFileException
        ? missing(path, e)
        : new LoamException(
            ErrorCode.STORE_UNAVAILABLE,
            "file cannot be read: path=" + path + "; check the folder and its permissions",
            e);
  }

  private static LoamException missing(String path, @Nullable Throwable cause) {
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
