package io.loam.jdbc;

import io.loam.Warehouse;
import io.loam.WarehouseOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * One open warehouse per location and options, shared by connections and closed with the last of
 * them.
 *
 * @param <T> what is made once for each warehouse
 */
final class WarehousePool<T> {
  private final Function<WarehouseOptions, Warehouse> opener;
  private final Function<Warehouse, T> companion;
  private final Map<WarehouseOptions, Shared<T>> open = new HashMap<>();

  private static final class Shared<T> {
    final Warehouse warehouse;
    final T companion;
    int leases;

    Shared(Warehouse warehouse, T companion) {
      this.warehouse = warehouse;
      this.companion = companion;
    }
  }

  /** One connection's share. Closing it twice is harmless. */
  final class Lease implements AutoCloseable {
    private final WarehouseOptions options;
    private final Shared<T> shared;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Lease(WarehouseOptions options, Shared<T> shared) {
      this.options = options;
      this.shared = shared;
    }

    Warehouse warehouse() {
      return shared.warehouse;
    }

    T companion() {
      return shared.companion;
    }

    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        release(options, shared);
      }
    }
  }

  WarehousePool(Function<WarehouseOptions, Warehouse> opener, Function<Warehouse, T> companion) {
    this.opener = opener;
    this.companion = companion;
  }

  synchronized Lease lease(WarehouseOptions options) {
    Shared<T> shared = open.get(options);
    if (shared == null) {
      Warehouse warehouse = opener.apply(options);
      shared = new Shared<>(warehouse, companion.apply(warehouse));
      open.put(options, shared);
    }
    shared.leases++;
    return new Lease(options, shared);
  }

  private synchronized void release(WarehouseOptions options, Shared<T> shared) {
    shared.leases--;
    if (shared.leases == 0) {
      open.remove(options);
      shared.warehouse.close();
    }
  }
}
