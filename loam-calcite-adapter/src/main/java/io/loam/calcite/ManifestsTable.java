package io.loam.calcite;

import io.loam.Collection;
import io.loam.manifest.Manifest;
import io.loam.manifest.TailRef;
import java.util.Locale;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.type.SqlTypeName;

/** {@code "docs$manifests"}: a collection's retained versions, newest first. */
final class ManifestsTable extends AbstractTable implements ScannableTable {
  private final Collection collection;

  ManifestsTable(Collection collection) {
    this.collection = collection;
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory factory) {
    return factory
        .builder()
        .add("version", SqlTypeName.BIGINT)
        .add("parent_version", SqlTypeName.BIGINT)
        .add("created_at", SqlTypeName.TIMESTAMP)
        .add("kind", SqlTypeName.VARCHAR)
        .add("schema_version", SqlTypeName.INTEGER)
        .add("documents", SqlTypeName.BIGINT)
        .add("splits", SqlTypeName.INTEGER)
        .add("deleted_in_splits", SqlTypeName.BIGINT)
        .add("tail_rows", SqlTypeName.BIGINT)
        .add("fragments", SqlTypeName.INTEGER)
        .add("lance_version", SqlTypeName.BIGINT)
        .build();
  }

  @Override
  public Enumerable<Object[]> scan(DataContext root) {
    return Linq4j.asEnumerable(collection.manifests()).select(ManifestsTable::row);
  }

  private static Object[] row(Manifest manifest) {
    return new Object[] {
      manifest.version(),
      manifest.parentVersion(),
      TimestampFunctions.fromMillis(manifest.createdAtMillis()),
      manifest.kind().name().toLowerCase(Locale.ROOT),
      manifest.schemaVersion(),
      manifest.liveDocuments(),
      manifest.splits().size(),
      manifest.splits().stream().mapToLong(s -> s.deletedCount()).sum(),
      manifest.tail().stream().mapToLong(TailRef::liveRows).sum(),
      manifest.fragments().size(),
      manifest.lanceVersion()
    };
  }
}
