package io.loam.calcite.memory;

import io.loam.Collection;
import io.loam.CollectionName;
import io.loam.Warehouse;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.maintain.Garbage;
import io.loam.maintain.GcOptions;
import io.loam.schema.CollectionSchema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A warehouse in memory. */
public final class MemoryWarehouse implements Warehouse {
  private final Map<String, MemoryCollection> collections =
      new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final AtomicInteger openSnapshots = new AtomicInteger();

  /** Snapshots that nobody has closed. */
  public int openSnapshots() {
    return openSnapshots.get();
  }

  @Override
  public boolean isNewFolder() {
    return false;
  }

  @Override
  public List<String> schemas() {
    return List.of(CollectionName.DEFAULT_SCHEMA);
  }

  @Override
  public List<CollectionName> collections(String schema) {
    return collections.values().stream().map(Collection::name).toList();
  }

  @Override
  public Optional<Collection> find(CollectionName name) {
    return Optional.ofNullable(collections.get(name.name()));
  }

  @Override
  public Collection get(CollectionName name) {
    return find(name)
        .orElseThrow(
            () ->
                new LoamException(
                    ErrorCode.UNKNOWN_COLLECTION, "unknown collection: " + name + "; correct it"));
  }

  @Override
  public Collection create(CollectionName name, CollectionSchema schema) {
    MemoryCollection collection = new MemoryCollection(name, schema, openSnapshots);
    if (collections.putIfAbsent(name.name(), collection) != null) {
      throw new LoamException(
          ErrorCode.DUPLICATE_COLLECTION, "collection exists: " + name + "; drop it first");
    }
    return collection;
  }

  @Override
  public boolean drop(CollectionName name) {
    return collections.remove(name.name()) != null;
  }

  /** What this warehouse has of garbage: one object, as the options say. */
  @Override
  public List<Garbage> collectGarbage(CollectionName name, GcOptions options) {
    return List.of(new Garbage(get(name).name() + "/object", 7, options.toString()));
  }

  @Override
  public void close() {}
}
