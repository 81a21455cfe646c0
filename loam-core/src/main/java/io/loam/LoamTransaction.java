package io.loam;

import io.loam.commit.CommitResult;
import io.loam.commit.KeyLookup;
import io.loam.commit.PendingChanges;
import io.loam.commit.WriteBatch;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.leaf.MemoryRows;
import io.loam.leaf.OpenVersion;
import io.loam.query.Snapshot;
import io.loam.schema.CollectionSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A transaction on a version of a collection, which it keeps open. */
final class LoamTransaction implements Transaction {

  /** What a transaction needs of its collection. */
  interface Base extends AutoCloseable {
    OpenVersion version();

    /** Looks keys up in the version alone. */
    KeyLookup lookup();

    /** A snapshot of the version as changed. */
    Snapshot snapshot(OpenVersion changed);

    CommitResult commit(WriteBatch batch);

    @Override
    void close();
  }

  private final Base base;
  private final CollectionSchema schema;
  private final PendingChanges changes;

  /** Pending rows by index: each chunk is less than half as large as the one before. */
  private final List<MemoryRows> chunks = new ArrayList<>();

  private int indexed;
  private @Nullable OpenVersion changed;
  private boolean ended;

  LoamTransaction(Base base) {
    this.base = base;
    this.schema = base.version().schema();
    this.changes = new PendingChanges(schema, base.version().manifest().version());
  }

  @Override
  public CollectionSchema schema() {
    return schema;
  }

  @Override
  public Snapshot snapshot() {
    checkActive();
    if (changed == null) {
      changed = changes.isEmpty() ? base.version() : overlay();
    }
    return base.snapshot(changed);
  }

  private OpenVersion overlay() {
    while (indexed < changes.rows().size()) {
      addChunk(indexed);
    }
    return base.version().with(changes.removed(), chunks, i -> changes.rows().get(i) != null);
  }

  /** Indexes new rows, together with earlier chunks that are not much larger. */
  private void addChunk(int from) {
    int end = changes.rows().size();
    int start = from;
    while (!chunks.isEmpty() && chunks.get(chunks.size() - 1).size() <= 2 * (end - start)) {
      start -= chunks.remove(chunks.size() - 1).size();
    }
    List<MemoryRows.@Nullable Row> rows = new ArrayList<>(end - start);
    for (PendingChanges.Row row : changes.rows().subList(start, end)) {
      rows.add(row == null ? null : new MemoryRows.Row(row.key(), row.values()));
    }
    chunks.add(new MemoryRows(schema, PendingChanges.FIRST_ROW_ID + start, rows));
    indexed = end;
  }

  @Override
  public void apply(WriteBatch batch) {
    checkActive();
    try (KeyLookup lookup = base.lookup()) {
      changes.apply(batch, lookup);
    }
    changed = null;
  }

  @Override
  public CommitResult commit() {
    checkActive();
    try (this) {
      return changes.isEmpty()
          ? new CommitResult(base.version().manifest().version(), 0, 0, 0)
          : base.commit(changes.toBatch());
    }
  }

  private void checkActive() {
    if (ended) {
      throw new LoamException(ErrorCode.CLOSED, "transaction has ended; begin another");
    }
  }

  @Override
  public void close() {
    if (!ended) {
      ended = true;
      base.close();
    }
  }
}
