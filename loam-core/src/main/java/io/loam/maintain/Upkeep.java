package io.loam.maintain;

import java.util.List;
import java.util.Optional;

/**
 * How a collection is kept.
 *
 * @param running builds of indexes in this process, the oldest first
 * @param due what maintenance would do now
 * @param failure the last failure of work in the background of this process, unless it went well
 *     since
 * @param done what retained versions did, newest first
 */
public record Upkeep(
    List<Running> running, List<Due> due, Optional<Failure> failure, List<Done> done) {
  public Upkeep {
    running = List.copyOf(running);
    due = List.copyOf(due);
    done = List.copyOf(done);
  }

  /** Work that has not ended. */
  public record Running(String detail, long beganMillis) {}

  /** A step that is done. */
  public record Done(Step step, long atMillis) {}

  /** Work in the background that failed. */
  public record Failure(String message, long atMillis) {}
}
