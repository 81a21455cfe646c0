package io.loam.calcite;

import io.loam.Collection;
import io.loam.CollectionName;
import io.loam.function.ResultColumn;
import io.loam.query.OutputColumn;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.linq4j.QueryProvider;
import org.apache.calcite.linq4j.Queryable;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rel.logical.LogicalTableModify;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.schema.ModifiableTable;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.Schemas;
import org.apache.calcite.schema.Statistic;
import org.apache.calcite.schema.Statistics;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.jspecify.annotations.Nullable;

/**
 * A collection at a version, as Calcite's table. Its row has the declared fields, then {@link
 * SystemColumns}.
 */
public final class LoamTable extends AbstractTable implements TranslatableTable, ModifiableTable {
  private final Collection collection;
  private final VersionSpec version;
  private final CollectionSchema schema;

  /**
   * Asked for many times while a statement is planned, and each time it costs a look at the head.
   */
  private volatile @Nullable Statistic statistic;

  LoamTable(Collection collection, VersionSpec version) {
    this.collection = collection;
    this.version = version;
    this.schema =
        version instanceof VersionSpec.Latest ? collection.schema() : collection.schema(version);
  }

  public CollectionName name() {
    return collection.name();
  }

  public VersionSpec version() {
    return version;
  }

  /** The schema at the version. */
  public CollectionSchema schema() {
    return schema;
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory factory) {
    return searchRowType(factory, List.of());
  }

  /** Declared fields, then a search's columns, then system columns. */
  RelDataType searchRowType(RelDataTypeFactory factory, List<ResultColumn> extra) {
    RelDataTypeFactory.Builder row = factory.builder();
    for (Field field : schema.fields()) {
      row.add(field.name(), SqlTypes.of(factory, field));
    }
    for (ResultColumn column : extra) {
      row.add(column.name(), SqlTypes.of(factory, column.source().kind()));
    }
    for (SystemColumns column : SystemColumns.values()) {
      row.add(column.sqlName(), SqlTypes.of(factory, column.kind()));
    }
    return row.build();
  }

  /** What fills the columns of {@link #searchRowType}. */
  List<OutputColumn> searchColumns(List<ResultColumn> extra) {
    List<OutputColumn> columns = new ArrayList<>();
    schema.fields().forEach(field -> columns.add(OutputColumn.field(field.number())));
    extra.forEach(column -> columns.add(column.source()));
    for (SystemColumns column : SystemColumns.values()) {
      columns.add(OutputColumn.of(column.kind()));
    }
    return columns;
  }

  /** The table's rows, open for reading. */
  Snapshot snapshot() {
    return collection.snapshot(version);
  }

  @Override
  public Statistic getStatistic() {
    Statistic known = statistic;
    if (known == null) {
      try (Snapshot snapshot = snapshot()) {
        known = Statistics.of((double) snapshot.liveDocuments(), List.of());
      }
      statistic = known;
    }
    return known;
  }

  @Override
  public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable table) {
    return LoamScan.create(
        context.getCluster(),
        table,
        ScanSpec.of(this, searchColumns(List.of())),
        table.getRowType());
  }

  @Override
  public TableModify toModificationRel(
      RelOptCluster cluster,
      RelOptTable table,
      Prepare.CatalogReader catalogReader,
      RelNode child,
      TableModify.Operation operation,
      @Nullable List<String> updateColumns,
      @Nullable List<RexNode> sourceExpressions,
      boolean flattened) {
    return LogicalTableModify.create(
        table, catalogReader, child, operation, updateColumns, sourceExpressions, flattened);
  }

  /** Rows are written by {@link LoamModify} only. */
  @Override
  public java.util.@Nullable Collection<?> getModifiableCollection() {
    return null;
  }

  @Override
  public <T> Queryable<T> asQueryable(
      QueryProvider queryProvider, SchemaPlus parent, String tableName) {
    throw new UnsupportedOperationException("queryable of " + tableName);
  }

  @Override
  public Type getElementType() {
    return Object[].class;
  }

  @Override
  @SuppressWarnings("rawtypes") // As declared by Calcite.
  public Expression getExpression(SchemaPlus parent, String tableName, Class type) {
    return Schemas.tableExpression(parent, getElementType(), tableName, type);
  }
}
