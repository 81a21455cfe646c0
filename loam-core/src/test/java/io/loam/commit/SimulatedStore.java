package io.loam.commit;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.store.ForwardingStore;
import io.loam.store.ObjectStore;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A store in memory whose operations are steps of a {@link Scheduler}. By chance it fails before a
 * write, or loses its answer: then the write was done, is done some time later if its condition
 * holds then, or never. Some failures are the first of many.
 */
final class SimulatedStore implements ObjectStore {
  private record Stored(byte[] content, String tag, long modifiedMillis) {}

  private static final int OUTAGE = 12;

  private final Scheduler scheduler;
  private final double faultRate;
  private final Map<String, Stored> objects = new TreeMap<>();

  /** All that was ever there, for those who look back. */
  private final Map<String, byte[]> history = new TreeMap<>();

  private final List<Runnable> late = new ArrayList<>();
  private Consumer<byte[]> headObserver = content -> {};
  private long writes;
  private long millis = 1_000;

  /** How many more operations nearly all fail. */
  private int outage;

  /**
   * @param faultRate how many of the operations fail, from 0 to 1
   */
  SimulatedStore(Scheduler scheduler, double faultRate) {
    this.scheduler = scheduler;
    this.faultRate = faultRate;
  }

  /** Called with each content of a head at the moment when it is in place. */
  void observeHeads(Consumer<byte[]> observer) {
    headObserver = observer;
  }

  /** Time passes between steps, and writes whose answers were lost may be done. */
  void pass() {
    millis++;
    if (!late.isEmpty() && scheduler.random().nextInt(8) == 0) {
      late.remove(scheduler.random().nextInt(late.size())).run();
    }
  }

  /** Does all that is late. */
  void settle() {
    while (!late.isEmpty()) {
      late.remove(0).run();
    }
  }

  /** All objects that are, or once were, there; reading them is no step. */
  ObjectStore past() {
    return new ForwardingStore(this) {
      @Override
      public Optional<StoredObject> get(String path) {
        return Optional.ofNullable(history.get(path))
            .map(content -> new StoredObject(content, "past"));
      }
    };
  }

  /** The store's time. */
  Clock clock() {
    return new Clock() {
      @Override
      public Instant instant() {
        return Instant.ofEpochMilli(millis);
      }

      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException();
      }
    };
  }

  boolean exists(String path) {
    return objects.containsKey(path);
  }

  private <T> T reading(Supplier<T> read) {
    scheduler.step();
    if (fails(4)) {
      throw unavailable();
    }
    return read.get();
  }

  private <T> T writing(Supplier<T> write) {
    scheduler.step();
    if (!fails(1)) {
      return write.get();
    }
    if (scheduler.random().nextInt(6) == 0) {
      outage = OUTAGE;
    }
    switch (scheduler.random().nextInt(4)) {
      case 0 -> throw unavailable();
      case 1 -> write.get();
      case 2 -> late.add(write::get);
      default -> {
        // Lost for good.
      }
    }
    throw new LoamException(ErrorCode.OUTCOME_UNKNOWN, "answer was lost; look again");
  }

  private boolean fails(int seldom) {
    if (outage > 0) {
      outage--;
      return scheduler.random().nextInt(8) > 0;
    }
    return scheduler.isActing() && scheduler.random().nextDouble() * seldom < faultRate;
  }

  private static LoamException unavailable() {
    return new LoamException(ErrorCode.STORE_UNAVAILABLE, "store is away; try again");
  }

  private Optional<String> put(String path, byte[] content) {
    String tag = "t" + ++writes;
    objects.put(path, new Stored(content, tag, millis));
    history.put(path, content);
    if (path.endsWith("/head")) {
      headObserver.accept(content);
    }
    return Optional.of(tag);
  }

  @Override
  public Optional<StoredObject> get(String path) {
    return reading(
        () ->
            Optional.ofNullable(objects.get(path))
                .map(object -> new StoredObject(object.content.clone(), object.tag)));
  }

  @Override
  public byte[] getRange(String path, long offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public OptionalLong size(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<String> putIfAbsent(String path, byte[] content) {
    return writing(() -> objects.containsKey(path) ? Optional.empty() : put(path, content.clone()));
  }

  @Override
  public Optional<String> putFileIfAbsent(String path, Path file) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<String> putIfMatch(String path, byte[] content, String tag) {
    return writing(
        () -> {
          Stored before = objects.get(path);
          return before == null || !before.tag.equals(tag)
              ? Optional.empty()
              : put(path, content.clone());
        });
  }

  @Override
  public List<ObjectInfo> list(String prefix) {
    return reading(
        () -> {
          List<ObjectInfo> found = new ArrayList<>();
          objects.forEach(
              (path, object) -> {
                if (path.startsWith(prefix)) {
                  found.add(new ObjectInfo(path, object.content.length, object.modifiedMillis));
                }
              });
          return found;
        });
  }

  @Override
  public void delete(String path) {
    writing(
        () -> {
          objects.remove(path);
          return path;
        });
  }

  @Override
  public void force(Collection<String> paths) {
    scheduler.step();
  }

  @Override
  public String uri(String path) {
    return "memory:" + path;
  }

  @Override
  public Optional<Path> localPath(String path) {
    return Optional.empty();
  }

  @Override
  public void close() {}
}
