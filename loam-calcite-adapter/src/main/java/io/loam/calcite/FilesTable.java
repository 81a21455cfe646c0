package io.loam.calcite;

import io.loam.Collection;
import io.loam.VersionFiles;
import io.loam.manifest.FileRef;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.SplitRef;
import io.loam.manifest.TailRef;
import io.loam.query.VersionSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
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
 * {@code "docs$files"}: what another program has to know to read a version. The first row is the
 * Lance dataset with the version that holds all documents but the tail's; a row follows for each
 * file.
 */
final class FilesTable extends AbstractTable implements ScannableTable {
  private final Collection collection;
  private final VersionSpec version;

  FilesTable(Collection collection, VersionSpec version) {
    this.collection = collection;
    this.version = version;
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory factory) {
    return factory
        .builder()
        .add("version", SqlTypeName.BIGINT)
        .add("kind", SqlTypeName.VARCHAR)
        .add("uri", SqlTypeName.VARCHAR)
        .add("lance_version", SqlTypeName.BIGINT)
        .nullable(true)
        .add("bytes", SqlTypeName.BIGINT)
        .nullable(true)
        .add("crc32c", SqlTypeName.VARCHAR)
        .nullable(true)
        .add("fragment", SqlTypeName.INTEGER)
        .nullable(true)
        .add("split", SqlTypeName.VARCHAR)
        .nullable(true)
        .add("field", SqlTypeName.INTEGER)
        .nullable(true)
        .add("documents", SqlTypeName.BIGINT)
        .nullable(true)
        .add("deleted", SqlTypeName.BIGINT)
        .nullable(true)
        .add("deleted_rows", SqlTypeName.VARCHAR)
        .nullable(true)
        .build();
  }

  @Override
  public Enumerable<Object[]> scan(DataContext root) {
    return Linq4j.asEnumerable(new Rows(collection.files(version)).all());
  }

  /** What a file belongs to; null where it belongs to none. */
  private record Owner(
      @Nullable Integer fragment,
      @Nullable String split,
      @Nullable Integer field,
      @Nullable Long documents,
      @Nullable Long deleted,
      @Nullable String deletedRows) {
    static final Owner NONE = new Owner(null, null, null, null, null, null);

    Owner ofField(int number) {
      return new Owner(fragment, split, number, documents, deleted, deletedRows);
    }
  }

  private static final class Rows {
    private final VersionFiles files;
    private final Manifest manifest;
    private final List<@Nullable Object[]> rows = new ArrayList<>();

    Rows(VersionFiles files) {
      this.files = files;
      this.manifest = files.stored().manifest();
    }

    List<@Nullable Object[]> all() {
      addDataset();
      add("lance manifest", manifest.lanceManifest(), Owner.NONE);
      manifest.fragments().forEach(this::addFragment);
      manifest.tail().forEach(this::addTail);
      manifest.splits().forEach(this::addSplit);
      manifest.keyDelta().ifPresent(delta -> add("key delta", delta, Owner.NONE));
      return rows;
    }

    private void addDataset() {
      rows.add(
          new @Nullable Object[] {
            manifest.version(),
            "lance dataset",
            files.uri() + "/lance",
            manifest.lanceVersion(),
            null,
            null,
            null,
            null,
            null,
            manifest.liveDocuments() - manifest.tail().stream().mapToLong(TailRef::liveRows).sum(),
            null,
            null
          });
    }

    private void addFragment(FragmentRef fragment) {
      Owner owner =
          new Owner(fragment.id(), null, null, (long) fragment.physicalRows(), null, null);
      fragment.files().forEach(file -> add("lance data", file, owner));
      fragment.deletion().ifPresent(file -> add("lance deletions", file, owner));
    }

    private void addTail(TailRef tail) {
      String deleted =
          Arrays.stream(tail.deleted().toArray())
              .mapToObj(String::valueOf)
              .collect(Collectors.joining(","));
      Owner owner =
          new Owner(
              null,
              null,
              null,
              (long) tail.rowIds().count(),
              (long) tail.deleted().getCardinality(),
              deleted.isEmpty() ? null : deleted);
      add("tail", tail.file(), owner);
    }

    private void addSplit(SplitRef split) {
      Owner owner =
          new Owner(
              null,
              split.ulid(),
              null,
              (long) split.documentCount(),
              (long) split.deletedCount(),
              null);
      split.bundle().ifPresent(file -> add("split", file, owner));
      add("columns", split.columns(), owner);
      new TreeMap<>(split.tokens())
          .forEach((field, file) -> add("tokens", file, owner.ofField(field)));
      new TreeMap<>(split.sparse())
          .forEach((field, file) -> add("sparse", file, owner.ofField(field)));
      new TreeMap<>(split.codes())
          .forEach((field, file) -> add("codes", file, owner.ofField(field)));
      split.deletes().ifPresent(file -> add("delete bitmap", file, owner));
    }

    private void add(String kind, FileRef file, Owner owner) {
      rows.add(
          new @Nullable Object[] {
            manifest.version(),
            kind,
            files.uri() + "/" + file.path(),
            null,
            file.size(),
            String.format(Locale.ROOT, "%08x", file.crc32c()),
            owner.fragment,
            owner.split,
            owner.field,
            owner.documents,
            owner.deleted,
            owner.deletedRows
          });
    }
  }
}
