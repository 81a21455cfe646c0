package io.loam.index;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Collectors;

/**
 * A process that builds one part. It tells by lines on its standard output that it is at work, and
 * ends by itself where this process does, which holds the other end of its standard input.
 */
final class ChildProcess implements AutoCloseable {
  private static final int KEPT_LINES = 20;

  private final Process process;
  private final String name;
  private final Duration longestSilence;
  private final Deque<String> lines = new ArrayDeque<>();
  private long heardNanos = System.nanoTime();

  /**
   * @param longestSilence after which it is taken for hung
   */
  ChildProcess(ProcessBuilder command, String name, Duration longestSilence) throws IOException {
    this.name = name;
    this.longestSilence = longestSilence;
    this.process = command.redirectErrorStream(true).start();
    Thread reader = new Thread(this::read, "loam-build-output");
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        heard(line);
      }
    } catch (IOException e) {
      heard(e.toString());
    }
  }

  private synchronized void heard(String line) {
    heardNanos = System.nanoTime();
    if (!line.equals(ChildParts.PROGRESS)) {
      lines.add(line);
      if (lines.size() > KEPT_LINES) {
        lines.remove();
      }
    }
  }

  /** Whether it has ended well. Fails with {@code BUILD_FAILED} if it ended otherwise or hangs. */
  boolean isDone() {
    if (process.isAlive()) {
      if (silence().compareTo(longestSilence) >= 0) {
        throw failed("no sign of life for " + longestSilence.toSeconds() + " s");
      }
      return false;
    }
    if (process.exitValue() != 0) {
      throw failed("exit code " + process.exitValue());
    }
    return true;
  }

  private synchronized Duration silence() {
    return Duration.ofNanos(System.nanoTime() - heardNanos);
  }

  private synchronized LoamException failed(String how) {
    return new LoamException(
        ErrorCode.BUILD_FAILED,
        "a process that built a part of an index failed: part=%s, how=%s, output=%s; nothing was changed, try again"
            .formatted(name, how, lines.stream().collect(Collectors.joining(" | "))));
  }

  /** Ends the process if it is still there. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
