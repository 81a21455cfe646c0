package io.loam.calcite;

import io.loam.Collection;
import io.loam.manifest.FileRef;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.SplitRef;
import io.loam.manifest.TextStats;
import io.loam.query.VersionSpec;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.type.SqlTypeName;

/** {@code "docs$splits"}: the text splits of a version, in order of row id. */
final class SplitsTable extends AbstractTable implements ScannableTable {
  private final Collection collection;
  private final VersionSpec version;

  SplitsTable(Collection collection, VersionSpec version) {
    this.collection = collection;
    this.version = version;
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory factory) {
    return factory
        .builder()
        .add("split", SqlTypeName.VARCHAR)
        .add("documents", SqlTypeName.BIGINT)
        .add("deleted", SqlTypeName.BIGINT)
        .add("bytes", SqlTypeName.BIGINT)
        .add("first_row_id", SqlTypeName.BIGINT)
        .add("last_row_id", SqlTypeName.BIGINT)
        .add("row_id_ranges", SqlTypeName.INTEGER)
        .add("schema_version", SqlTypeName.INTEGER)
        .add("tokens", SqlTypeName.VARCHAR)
        .build();
  }

  @Override
  public Enumerable<Object[]> scan(DataContext root) {
    CollectionSchema schema = collection.schema(version);
    return Linq4j.asEnumerable(collection.manifest(version).splits())
        .select(split -> row(split, schema));
  }

  private static Object[] row(SplitRef split, CollectionSchema schema) {
    List<RowIdRange> rowIds = split.rowIds();
    return new Object[] {
      split.ulid(),
      (long) split.documentCount(),
      (long) split.deletedCount(),
      split.files().stream().mapToLong(FileRef::size).sum(),
      rowIds.get(0).start(),
      rowIds.get(rowIds.size() - 1).end() - 1,
      rowIds.size(),
      split.schemaVersion(),
      tokens(split, schema)
    };
  }

  /** Tokens by text field, such as {@code title 12, body 345}. */
  private static String tokens(SplitRef split, CollectionSchema schema) {
    return split.text().stream()
        .flatMap(
            (TextStats text) ->
                schema.fields().stream()
                    .filter((Field field) -> field.number() == text.fieldNumber())
                    .map(field -> field.name() + " " + text.totalTokens()))
        .collect(Collectors.joining(", "));
  }
}
