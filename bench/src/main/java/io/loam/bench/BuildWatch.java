package io.loam.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keeps the most memory of its own that a process which this one started has, until it is closed.
 */
final class BuildWatch implements AutoCloseable {
  private static final long POLL_MILLIS = 20;

  private final Thread thread = new Thread(this::run, "build-watch");
  private volatile long peakKilobytes;

  BuildWatch() {
    thread.setDaemon(true);
    thread.start();
  }

  long peakMegabytes() {
    return peakKilobytes >> 10;
  }

  private void run() {
    try {
      while (true) {
        peakKilobytes =
            Math.max(
                peakKilobytes,
                ProcessHandle.current()
                    .children()
                    .mapToLong(BuildWatch::kilobytes)
                    .max()
                    .orElse(0));
        Thread.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      // It was closed.
    }
  }

  private static long kilobytes(ProcessHandle process) {
    try {
      return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
          .filter(line -> line.startsWith("RssAnon:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0; // it has ended
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
