package io.loam.calcite;

import io.loam.Collection;
import io.loam.CollectionName;
import io.loam.Warehouse;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.query.VersionSpec;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.lookup.LikePattern;
import org.apache.calcite.schema.lookup.Lookup;
import org.apache.calcite.schema.lookup.Named;
import org.jspecify.annotations.Nullable;

/** A schema of a warehouse: its collections at any version, and their system tables. */
final class WarehouseSchema extends AbstractSchema {
  /** Tables about a collection, by what follows its name. */
  private static final Map<String, BiFunction<Collection, VersionSpec, Table>> SYSTEM_TABLES =
      Map.of(
          "$maintenance",
              (collection, version) -> new MaintenanceTable(unversioned(collection, version)),
          "$manifests",
              (collection, version) -> new ManifestsTable(unversioned(collection, version)),
          "$splits", SplitsTable::new,
          "$tags", (collection, version) -> new TagsTable(unversioned(collection, version)));

  private final Warehouse warehouse;
  private final String name;

  WarehouseSchema(Warehouse warehouse, String name) {
    this.warehouse = warehouse;
    this.name = name;
  }

  @Override
  public Lookup<Table> tables() {
    return new Lookup<>() {
      @Override
      public @Nullable Table get(String table) {
        return find(table).orElse(null);
      }

      @Override
      public @Nullable Named<Table> getIgnoreCase(String table) {
        return find(table).map(t -> new Named<>(declaredName(table, t), t)).orElse(null);
      }

      @Override
      public Set<String> getNames(LikePattern pattern) {
        return warehouse.collections(name).stream()
            .map(CollectionName::name)
            .filter(pattern.matcher()::apply)
            .collect(Collectors.toSet());
      }
    };
  }

  /** The collection's own spelling of a name, with the version that the given one has. */
  private static String declaredName(String given, Table table) {
    return table instanceof LoamTable loam
        ? new VersionedName(loam.name().name(), loam.version()).encode()
        : given;
  }

  /** A collection for a table about all of its versions. */
  private static Collection unversioned(Collection collection, VersionSpec version) {
    if (version instanceof VersionSpec.Latest) {
      return collection;
    }
    throw new LoamException(
        ErrorCode.UNSUPPORTED,
        "a table about all versions has none itself: collection=%s; leave%s out"
            .formatted(collection.name(), VersionedName.describe(version)));
  }

  private Optional<Table> find(String table) {
    VersionedName versioned = VersionedName.decode(table);
    String plain = versioned.name();
    for (Map.Entry<String, BiFunction<Collection, VersionSpec, Table>> system :
        SYSTEM_TABLES.entrySet()) {
      if (plain.endsWith(system.getKey())) {
        return collection(plain.substring(0, plain.length() - system.getKey().length()))
            .map(c -> system.getValue().apply(c, versioned.version()));
      }
    }
    return collection(plain).map(c -> new LoamTable(c, versioned.version()));
  }

  private Optional<Collection> collection(String collection) {
    return warehouse.find(new CollectionName(name, collection));
  }
}
