package io.loam.text;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says to all processes which folders of the cache are in use, so that none is removed under its
 * user: Tantivy opens an index's files again for each new searcher. A user holds a shared lock on a
 * file in the folder; the system frees it when a process dies. A process can lock a file only once,
 * so users are counted here.
 */
final class FolderUse {
  static final String LOCK_FILE = "loam.lock";
  private static final Map<Path, FolderUse> HELD = new HashMap<>();

  private final @Nullable FileChannel channel;
  private int users;

  private FolderUse(@Nullable FileChannel channel) {
    this.channel = channel;
  }

  /** Starts a use; false where the folder is gone. What is in it may still be gone or damaged. */
  static synchronized boolean acquire(Path folder) throws IOException {
    FolderUse use = HELD.get(folder);
    if (use == null) {
      try {
        use = new FolderUse(lockShared(folder));
      } catch (NoSuchFileException e) {
        return false;
      }
      HELD.put(folder, use);
    }
    use.users++;
    return true;
  }

  private static @Nullable FileChannel lockShared(Path folder) throws IOException {
    FileChannel channel = openLockFile(folder);
    boolean locked = false;
    try {
      channel.lock(0, Long.MAX_VALUE, true);
      locked = true;
      return channel;
    } catch (OverlappingFileLockException e) {
      return null; // Another class loader of this process holds it.
    } finally {
      if (!locked) {
        channel.close();
      }
    }
  }

  private static FileChannel openLockFile(Path folder) throws IOException {
    return FileChannel.open(
        folder.resolve(LOCK_FILE),
        StandardOpenOption.CREATE,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE);
  }

  /** Ends a use. */
  static synchronized void release(Path folder) throws IOException {
    FolderUse use = HELD.get(folder);
    if (use != null && --use.users == 0) {
      HELD.remove(folder);
      if (use.channel != null) {
        use.channel.close();
      }
    }
  }

  /** Renames a folder unless someone uses it; true where it is gone from its place. */
  static synchronized boolean moveUnused(Path folder, Path target) throws IOException {
    if (HELD.containsKey(folder)) {
      return false;
    }
    try (FileChannel channel = openLockFile(folder);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        return false;
      }
      Files.move(folder, target, StandardCopyOption.ATOMIC_MOVE);
      return true;
    } catch (NoSuchFileException e) {
      return true;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }
}
