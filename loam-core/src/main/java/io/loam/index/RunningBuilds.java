package io.loam.index;

import io.loam.maintain.Upkeep;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Builds of indexes that this process has begun and not ended. Safe for use by several threads. */
final class RunningBuilds {
  private final Clock clock = Clock.systemUTC();
  private final List<Build> builds = new ArrayList<>();

  /** Begins a build; it ends when it is closed. */
  synchronized Build begin(String index, Runnable checkpoint) {
    Build build = new Build(index, clock.millis(), checkpoint);
    builds.add(build);
    return build;
  }

  private synchronized void end(Build build) {
    builds.remove(build);
  }

  /** How far each of them is, the oldest first. */
  synchronized List<Upkeep.Running> toList() {
    return builds.stream().map(Build::running).toList();
  }

  /** One build, from its plan to its last part. */
  final class Build implements PartRunner.Progress, AutoCloseable {
    private final String index;
    private final long beganMillis;
    private final Runnable checkpoint;
    private int parts;
    private int built;

    private Build(String index, long beganMillis, Runnable checkpoint) {
      this.index = index;
      this.beganMillis = beganMillis;
      this.checkpoint = checkpoint;
    }

    /** Training is done, and so many parts are to be built. */
    synchronized void planned(int count) {
      parts = count;
    }

    @Override
    public void checkpoint() {
      checkpoint.run();
    }

    @Override
    public synchronized void built() {
      built++;
    }

    private synchronized Upkeep.Running running() {
      String how = parts == 0 ? "training" : "parts=%d, built=%d".formatted(parts, built);
      return new Upkeep.Running("index %s: %s".formatted(index, how), beganMillis);
    }

    @Override
    public void close() {
      end(this);
    }
  }
}
