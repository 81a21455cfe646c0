package io.loam.maintain;

import io.loam.error.LoamException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Pins the versions of one collection that this process reads for long. A reader only registers
 * itself; {@link #tick}, called by a timer, writes and renews pins for those that have been open
 * for some seconds, so that short statements cost no write. Safe for use by several threads.
 */
public final class ReaderPins implements AutoCloseable {
  /** How long a reader is open before its version is pinned. */
  public static final Duration PIN_AFTER = Duration.ofSeconds(5);

  private static final Duration RENEW_AFTER = Duration.ofMinutes(2);

  private final Pins pins;
  private final LongSupplier nanoClock;
  private final Set<Reader> readers = ConcurrentHashMap.newKeySet();
  private final Map<Long, Held> held = new HashMap<>();
  private boolean closed;

  /**
   * @param nanoClock such as {@link System#nanoTime}
   */
  public ReaderPins(Pins pins, LongSupplier nanoClock) {
    this.pins = pins;
    this.nanoClock = nanoClock;
  }

  /** Somebody who reads a version, until it is closed. */
  public final class Reader implements AutoCloseable {
    private final long version;
    private final String manifestPath;
    private final long openedNanos = nanoClock.getAsLong();

    private Reader(long version, String manifestPath) {
      this.version = version;
      this.manifestPath = manifestPath;
    }

    @Override
    public void close() {
      readers.remove(this);
    }
  }

  /**
   * A version that has long readers.
   *
   * @param pin null where the version was not retained any more, so that no pin can keep it
   */
  private record Held(Pins.@Nullable Pin pin, long writtenNanos) {}

  /** Registers a reader. */
  public Reader open(long version, String manifestPath) {
    Reader reader = new Reader(version, manifestPath);
    readers.add(reader);
    return reader;
  }

  /** Registers somebody who reads for long, whose version is pinned at once if it still can be. */
  public Reader openLong(long version, String manifestPath) {
    Reader reader = open(version, manifestPath);
    synchronized (this) {
      if (!closed) {
        hold(reader, nanoClock.getAsLong());
      }
    }
    return reader;
  }

  /**
   * Writes the pins that are due and removes those that nobody needs. Where the store fails, the
   * rest is done by a later call: a version without its pin is as one that is read for a short
   * time.
   */
  public synchronized void tick() {
    if (closed) {
      return;
    }
    long now = nanoClock.getAsLong();
    Set<Long> read = new HashSet<>();
    try {
      for (Reader reader : readers) {
        read.add(reader.version);
        if (now - reader.openedNanos >= PIN_AFTER.toNanos()) {
          hold(reader, now);
        }
      }
      releaseAllBut(read);
    } catch (LoamException e) {
      return; // tried again at the next tick
    }
  }

  private void hold(Reader reader, long now) {
    Held before = held.get(reader.version);
    if (before == null) {
      held.put(reader.version, new Held(pin(reader), now));
    } else if (before.pin != null && now - before.writtenNanos >= RENEW_AFTER.toNanos()) {
      Optional<Pins.Pin> renewed = pins.renew(before.pin, reader.version, reader.manifestPath);
      held.put(reader.version, new Held(renewed.orElseGet(() -> pin(reader)), now));
    }
  }

  private Pins.@Nullable Pin pin(Reader reader) {
    return pins.create(reader.version, reader.manifestPath).orElse(null);
  }

  private void releaseAllBut(Set<Long> read) {
    for (Iterator<Map.Entry<Long, Held>> i = held.entrySet().iterator(); i.hasNext(); ) {
      Map.Entry<Long, Held> entry = i.next();
      if (!read.contains(entry.getKey())) {
        Pins.Pin pin = entry.getValue().pin;
        if (pin != null) {
          pins.remove(pin);
        }
        i.remove();
      }
    }
  }

  /** Removes all pins; those that the store does not let go end with their lifetime. */
  @Override
  public synchronized void close() {
    closed = true;
    try {
      releaseAllBut(Set.of());
    } catch (LoamException e) {
      held.clear();
    }
  }
}
