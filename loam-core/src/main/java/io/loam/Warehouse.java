package io.loam;

import io.loam.maintain.Garbage;
import io.loam.maintain.GcOptions;
import io.loam.schema.CollectionSchema;
import java.util.List;
import java.util.Optional;

/** A root folder of collections. Safe for use by several threads. */
public interface Warehouse extends AutoCloseable {

  /** Opens a warehouse; to be closed by the caller. */
  static Warehouse open(WarehouseOptions options) {
    return new LoamWarehouse(options);
  }

  /** Whether it is a folder in which no collection was ever made. A bucket is not asked. */
  boolean isNewFolder();

  /** Names of schemas, {@link CollectionName#DEFAULT_SCHEMA} among them always. */
  List<String> schemas();

  /** Names of the collections of a schema, as declared, sorted. */
  List<CollectionName> collections(String schema);

  Optional<Collection> find(CollectionName name);

  /** The collection, or {@code UNKNOWN_COLLECTION} with the nearest name. */
  Collection get(CollectionName name);

  /** Makes an empty collection, or fails with {@code DUPLICATE_COLLECTION}. */
  Collection create(CollectionName name, CollectionSchema schema);

  /** Removes a collection's name. Returns false where there was none. */
  boolean drop(CollectionName name);

  /**
   * Removes what nothing needs of a collection, and of the dropped ones of its name. Fails with
   * {@code UNKNOWN_COLLECTION} where there is neither, and with {@code CONFLICT} while other
   * maintenance runs on the collection. Returns what was removed, or would be.
   */
  List<Garbage> collectGarbage(CollectionName name, GcOptions options);

  @Override
  void close();
}
