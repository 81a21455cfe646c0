package io.loam.calcite;

import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.TextScoring;
import io.loam.schema.TypeKind;
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

/** {@code "docs$columns"}: a collection's declared columns, in order. */
final class ColumnsTable extends AbstractTable implements ScannableTable {
  private final CollectionSchema schema;

  ColumnsTable(CollectionSchema schema) {
    this.schema = schema;
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory factory) {
    return factory
        .builder()
        .add("position", SqlTypeName.INTEGER)
        .add("column_name", SqlTypeName.VARCHAR)
        .add("type", SqlTypeName.VARCHAR)
        .add("nullable", SqlTypeName.BOOLEAN)
        .add("primary_key", SqlTypeName.BOOLEAN)
        .add("analyzer", SqlTypeName.VARCHAR)
        .nullable(true)
        .add("metric", SqlTypeName.VARCHAR)
        .nullable(true)
        .add("k1", SqlTypeName.DOUBLE)
        .nullable(true)
        .add("b", SqlTypeName.DOUBLE)
        .nullable(true)
        .add("comment", SqlTypeName.VARCHAR)
        .nullable(true)
        .build();
  }

  @Override
  public Enumerable<@Nullable Object[]> scan(DataContext root) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (Field field : schema.fields()) {
      @Nullable TextScoring scoring =
          field.kind() == TypeKind.TEXT ? schema.scoring(field.number()) : null;
      rows.add(
          new @Nullable Object[] {
            rows.size() + 1,
            field.name(),
            field.type().toString(),
            field.nullable(),
            field.number() == schema.keyField(),
            orNull(field.analyzer()),
            orNull(field.metric()),
            scoring == null ? null : (Object) scoring.k1(),
            scoring == null ? null : (Object) scoring.b(),
            orNull(schema.comment(field))
          });
    }
    return Linq4j.asEnumerable(rows);
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
