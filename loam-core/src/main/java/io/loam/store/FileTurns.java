package io.loam.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Turns between the processes that use one folder, by locks on places in one file. Each name has
 * two: that of the turn, and that of who is next. The latter is given up once the turn is there, so
 * whoever has just had the turn has to queue for it again.
 */
final class FileTurns implements AutoCloseable {
  /** A holder that has stopped delays others no longer than this. */
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  /** Kept open, since closing any channel of a file gives up all locks of the process on it. */
  private final FileChannel channel;

  FileTurns(Path file) throws IOException {
    channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  /** Waits for the turn; none if that takes too long, or is cancelled. */
  ObjectStore.Turn take(String name) throws IOException {
    long place = 2L * (name.hashCode() & Integer.MAX_VALUE);
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    Optional<FileLock> next = lock(place + 1, deadline);
    if (next.isEmpty()) {
      return ObjectStore.Turn.NONE;
    }
    try {
      return lock(place, deadline).map(FileTurns::until).orElse(ObjectStore.Turn.NONE);
    } finally {
      next.get().release();
    }
  }

  private static ObjectStore.Turn until(FileLock lock) {
    return () -> {
      try {
        lock.release();
      } catch (IOException e) {
        // What was done in the turn must not fail for it; others pass over a turn that never ends.
      }
    };
  }

  private Optional<FileLock> lock(long place, long deadline) throws IOException {
    while (true) {
      Optional<FileLock> lock = tryLock(place);
      if (lock.isPresent()
          || System.nanoTime() > deadline
          || Thread.currentThread().isInterrupted()) {
        return lock;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private Optional<FileLock> tryLock(long place) throws IOException {
    try {
      return Optional.ofNullable(channel.tryLock(place, 1, false));
    } catch (OverlappingFileLockException e) {
      return Optional.empty(); // another thread of this process has it
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
