package io.loam.commit;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.FileRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.TailRef;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Key;
import io.loam.store.Ulid;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.roaringbitmap.RoaringBitmap;

/** Rows in memory; manifests name them as parts of the tail. */
final class MemoryStorage implements CommitStorage {
  static final FileRef FILE = new FileRef("lance/file", 1, 1);

  private final Map<Long, NewRow> rows = new HashMap<>();
  private int prepared;
  private int renamed;
  private boolean filesGone;
  private long applied;
  private Runnable failure = () -> {};
  private final Function<String, FileRef> files;

  private record Part(FileRef file, RowIdRange rowIds) implements PreparedRows {}

  /** Without files. */
  MemoryStorage() {
    this(path -> FILE);
  }

  /**
   * @param files makes a file, given its path in the collection's folder
   */
  MemoryStorage(Function<String, FileRef> files) {
    this.files = files;
  }

  @Override
  public PreparedRows prepare(
      CollectionSchema schema, List<NewRow> added, IntSupplier fragmentIds) {
    prepared++;
    added.forEach(row -> rows.put(row.rowId(), row));
    return new Part(
        files.apply("tail/" + Ulid.next() + ".arrow"),
        new RowIdRange(added.get(0).rowId(), added.size()));
  }

  @Override
  public PreparedRows renamed(PreparedRows rows) {
    if (filesGone) {
      throw new LoamException(ErrorCode.MISSING_OBJECT, "file is gone; restore it");
    }
    renamed++;
    return new Part(files.apply("tail/" + Ulid.next() + ".arrow"), ((Part) rows).rowIds());
  }

  @Override
  public Contents apply(
      Manifest parent,
      CollectionSchema schema,
      List<PreparedRows> added,
      long[] removed,
      IntSupplier fragmentIds) {
    Runnable first = failure;
    failure = () -> {};
    first.run();
    List<TailRef> tail = new ArrayList<>();
    for (TailRef ref : parent.tail()) {
      RoaringBitmap deleted = ref.deleted().clone();
      for (long rowId : removed) {
        if (ref.rowIds().contains(rowId)) {
          deleted.add((int) (rowId - ref.rowIds().start()));
        }
      }
      tail.add(ref.withDeleted(deleted));
    }
    for (PreparedRows rows : added) {
      Part part = (Part) rows;
      tail.add(new TailRef(part.file(), part.rowIds(), 1, new RoaringBitmap()));
    }
    tail.sort(Comparator.comparingLong(t -> t.rowIds().start()));
    long live = tail.stream().mapToLong(TailRef::liveRows).sum();
    FileRef lanceManifest = files.apply("lance/_versions/d" + ++applied + ".manifest");
    return new Contents(applied, lanceManifest, List.of(), List.of(), tail, live, List.of());
  }

  @Override
  public Contents alter(Manifest parent, CollectionSchema before, CollectionSchema after) {
    return apply(parent, after, List.of(), new long[0], () -> 0);
  }

  @Override
  public Contents reindex(Manifest parent, CollectionSchema schema) {
    return apply(parent, schema, List.of(), new long[0], () -> 0);
  }

  /** What the next application of a change does first. */
  void failOnce(Runnable throwing) {
    failure = throwing;
  }

  /** How often rows were written. */
  int prepared() {
    return prepared;
  }

  /** From now on files of rows that did not land are gone when they are looked for. */
  void loseFiles() {
    filesGone = true;
  }

  /** How often rows got files of fresh names. */
  int renamed() {
    return renamed;
  }

  /** The live rows of a version, by key. */
  Map<Key, NewRow> live(Manifest manifest) {
    Map<Key, NewRow> live = new TreeMap<>();
    for (TailRef ref : manifest.tail()) {
      for (int doc = 0; doc < ref.rowIds().count(); doc++) {
        if (!ref.deleted().contains(doc)) {
          NewRow row = rows.get(ref.rowIds().start() + doc);
          if (live.put(row.key(), row) != null) {
            throw new AssertionError("two live rows of one key: key=" + row.key());
          }
        }
      }
    }
    return live;
  }

  KeyLookup lookup(Manifest manifest, CollectionSchema schema) {
    Map<Key, NewRow> live = live(manifest);
    return new KeyLookup() {
      @Override
      public Map<Key, Long> rowIds(Set<Key> keys) {
        Map<Key, Long> found = new HashMap<>();
        live.forEach(
            (key, row) -> {
              if (keys.contains(key)) {
                found.put(key, row.rowId());
              }
            });
        return found;
      }

      @Override
      public Map<Long, Key> keys(Set<Long> rowIds) {
        Map<Long, Key> found = new HashMap<>();
        live.forEach(
            (key, row) -> {
              if (rowIds.contains(row.rowId())) {
                found.put(row.rowId(), key);
              }
            });
        return found;
      }

      @Override
      public void close() {}
    };
  }
}
