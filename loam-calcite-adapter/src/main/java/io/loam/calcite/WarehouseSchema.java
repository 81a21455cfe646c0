package io.loam.calcite;

import io.loam.Collection;
import io.loam.CollectionName;
import io.loam.Warehouse;
import io.loam.calcite.parser.Listings;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.lookup.LikePattern;
import org.apache.calcite.schema.lookup.Lookup;
import org.apache.calcite.schema.lookup.Named;
import org.jspecify.annotations.Nullable;

/** A schema of a warehouse: its collections at any version, and their system tables. */
final class WarehouseSchema extends AbstractSchema {
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

  private Optional<Table> find(String table) {
    VersionedName versioned = VersionedName.decode(table);
    String plain = versioned.name();
    if (plain.equalsIgnoreCase(Listings.TABLES)) {
      return Optional.of(new TablesTable(warehouse, name));
    }
    Optional<RecallTable> recall = RecallTable.find(versioned, this::collection);
    if (recall.isPresent()) {
      return Optional.of(recall.get());
    }
    Optional<SystemTables.Maker> system = SystemTables.maker(plain);
    if (system.isPresent()) {
      return collection(SystemTables.collection(plain))
          .map(c -> system.get().make(c, versioned.version()));
    }
    return collection(plain).map(c -> new LoamTable(c, versioned.version()));
  }

  private Optional<Collection> collection(String collection) {
    return warehouse.find(new CollectionName(name, collection));
  }
}
