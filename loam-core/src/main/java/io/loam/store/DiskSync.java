package io.loam.store;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLockInterruptionException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Brings a file's content, or a folder's names, to stable storage. */
@FunctionalInterface
interface DiskSync {
  /** The operating system's fsync. */
  DiskSync FSYNC =
      path ->
          uninterrupted(
              () -> {
                try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                  channel.force(true);
                  return path;
                }
              });

  void sync(Path path) throws IOException;

  /** Work that can be done again from its start. */
  @FunctionalInterface
  interface Repeatable<T> {
    T run() throws IOException;
  }

  /**
   * Does work on channels to its end although the thread is interrupted, since an interrupt closes
   * a channel and would leave an outcome unknown. The thread stays marked as interrupted.
   */
  static <T> T uninterrupted(Repeatable<T> work) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return work.run();
        } catch (ClosedByInterruptException | FileLockInterruptionException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
