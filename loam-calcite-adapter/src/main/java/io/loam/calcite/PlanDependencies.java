package io.loam.calcite;

import io.loam.Collection;
import io.loam.CollectionName;
import io.loam.Warehouse;
import io.loam.error.LoamException;
import io.loam.query.VersionSpec;
import io.loam.schema.CollectionSchema;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a plan was made for.
 *
 * @param read schemas of what it reads
 * @param described collections that it reads system tables of
 * @param written schema of the collection that it writes
 * @param insertTarget where an INSERT or UPSERT puts its rows
 */
record PlanDependencies(
    Map<Source, CollectionSchema> read,
    Set<CollectionName> described,
    Map<CollectionName, CollectionSchema> written,
    Optional<RowSink> insertTarget) {

  /**
   * A collection at a version. Even a version with a number may get another schema: that of a table
   * which was dropped and made again.
   */
  record Source(CollectionName name, VersionSpec version) {
    /** The schema that it has now; empty where it is not there. */
    private Optional<CollectionSchema> schema(Warehouse warehouse) {
      return warehouse.find(name).map(this::schema);
    }

    private CollectionSchema schema(Collection collection) {
      return version instanceof VersionSpec.Latest
          ? collection.schema()
          : collection.schema(version);
    }
  }

  static final PlanDependencies NONE =
      new PlanDependencies(Map.of(), Set.of(), Map.of(), Optional.empty());

  PlanDependencies {
    read = Map.copyOf(read);
    described = Set.copyOf(described);
    written = Map.copyOf(written);
  }

  /** Whether a new plan of the same text would be the same. */
  boolean areCurrent(Warehouse warehouse) {
    try {
      return read.entrySet().stream().allMatch(e -> hasSchema(warehouse, e.getKey(), e.getValue()))
          && described.stream().allMatch(name -> warehouse.find(name).isPresent())
          && written.entrySet().stream()
              .allMatch(
                  e ->
                      hasSchema(
                          warehouse,
                          new Source(e.getKey(), new VersionSpec.Latest()),
                          e.getValue()));
    } catch (LoamException e) {
      // Such as a version that is gone: who makes the plan anew is told.
      return false;
    }
  }

  private static boolean hasSchema(Warehouse warehouse, Source source, CollectionSchema planned) {
    return source.schema(warehouse).filter(planned::equals).isPresent();
  }
}
