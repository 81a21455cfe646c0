package io.loam.calcite;

import io.loam.Collection;
import io.loam.manifest.Tag;
import java.util.Map;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.type.SqlTypeName;

/** {@code "docs$tags"}: a collection's tags, by name. */
final class TagsTable extends AbstractTable implements ScannableTable {
  private final Collection collection;

  TagsTable(Collection collection) {
    this.collection = collection;
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory factory) {
    return factory
        .builder()
        .add("tag", SqlTypeName.VARCHAR)
        .add("version", SqlTypeName.BIGINT)
        .add("created_at", SqlTypeName.TIMESTAMP)
        .build();
  }

  @Override
  public Enumerable<Object[]> scan(DataContext root) {
    return Linq4j.asEnumerable(collection.tags().entrySet()).select(TagsTable::row);
  }

  private static Object[] row(Map.Entry<String, Tag> entry) {
    Tag tag = entry.getValue();
    return new Object[] {
      entry.getKey(), tag.version(), TimestampFunctions.fromMillis(tag.createdAtMillis())
    };
  }
}
