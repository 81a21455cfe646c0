package io.loam.leaf;

import io.loam.column.Column;
import io.loam.column.ColumnFile;
import io.loam.column.KeyIndex;
import io.loam.manifest.FileRef;
import io.loam.manifest.SplitRef;
import io.loam.schema.CollectionSchema;
import io.loam.sparse.SparseFile;
import io.loam.sparse.SparseIndex;
import io.loam.text.TokenFile;
import io.loam.text.TokenReader;
import io.loam.vector.CodeFile;
import io.loam.vector.VectorCodes;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A split's immutable files, opened on first use and shared by all versions that have the split.
 */
final class OpenSplit {
  private final CollectionFiles files;
  private final SplitRef ref;
  private final int keyField;
  private final Map<Integer, TokenReader> tokens = new ConcurrentHashMap<>();
  private final Map<Integer, SparseIndex> sparse = new ConcurrentHashMap<>();
  private final RowIdMap rowIds;
  private volatile @Nullable ColumnFile columns;

  OpenSplit(CollectionFiles files, SplitRef ref, CollectionSchema schema) {
    this.files = files;
    this.ref = ref;
    this.keyField = schema.keyField();
    this.rowIds = new RowIdMap(ref.rowIds());
  }

  RowIdMap rowIds() {
    return rowIds;
  }

  Optional<TokenReader> tokens(int fieldNumber) {
    FileRef file = ref.tokens().get(fieldNumber);
    return Optional.ofNullable(file)
        .map(
            f ->
                tokens.computeIfAbsent(fieldNumber, n -> TokenFile.open(files.local(f), f.path())));
  }

  Optional<SparseIndex> sparse(int fieldNumber) {
    FileRef file = ref.sparse().get(fieldNumber);
    return Optional.ofNullable(file)
        .map(
            f ->
                sparse.computeIfAbsent(
                    fieldNumber, n -> SparseFile.open(files.local(f), f.path())));
  }

  Optional<VectorCodes> codes(int fieldNumber) {
    return Optional.ofNullable(ref.codes().get(fieldNumber))
        .map(
            file ->
                files
                    .memory()
                    .get(
                        new MemoryBudget.Slot(file.path(), fieldNumber, VectorCodes.class),
                        () -> CodeFile.read(files.local(file), file.path()),
                        VectorCodes::sizeInBytes));
  }

  Optional<Column> column(int fieldNumber) {
    ColumnFile file = columnFile();
    if (!file.fieldNumbers().contains(fieldNumber)) {
      return Optional.empty();
    }
    return Optional.of(
        files
            .memory()
            .get(
                new MemoryBudget.Slot(ref.columns().path(), fieldNumber, Column.class),
                () -> file.read(fieldNumber).orElseThrow(),
                Column::sizeInBytes));
  }

  KeyIndex keys() {
    return files
        .memory()
        .get(
            new MemoryBudget.Slot(ref.columns().path(), keyField, KeyIndex.class),
            () -> KeyIndex.of(column(keyField).orElseThrow()),
            KeyIndex::sizeInBytes);
  }

  private synchronized ColumnFile columnFile() {
    ColumnFile open = columns;
    if (open == null) {
      open = ColumnFile.open(files.local(ref.columns()), ref.columns().path());
      columns = open;
    }
    return open;
  }
}
