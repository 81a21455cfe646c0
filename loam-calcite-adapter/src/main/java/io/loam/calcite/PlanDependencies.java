package io.loam.calcite;

import io.loam.CollectionName;
import io.loam.Warehouse;
import io.loam.schema.CollectionSchema;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a plan was made for.
 *
 * @param read schemas of the collections whose newest version it reads
 * @param written schema of the collection that it writes
 * @param insertTarget where an INSERT or UPSERT puts its rows
 */
record PlanDependencies(
    Map<CollectionName, CollectionSchema> read,
    Map<CollectionName, CollectionSchema> written,
    Optional<RowSink> insertTarget) {

  static final PlanDependencies NONE = new PlanDependencies(Map.of(), Map.of(), Optional.empty());

  PlanDependencies {
    read = Map.copyOf(read);
    written = Map.copyOf(written);
  }

  /** Whether a new plan of the same text would be the same. */
  boolean areCurrent(Warehouse warehouse) {
    Map<CollectionName, CollectionSchema> all = new LinkedHashMap<>(read);
    all.putAll(written);
    return all.entrySet().stream()
        .allMatch(
            entry ->
                warehouse
                    .find(entry.getKey())
                    .filter(collection -> collection.schema().equals(entry.getValue()))
                    .isPresent());
  }
}
