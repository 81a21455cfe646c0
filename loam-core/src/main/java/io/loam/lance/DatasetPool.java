package io.loam.lance;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.ReadOptions;
import org.lance.Session;

/**
 * Open versions of datasets. Opening costs time that grows with the number of fragments, so a few
 * versions that nobody uses stay open.
 */
final class DatasetPool implements AutoCloseable {
  private record Version(LanceAddress address, long version) {
    String uri() {
      return address.uri();
    }
  }

  private final BufferAllocator allocator;
  private final Session session;
  private final int idleLimit;
  private final Map<Version, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private boolean closed;

  DatasetPool(BufferAllocator allocator, Session session, int idleLimit) {
    this.allocator = allocator;
    this.session = session;
    this.idleLimit = idleLimit;
  }

  /** A version that stays open until the lease is closed. */
  Lease lease(LanceAddress address, long version) {
    Version key = new Version(address, version);
    Lease lease = lease(key, new Entry());
    try {
      lease.entry.open(address, () -> openDataset(key));
      return lease;
    } catch (LoamException e) {
      lease.close();
      throw e;
    }
  }

  /** Takes over an open version, which is likely to be asked for next. */
  void adopt(LanceAddress address, Dataset dataset) {
    Entry entry = new Entry();
    entry.open(address, () -> dataset);
    try (Lease lease = lease(new Version(address, dataset.version()), entry)) {
      if (lease.entry != entry) {
        dataset.close();
      }
    } catch (LoamException e) {
      dataset.close();
      throw e;
    }
  }

  private Lease lease(Version key, Entry ifAbsent) {
    synchronized (entries) {
      if (closed) {
        throw closed(key.uri());
      }
      Entry entry = entries.computeIfAbsent(key, k -> ifAbsent);
      entry.leases++;
      return new Lease(entry, key.address());
    }
  }

  /** Fails with {@code CLOSED} once the pool is closed. */
  void checkOpen(String uri) {
    synchronized (entries) {
      if (closed) {
        throw closed(uri);
      }
    }
  }

  /** Lets go of a dataset's versions that nobody uses. */
  void forget(String uri) {
    List<Entry> forgotten = new ArrayList<>();
    synchronized (entries) {
      entries
          .entrySet()
          .removeIf(
              e -> {
                boolean idle = e.getKey().uri().equals(uri) && e.getValue().leases == 0;
                return idle && forgotten.add(e.getValue());
              });
    }
    forgotten.forEach(Entry::close);
  }

  private Dataset openDataset(Version key) {
    return Dataset.open()
        .uri(key.uri())
        .allocator(allocator)
        .session(session)
        .readOptions(
            new ReadOptions.Builder()
                .setVersion(key.version())
                .setStorageOptions(key.address().options())
                .build())
        .build();
  }

  private void release(Entry released) {
    List<Entry> evicted = new ArrayList<>();
    synchronized (entries) {
      released.leases--;
      long idle = entries.values().stream().filter(e -> e.leases == 0).count();
      for (Iterator<Entry> it = entries.values().iterator(); it.hasNext() && idle > 0; ) {
        Entry entry = it.next();
        if (entry.leases == 0 && (idle > idleLimit || entry.dataset == null)) {
          it.remove();
          evicted.add(entry);
          idle--;
        }
      }
      if (closed) {
        evicted.add(released); // it may have been opened while the pool closed
      }
    }
    evicted.forEach(Entry::close);
  }

  private static LoamException closed(String uri) {
    return new LoamException(
        ErrorCode.CLOSED, "Lance dataset is closed: uri=" + uri + "; open the warehouse again");
  }

  @Override
  public void close() {
    List<Entry> all;
    synchronized (entries) {
      closed = true;
      all = List.copyOf(entries.values());
      entries.clear();
    }
    all.forEach(Entry::close);
  }

  private static final class Entry {
    private int leases; // guarded by entries
    private volatile @Nullable Dataset dataset;
    private volatile Map<String, Field> columns = Map.of();

    /** Opens the version unless it is open; others that lease it meanwhile wait. */
    synchronized void open(LanceAddress address, LanceCalls.Call<Dataset> opening) {
      if (dataset == null) {
        dataset =
            LanceCalls.reading(
                address,
                () -> {
                  Dataset opened = opening.run();
                  columns =
                      opened.getSchema().getFields().stream()
                          .collect(
                              Collectors.toUnmodifiableMap(Field::getName, Function.identity()));
                  return opened;
                });
      }
    }

    void close() {
      Dataset open = dataset;
      if (open != null) {
        open.close();
      }
    }
  }

  /** The use of a version by one owner. Safe for use by several threads. */
  final class Lease implements AutoCloseable {
    private final Entry entry;
    private final LanceAddress address;
    private boolean released; // guarded by entries

    private Lease(Entry entry, LanceAddress address) {
      this.entry = entry;
      this.address = address;
    }

    LanceAddress address() {
      return address;
    }

    String uri() {
      return address.uri();
    }

    /** The open dataset, or {@code CLOSED} once the lease or the pool is closed. */
    Dataset dataset() {
      Dataset open = entry.dataset;
      synchronized (entries) {
        if (released || closed || open == null) {
          throw closed(uri());
        }
      }
      return open;
    }

    /** Whether the version has the column; Lance ends the process when asked to take another. */
    boolean hasColumn(String name) {
      return entry.columns.containsKey(name);
    }

    /** Components of a vector column, or 0 where the version has no such column. */
    int dimension(String name) {
      Field column = entry.columns.get(name);
      return column == null ? 0 : ((ArrowType.FixedSizeList) column.getType()).getListSize();
    }

    @Override
    public void close() {
      synchronized (entries) {
        if (released) {
          return;
        }
        released = true;
      }
      release(entry);
    }
  }
}
