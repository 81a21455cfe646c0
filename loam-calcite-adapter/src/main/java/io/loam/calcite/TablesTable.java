package io.loam.calcite;

import io.loam.CollectionName;
import io.loam.Warehouse;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.type.SqlTypeName;

/** {@code "$tables"}: the tables of a schema, by name. */
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
        .build();
  }

  @Override
  public Enumerable<Object[]> scan(DataContext root) {
    return Linq4j.asEnumerable(warehouse.collections(schema)).select(TablesTable::row);
  }

  private static Object[] row(CollectionName name) {
    return new Object[] {name.schema(), name.name()};
  }
}
