package io.loam.maintain;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Head;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A lease that is held until it is closed or taken over. {@link #keepAlive} renews it while work
 * goes on. Safe for use by several threads.
 */
public final class Lease implements AutoCloseable {
  /** For how long a lease is kept alive without any sign that its work goes on. */
  static final Duration LONGEST_SILENCE = Duration.ofMinutes(30);

  /** How often a lease is renewed in its time. */
  private static final int RENEWALS = 3;

  private final Leases leases;
  private final Duration duration;
  private Leases.State state;
  private String tag;
  private long renewedMillis;
  private long progressMillis;
  private boolean closed;
  private @Nullable Ticker ticker;

  Lease(Leases leases, Leases.State state, String tag, Duration duration) {
    this.leases = leases;
    this.state = state;
    this.tag = tag;
    this.duration = duration;
    this.renewedMillis = leases.nowMillis();
    this.progressMillis = renewedMillis;
  }

  /**
   * Renews the lease by itself from now on, so that it may be short: who waits for the lease of a
   * process that died waits no longer. Work that gives no sign of {@link #progress} for long is
   * taken for hung.
   */
  public synchronized Lease keepAlive() {
    ticker = new Ticker("loam-lease", duration.toMillis() / RENEWALS, this::renewAlive);
    return this;
  }

  /** To be called now and then by the work that the lease is for. */
  public synchronized void progress() {
    progressMillis = leases.nowMillis();
  }

  private void renewAlive() {
    synchronized (this) {
      if (leases.nowMillis() - progressMillis >= LONGEST_SILENCE.toMillis()) {
        return;
      }
    }
    try {
      renewIfDue();
    } catch (LoamException e) {
      // Tried again at the next tick; whether the lease was lost meanwhile, the head tells.
      return;
    }
  }

  /** The head's lease epoch as long as nobody takes over. */
  public synchronized long epoch() {
    return state.epoch();
  }

  /**
   * To be asked of every head before it is swapped: fails with {@code CONFLICT} if the lease was
   * taken over.
   */
  public synchronized void check(Head head) {
    progress();
    if (head.leaseEpoch() != state.epoch()) {
      throw leases.takenOver(state, head);
    }
  }

  /**
   * Moves the deadline once a third of the time is over. It fails only where the store does:
   * whether the lease was lost, {@link #check} says.
   */
  public synchronized void renewIfDue() {
    long now = leases.nowMillis();
    if (closed || now - renewedMillis < duration.toMillis() / RENEWALS) {
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
    Ticker renewing;
    synchronized (this) {
      closed = true;
      renewing = ticker;
      ticker = null;
    }
    if (renewing != null) {
      renewing.close();
    }
    giveBack();
  }

  private synchronized void giveBack() {
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
