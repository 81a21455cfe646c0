package io.loam.maintain;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Head;
import io.loam.manifest.Metastore;
import io.loam.schema.SealedJson;
import io.loam.store.ObjectStore;
import io.loam.store.ObjectStore.StoredObject;
import io.loam.store.Ulid;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The lease of one collection, which long work takes so that two of a kind do not undo each other.
 * It is no lock: what makes it safe is the lease epoch in the head. Taking over a lease that was
 * not given back raises it, and a holder swaps the head only while the head is still in its epoch
 * ({@link Lease#check}), so that one that slept past its deadline commits nothing, whatever the
 * clocks say. Safe for use by several threads and processes.
 */
public final class Leases {
  /** How long a holder that died keeps others waiting; living ones renew. */
  public static final Duration TIME = Duration.ofSeconds(30);

  /** Purpose of work that nobody asked for: others wait for its end, which is not far. */
  static final String BACKGROUND = "upkeep";

  /** How long others wait for the end of work that nobody asked for. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final int FORMAT = 1;
  private static final int UNKNOWN_ATTEMPTS = 3;

  private final ObjectStore store;
  private final Metastore metastore;
  private final Clock clock;

  public Leases(ObjectStore store, Metastore metastore, Clock clock) {
    this.store = store;
    this.metastore = metastore;
    this.clock = clock;
  }

  /**
   * What the object says.
   *
   * @param holder empty once the lease was given back
   */
  record State(String holder, long epoch, long deadlineMillis) {
    boolean isFree() {
      return holder.isEmpty();
    }

    boolean isOf(String purpose) {
      return holder.startsWith(purpose + " ");
    }
  }

  /**
   * Takes the lease if it is free or past its deadline, else fails with {@code CONFLICT}, naming
   * the holder. It waits for a while for work in the background, unless it is for such work itself.
   *
   * @param purpose such as {@code gc}, for messages
   * @param duration until others may take the lease over, unless it is renewed
   */
  public Lease acquire(String purpose, Duration duration) {
    String holder = purpose + " " + Ulid.next();
    long patientUntil = clock.millis() + PATIENCE.toMillis();
    for (int unknowns = 0; ; ) {
      Optional<StoredObject> current = store.get(path());
      State before = current.map(o -> decode(o.content(), path())).orElse(new State("", 0, 0));
      if (before.holder().equals(holder)) { // our own write, whose answer was lost
        return opened(before, current.orElseThrow().tag(), duration);
      }
      long now = clock.millis();
      if (!before.isFree() && before.deadlineMillis() > now) {
        if (before.isOf(BACKGROUND) && !purpose.equals(BACKGROUND) && now < patientUntil) {
          LockSupport.parkNanos(PAUSE.toNanos());
          continue;
        }
        throw new LoamException(
            ErrorCode.CONFLICT,
            "other maintenance is running: collection=%s, holder=%s, until=%s; run the statement again then"
                .formatted(
                    metastore.path(""),
                    before.holder(),
                    Instant.ofEpochMilli(before.deadlineMillis())));
      }
      long epoch = Math.max(before.epoch(), metastore.head().value().leaseEpoch());
      State next =
          new State(holder, before.isFree() ? epoch : epoch + 1, now + duration.toMillis());
      try {
        Optional<String> tag =
            current.isEmpty()
                ? store.putIfAbsent(path(), encode(next))
                : store.putIfMatch(path(), encode(next), current.get().tag());
        if (tag.isPresent()) {
          return opened(next, tag.get(), duration);
        }
      } catch (LoamException e) {
        if (e.code() != ErrorCode.OUTCOME_UNKNOWN || ++unknowns == UNKNOWN_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private Lease opened(State state, String tag, Duration duration) {
    Lease lease = new Lease(this, state, tag, duration);
    metastore.updateHead(
        head -> {
          if (head.leaseEpoch() > state.epoch()) {
            throw takenOver(state, head);
          }
          return head.withLeaseEpoch(state.epoch());
        });
    return lease;
  }

  /** Writes the lease's next state if nobody else has it now; returns the new tag. */
  Optional<String> replace(State next, String tag) {
    return store.putIfMatch(path(), encode(next), tag);
  }

  long nowMillis() {
    return clock.millis();
  }

  LoamException takenOver(State state, Head head) {
    return new LoamException(
        ErrorCode.CONFLICT,
        "lease was taken over: collection=%s, holder=%s, epoch=%d, epochNow=%d; run the statement again"
            .formatted(metastore.path(""), state.holder(), state.epoch(), head.leaseEpoch()));
  }

  private String path() {
    return metastore.path("lease");
  }

  private static byte[] encode(State state) {
    return SealedJson.seal(
        SealedJson.ofFormat(FORMAT)
            .put("holder", state.holder())
            .put("epoch", state.epoch())
            .put("deadline", state.deadlineMillis())
            .put("write", Ulid.next()));
  }

  private static State decode(byte[] bytes, String path) {
    SealedJson json = SealedJson.open(bytes, FORMAT, path);
    return new State(json.text("holder"), json.number("epoch"), json.number("deadline"));
  }
}
