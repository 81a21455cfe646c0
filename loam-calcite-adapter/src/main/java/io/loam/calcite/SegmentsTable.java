package io.loam.calcite;

import io.loam.Collection;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.RowIdRanges;
import io.loam.manifest.SegmentRef;
import io.loam.manifest.VectorIndexRef;
import io.loam.query.VersionSpec;
import io.loam.schema.CollectionSchema;
import java.util.ArrayList;
import java.util.Comparator;
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
import org.jspecify.annotations.Nullable;

/**
 * {@code "docs$segments"}: the segments of a version's vector indexes, and for each index the rows
 * that none of them covers.
 */
final class SegmentsTable extends AbstractTable implements ScannableTable {
  private final Collection collection;
  private final VersionSpec version;

  SegmentsTable(Collection collection, VersionSpec version) {
    this.collection = collection;
    this.version = version;
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory factory) {
    RelDataType text =
        factory.createTypeWithNullability(factory.createSqlType(SqlTypeName.VARCHAR), true);
    RelDataType number =
        factory.createTypeWithNullability(factory.createSqlType(SqlTypeName.BIGINT), true);
    return factory
        .builder()
        .add("index", SqlTypeName.VARCHAR)
        .add("column", SqlTypeName.VARCHAR)
        .add("kind", SqlTypeName.VARCHAR)
        .add("metric", SqlTypeName.VARCHAR)
        .add("segment", text)
        .add("rows", SqlTypeName.BIGINT)
        .add("vectors", number)
        .add("bytes", number)
        .add("training", text)
        .add("fragments", text)
        .build();
  }

  @Override
  public Enumerable<@Nullable Object[]> scan(DataContext root) {
    CollectionSchema schema = collection.schema(version);
    Manifest manifest = collection.manifest(version);
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (VectorIndexRef index : manifest.indexes()) {
      String column = schema.field(index.fieldNumber()).name();
      for (SegmentRef segment : index.segments()) {
        rows.add(
            row(
                index,
                column,
                segment.ulid(),
                segment.rows(),
                (long) segment.vectors(),
                segment.file().size(),
                segment.training().path(),
                fragments(manifest, segment.rowIds())));
      }
      List<RowIdRange> uncovered = uncovered(manifest, index);
      if (!uncovered.isEmpty()) {
        rows.add(
            row(
                index,
                column,
                null,
                RowIdRanges.count(uncovered),
                null,
                null,
                null,
                fragments(manifest, uncovered)));
      }
    }
    return Linq4j.asEnumerable(rows);
  }

  private static @Nullable Object[] row(
      VectorIndexRef index, String column, @Nullable Object... facts) {
    @Nullable Object[] row = new @Nullable Object[4 + facts.length];
    row[0] = index.name();
    row[1] = column;
    row[2] = index.kind();
    row[3] = index.metric();
    System.arraycopy(facts, 0, row, 4, facts.length);
    return row;
  }

  /** Rows of fragments and of the tail that no segment covers. */
  private static List<RowIdRange> uncovered(Manifest manifest, VectorIndexRef index) {
    List<RowIdRange> all = new ArrayList<>();
    manifest.fragments().forEach(fragment -> all.addAll(fragment.rowIds()));
    manifest.tail().forEach(tail -> all.add(tail.rowIds()));
    all.sort(Comparator.comparingLong(RowIdRange::start));
    return RowIdRanges.difference(all, index.covered());
  }

  /** Ids of the fragments that hold some of the rows. */
  private static String fragments(Manifest manifest, List<RowIdRange> rowIds) {
    return manifest.fragments().stream()
        .filter(fragment -> RowIdRanges.overlap(RowIdRanges.ascending(fragment.rowIds()), rowIds))
        .map(FragmentRef::id)
        .map(String::valueOf)
        .collect(Collectors.joining(" "));
  }
}
