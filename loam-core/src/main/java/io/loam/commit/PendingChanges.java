package io.loam.commit;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Key;
import io.loam.schema.Limits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the statements of a transaction have changed so far, on top of one version. Rows that it
 * adds have row ids of their own until they are committed. Not safe for use by several threads.
 */
public final class PendingChanges {
  /** Pending rows have row ids from here on, which no committed row ever has. */
  public static final long FIRST_ROW_ID = 1L << 62;

  private static final long NONE = -1;

  /**
   * A row that is not committed.
   *
   * @param values in the order of the schema's fields, canonical
   * @param inserted whether its key must be new when it is committed
   * @param replaced row id of the committed row in whose place it is, or -1
   */
  public record Row(Key key, @Nullable Object[] values, boolean inserted, long replaced) {}

  private final CollectionSchema schema;
  private final long baseVersion;
  private final List<@Nullable Row> rows = new ArrayList<>();
  private final Map<Key, Long> rowIds = new HashMap<>();
  private final Map<Long, Key> removed = new LinkedHashMap<>();

  public PendingChanges(CollectionSchema schema, long baseVersion) {
    this.schema = schema;
    this.baseVersion = baseVersion;
  }

  /**
   * Adds a statement's changes, which may name pending rows by their row ids. Fails as {@link
   * Committer#commit} does, and has changed nothing then.
   *
   * @param base finds the documents of the version
   */
  public void apply(WriteBatch batch, KeyLookup base) {
    ResolvedBatch resolved = ResolvedBatch.resolve(batch, schema, new Lookup(base));
    if (rows.size() + resolved.added().size() > Limits.MAX_STATEMENT_ROWS) {
      throw new LoamException(
          ErrorCode.LIMIT_EXCEEDED,
          "transaction changes too many rows: limit="
              + Limits.MAX_STATEMENT_ROWS
              + "; commit more often");
    }
    boolean inserts = batch.changes().stream().anyMatch(WriteBatch.Insert.class::isInstance);
    Map<Key, Row> before = remove(resolved.removed());
    for (ResolvedBatch.Addition added : resolved.added()) {
      long rowId = FIRST_ROW_ID + rows.size();
      Key key = added.key() == null ? Key.of(rowId) : added.key();
      Row old = before.get(key);
      rows.add(
          old == null
              ? new Row(key, added.values(), inserts, NONE)
              : new Row(key, added.values(), old.inserted, old.replaced));
      rowIds.put(key, rowId);
    }
  }

  /** Takes rows away; gives those that others of the same key may now replace. */
  private Map<Key, Row> remove(Map<Long, Key> gone) {
    Map<Key, Row> before = new HashMap<>();
    gone.forEach(
        (rowId, key) -> {
          if (rowId >= FIRST_ROW_ID) {
            before.put(key, rows.set(index(rowId), null));
            rowIds.remove(key);
          } else {
            removed.put(rowId, key);
            before.put(key, new Row(key, new Object[0], false, rowId));
          }
        });
    return before;
  }

  private static int index(long rowId) {
    return Math.toIntExact(rowId - FIRST_ROW_ID);
  }

  public boolean isEmpty() {
    return removed.isEmpty() && rowIds.isEmpty();
  }

  /** Pending rows in order of their row ids, from {@link #FIRST_ROW_ID} on; null where gone. */
  public List<@Nullable Row> rows() {
    return Collections.unmodifiableList(rows);
  }

  /** Row ids of the version's documents that are gone or replaced. */
  public long[] removed() {
    return removed.keySet().stream().mapToLong(Long::longValue).toArray();
  }

  /** All changes as one batch, whose commit fails where others have changed the same keys. */
  public WriteBatch toBatch() {
    WriteBatch batch = WriteBatch.isolatedOn(baseVersion).madeFor(schema);
    Set<Long> deleted = new HashSet<>(removed.keySet());
    for (Row row : rows) {
      if (row == null) {
        continue;
      }
      if (row.replaced != NONE) {
        batch.replace(row.replaced, row.values);
        deleted.remove(row.replaced);
      } else if (row.inserted) {
        batch.insert(row.values);
      } else {
        batch.upsert(row.values);
      }
    }
    deleted.forEach(batch::delete);
    return batch;
  }

  /** Finds documents of the version and pending rows together. */
  private final class Lookup implements KeyLookup {
    private final KeyLookup base;

    Lookup(KeyLookup base) {
      this.base = base;
    }

    @Override
    public Map<Key, Long> rowIds(Set<Key> keys) {
      Set<Key> elsewhere = new HashSet<>(keys);
      elsewhere.removeAll(rowIds.keySet());
      Map<Key, Long> found = new HashMap<>(base.rowIds(elsewhere));
      found.values().removeAll(removed.keySet());
      for (Key key : keys) {
        Long pending = rowIds.get(key);
        if (pending != null) {
          found.put(key, pending);
        }
      }
      return found;
    }

    @Override
    public Map<Long, Key> keys(Set<Long> wanted) {
      Set<Long> committed = new HashSet<>();
      Map<Long, Key> found = new HashMap<>();
      for (long rowId : wanted) {
        if (rowId < FIRST_ROW_ID) {
          committed.add(rowId);
        } else {
          Row row = rows.get(index(rowId));
          if (row != null) {
            found.put(rowId, row.key);
          }
        }
      }
      committed.removeAll(removed.keySet());
      found.putAll(base.keys(committed));
      return found;
    }

    @Override
    public void close() {
      base.close();
    }
  }
}
