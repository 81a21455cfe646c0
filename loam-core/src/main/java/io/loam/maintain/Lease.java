package io.loam.maintain;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Head;
import java.time.Duration;
import java.util.Optional;

/** A lease that is held until it is closed or taken over. Used by one thread. */
public final class Lease implements AutoCloseable {
  private final Leases leases;
  private final Duration duration;
  private Leases.State state;
  private String tag;
  private long renewedMillis;

  Lease(Leases leases, Leases.State state, String tag, Duration duration) {
    this.leases = leases;
    this.state = state;
    this.tag = tag;
    this.duration = duration;
    this.renewedMillis = leases.nowMillis();
  }

  /** The head's lease epoch as long as nobody takes over. */
  public long epoch() {
    return state.epoch();
  }

  /**
   * To be asked of every head before it is swapped: fails with {@code CONFLICT} if the lease was
   * taken over.
   */
  public void check(Head head) {
    if (head.leaseEpoch() != state.epoch()) {
      throw leases.takenOver(state, head);
    }
  }

  /**
   * Moves the deadline once a third of the time is over; to be called often. It fails only where
   * the store does: whether the lease was lost, {@link #check} says.
   */
  public void renewIfDue() {
    long now = leases.nowMillis();
    if (now - renewedMillis < duration.toMillis() / 3) {
      return;
    }
    Leases.State next = new Leases.State(state.holder(), state.epoch(), now + duration.toMillis());
    Optional<String> renewed = leases.replace(next, tag);
    renewedMillis = now;
    if (renewed.isPresent()) {
      state = next;
      tag = renewed.get();
    }
  }

  /** Gives the lease back, unless it was taken over. */
  @Override
  public void close() {
    try {
      leases.replace(new Leases.State("", state.epoch(), 0), tag);
    } catch (LoamException e) {
      // The work is done, and the deadline ends the lease as well.
      if (e.code() != ErrorCode.STORE_UNAVAILABLE && e.code() != ErrorCode.OUTCOME_UNKNOWN) {
        throw e;
      }
    }
  }
}
