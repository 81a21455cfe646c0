package io.loam.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Mutual exclusion between all threads and processes that use a warehouse's folder, by locks on a
 * fixed set of files that are never renamed or removed.
 */
final class FileMutex {
  private static final int STRIPES = 64;
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Path folder;

  /** The folder must have one spelling in all processes: a real path. */
  FileMutex(Path folder) {
    this.folder = folder;
  }

  /** Does work while nobody else works on the same object. */
  <T> T locked(String objectPath, DiskSync.Repeatable<T> work) throws IOException {
    Path file = folder.resolve("%02x".formatted(Math.floorMod(objectPath.hashCode(), STRIPES)));
    // Closing any channel of a file gives up the whole process's lock on it, so no two threads may
    // have it open. Interned strings are one per JVM, whichever class loader this class came from.
    synchronized (("io.loam.store.lock:" + file).intern()) {
      FileLock lock = DiskSync.uninterrupted(() -> acquire(file));
      try {
        return work.run();
      } finally {
        lock.acquiredBy().close();
      }
    }
  }

  private static FileLock acquire(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      return waitFor(channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static FileLock waitFor(FileChannel channel) throws IOException {
    while (true) {
      try {
        return channel.lock();
      } catch (OverlappingFileLockException e) {
        // This JVM holds it by another spelling of the path, such as a second mount.
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }
}
