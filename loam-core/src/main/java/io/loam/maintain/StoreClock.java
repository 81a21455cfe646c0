package io.loam.maintain;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.store.ObjectStore;
import io.loam.store.Ulid;

/** Asks a store what time it has, so that ages of its objects mean something. */
final class StoreClock {
  private static final byte[] PROBE = {'p'};

  private StoreClock() {}

  /**
   * The time at which a probe was written, by the store's clock.
   *
   * @param folder for the probe, with {@code /} at its end
   */
  static long millis(ObjectStore store, String folder) {
    String path = folder + "probes/" + Ulid.next();
    store.putIfAbsent(path, PROBE);
    try {
      return store.list(path).stream()
          .filter(object -> object.path().equals(path))
          .findFirst()
          .orElseThrow(
              () ->
                  new LoamException(
                      ErrorCode.STORE_UNAVAILABLE,
                      "object just written is not listed: path=" + path + "; try again"))
          .modifiedMillis();
    } finally {
      store.delete(path);
    }
  }
}
