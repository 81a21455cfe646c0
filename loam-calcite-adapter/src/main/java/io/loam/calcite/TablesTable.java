package io.loam.calcite;

import io.loam.CollectionName;
import io.loam.Warehouse;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** {@code "$tables"}: the tables of a schema, by name, and what they are for. */
final class TablesTable extends AbstractTable implements ScannableTable {
  private final Warehouse warehouse;
  private final String schema;

  TablesTable(Warehouse warehouse, String schema) {
    this.warehouse = warehouse;
    this.schema = schema;
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory factory) {
    return factory
        .builder()
        .add("table_schema", SqlTypeName.VARCHAR)
        .add("table_name", SqlTypeName.VARCHAR)
        .add("comment", SqlTypeName.VARCHAR)
        .nullable(true)
        .build();
  }

  /** Without tables that are dropped meanwhile. */
  @Override
  public Enumerable<@Nullable Object[]> scan(DataContext root) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (CollectionName name : warehouse.collections(schema)) {
      warehouse.find(name).ifPresent(table -> rows.add(row(name, table.schema().comment())));
    }
    return Linq4j.asEnumerable(rows);
  }

  private static @Nullable Object[] row(CollectionName name, String comment) {
    return new @Nullable Object[] {name.schema(), name.name(), comment.isEmpty() ? null : comment};
  }
}
