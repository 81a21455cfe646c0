package io.loam.index;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.leaf.CollectionFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Builds each part in a process of its own, a few at a time. */
public final class ChildParts implements PartRunner {
  /** A line that such a process writes to say that it is at work. */
  public static final String PROGRESS = "loam: at work";

  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(5);
  private static final long POLL_MILLIS = 50;

  private final CollectionFiles files;
  private final PartCommand command;
  private final int atOnce;
  private final Duration longestSilence;

  /** Makes the command line of a process that builds a part. */
  public interface PartCommand {
    /**
     * The command line, not started yet.
     *
     * @param temporary a folder for what it leaves
     */
    ProcessBuilder command(String planPath, BuildPlan plan, int part, Path temporary);
  }

  /**
   * Processes that are taken for hung after a few minutes without a sign of life.
   *
   * @param atOnce processes at a time
   */
  public ChildParts(CollectionFiles files, PartCommand command, int atOnce) {
    this(files, command, atOnce, LONGEST_SILENCE);
  }

  /**
   * Likewise, with another patience.
   *
   * @param longestSilence after which a process is taken for hung
   */
  public ChildParts(
      CollectionFiles files, PartCommand command, int atOnce, Duration longestSilence) {
    this.files = files;
    this.command = command;
    this.atOnce = atOnce;
    this.longestSilence = longestSilence;
  }

  @Override
  public void run(String planPath, BuildPlan plan, Progress progress) {
    Path temporary = files.copies().newFolder();
    List<ChildProcess> running = new ArrayList<>();
    try {
      for (int next = 0; next < plan.parts().size() || !running.isEmpty(); ) {
        progress.checkpoint();
        removeDone(running, progress);
        if (next < plan.parts().size() && running.size() < atOnce) {
          running.add(start(planPath, plan, next++, temporary));
        } else {
          TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LoamException(
          ErrorCode.CANCELLED, "the build of an index was interrupted; run it again", e);
    } finally {
      running.forEach(ChildProcess::close);
      files.copies().remove(temporary);
    }
  }

  private static void removeDone(List<ChildProcess> running, Progress progress) {
    for (Iterator<ChildProcess> each = running.iterator(); each.hasNext(); ) {
      if (each.next().isDone()) {
        each.remove();
        progress.built();
      }
    }
  }

  private ChildProcess start(String planPath, BuildPlan plan, int part, Path temporary) {
    try {
      ProcessBuilder child = command.command(planPath, plan, part, temporary);
      child.environment().put("TMPDIR", temporary.toString());
      return new ChildProcess(child, plan.parts().get(part).ulid(), longestSilence);
    } catch (IOException e) {
      throw new LoamException(
          ErrorCode.BUILD_FAILED,
          "a process that builds a part of an index cannot be started: reason=%s; try again"
              .formatted(e.getMessage()),
          e);
    }
  }
}
