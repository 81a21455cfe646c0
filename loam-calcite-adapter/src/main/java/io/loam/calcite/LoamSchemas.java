package io.loam.calcite;

import io.loam.CollectionName;
import io.loam.Warehouse;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.DataContext;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.lookup.LikePattern;
import org.apache.calcite.schema.lookup.Lookup;
import org.apache.calcite.schema.lookup.Named;
import org.apache.calcite.util.BuiltInMethod;
import org.jspecify.annotations.Nullable;

/** Shows a warehouse to Calcite. */
public final class LoamSchemas {
  private LoamSchemas() {}

  /**
   * A root schema with the warehouse's schemas, to be shared by all connections to the warehouse.
   * It reads names from the warehouse on each use.
   */
  public static CalciteSchema rootSchema(Warehouse warehouse) {
    return CalciteSchema.createRootSchema(true, false, "", new Root(warehouse));
  }

  /** A schema's name as declared; the default one is there without a look at the store. */
  public static Optional<String> declaredName(Warehouse warehouse, String name) {
    return CollectionName.DEFAULT_SCHEMA.equalsIgnoreCase(name)
        ? Optional.of(CollectionName.DEFAULT_SCHEMA)
        : warehouse.schemas().stream().filter(name::equalsIgnoreCase).findFirst();
  }

  private static final class Root extends AbstractSchema {
    private final Warehouse warehouse;

    Root(Warehouse warehouse) {
      this.warehouse = warehouse;
    }

    @Override
    public Expression getExpression(@Nullable SchemaPlus parent, String name) {
      return Expressions.call(DataContext.ROOT, BuiltInMethod.DATA_CONTEXT_GET_ROOT_SCHEMA.method);
    }

    @Override
    public Lookup<Schema> subSchemas() {
      return new Lookup<>() {
        @Override
        public @Nullable Schema get(String name) {
          return name(name)
              .filter(name::equals)
              .map(n -> new WarehouseSchema(warehouse, n))
              .orElse(null);
        }

        @Override
        public @Nullable Named<Schema> getIgnoreCase(String name) {
          return name(name)
              .map(n -> new Named<Schema>(n, new WarehouseSchema(warehouse, n)))
              .orElse(null);
        }

        @Override
        public Set<String> getNames(LikePattern pattern) {
          return warehouse.schemas().stream()
              .filter(pattern.matcher()::apply)
              .collect(Collectors.toSet());
        }
      };
    }

    private Optional<String> name(String name) {
      return declaredName(warehouse, name);
    }
  }
}
