package io.loam.commit;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Key;
import io.loam.schema.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A batch checked against one version: which documents it adds and which it removes.
 *
 * @param added in the order of the batch
 * @param removed keys of the documents that go, by row id
 */
record ResolvedBatch(
    List<Addition> added, Map<Long, Key> removed, long inserted, long updated, long deleted) {

  /**
   * A document to add.
   *
   * @param key null for a hidden key that is still to be generated
   * @param given the values as the batch has them, by which the same document is known again
   */
  record Addition(@Nullable Key key, @Nullable Object[] values, @Nullable Object[] given) {}

  boolean isEmpty() {
    return added.isEmpty() && removed.isEmpty();
  }

  /**
   * Fails with {@code DUPLICATE_KEY}, {@code NULL_NOT_ALLOWED} or what {@link Values} finds wrong
   * with a value.
   */
  static ResolvedBatch resolve(WriteBatch batch, CollectionSchema schema, KeyLookup lookup) {
    return new Resolver(schema, lookup).resolve(batch);
  }

  /** Keys that it changes or found absent, but for hidden ones that are still to be generated. */
  Set<Key> keys() {
    Set<Key> keys = new HashSet<>(removed.values());
    for (Addition a : added) {
      if (a.key() != null) {
        keys.add(a.key());
      }
    }
    return keys;
  }

  private static final class Resolver {
    private enum Kind {
      INSERT,
      UPSERT,
      REPLACE
    }

    /** A row to be; 0 is the place of one that replaces another. */
    private record Pending(Kind kind, Canonical values, int row) {}

    /** Values in the form in which they are stored, and as they were given. */
    private record Canonical(@Nullable Object[] values, @Nullable Object[] given) {
      Addition addition(@Nullable Key key) {
        return new Addition(key, values, given);
      }
    }

    private final CollectionSchema schema;
    private final KeyLookup lookup;

    /** Of the batch, from 1 on. */
    private int row;

    private boolean several;
    private final Map<Key, Pending> byKey = new LinkedHashMap<>();
    private final List<Addition> hidden = new ArrayList<>();
    private final Map<Long, Canonical> replaced = new LinkedHashMap<>();
    private final Set<Long> deleted = new HashSet<>();

    Resolver(CollectionSchema schema, KeyLookup lookup) {
      this.schema = schema;
      this.lookup = lookup;
    }

    ResolvedBatch resolve(WriteBatch batch) {
      several = batch.changes().size() > 1;
      for (WriteBatch.Change change : batch.changes()) {
        row++;
        if (change instanceof WriteBatch.Insert i) {
          addNamed(Kind.INSERT, batch, i.values());
        } else if (change instanceof WriteBatch.Upsert u) {
          addNamed(Kind.UPSERT, batch, u.values());
        } else if (change instanceof WriteBatch.Replace r) {
          replaced.put(r.rowId(), canonical(batch, r.values()));
        } else if (change instanceof WriteBatch.Delete d) {
          deleted.add(d.rowId());
        }
      }
      return finish();
    }

    private Canonical canonical(WriteBatch batch, @Nullable Object[] given) {
      return new Canonical(Values.canonical(schema, batch.arranged(given, schema)), given);
    }

    /** Adds a row; what is wrong with it names its place in the batch. */
    private void addNamed(Kind kind, WriteBatch batch, @Nullable Object[] values) {
      try {
        add(kind, canonical(batch, values));
      } catch (LoamException e) {
        throw several ? e.with("row=" + row) : e;
      }
    }

    private void add(Kind kind, Canonical values) {
      if (schema.hasHiddenKey()) {
        hidden.add(values.addition(null));
        return;
      }
      put(keyOf(values.values()), new Pending(kind, values, row));
    }

    private void put(Key key, Pending pending) {
      Pending earlier = byKey.get(key);
      if (earlier == null) {
        byKey.put(key, pending);
      } else if (pending.kind == Kind.UPSERT) {
        byKey.put(key, new Pending(earlier.kind, pending.values, pending.row));
      } else {
        throw duplicate(key, "twice in one statement");
      }
    }

    private Key keyOf(@Nullable Object[] values) {
      Object key = values[schema.position(schema.keyField())];
      if (key == null) {
        throw new LoamException(
            ErrorCode.NULL_NOT_ALLOWED,
            "primary key is null: column="
                + schema.field(schema.keyField()).name()
                + "; give every row a key");
      }
      return Key.ofValue(key);
    }

    private ResolvedBatch finish() {
      Set<Long> named = new HashSet<>(replaced.keySet());
      named.addAll(deleted);
      Map<Long, Key> removed = new HashMap<>(lookup.keys(named));
      List<Addition> added = new ArrayList<>(hidden);
      replaced.forEach(
          (rowId, values) -> {
            Key old = removed.get(rowId);
            if (old == null || deleted.contains(rowId)) {
              return;
            }
            if (schema.hasHiddenKey()) {
              added.add(values.addition(old));
            } else {
              put(keyOf(values.values()), new Pending(Kind.REPLACE, values, 0));
            }
          });
      long gone = deleted.stream().filter(removed::containsKey).count();
      long updated = removed.size() - gone;
      long inserted = hidden.size();
      Map<Key, Long> existing = lookup.rowIds(byKey.keySet());
      for (Map.Entry<Key, Pending> e : byKey.entrySet()) {
        Long rowId = existing.get(e.getKey());
        if (rowId != null && !removed.containsKey(rowId)) {
          if (e.getValue().kind != Kind.UPSERT) {
            LoamException duplicate = duplicate(e.getKey(), "in the table already");
            int place = e.getValue().row;
            throw several && place > 0 ? duplicate.with("row=" + place) : duplicate;
          }
          removed.put(rowId, e.getKey());
          updated++;
        } else if (e.getValue().kind != Kind.REPLACE) {
          inserted++;
        }
        added.add(e.getValue().values.addition(e.getKey()));
      }
      return new ResolvedBatch(added, removed, inserted, updated, gone);
    }

    private LoamException duplicate(Key key, String where) {
      return new LoamException(
          ErrorCode.DUPLICATE_KEY,
          "duplicate key: column="
              + schema.field(schema.keyField()).name()
              + ", value="
              + key
              + ", found="
              + where
              + "; choose another key, or use UPSERT to replace the row");
    }
  }
}
