package io.loam.verify;

import io.loam.column.Column;
import io.loam.column.ColumnFile;
import io.loam.doc.DocSet;
import io.loam.leaf.CollectionFiles;
import io.loam.leaf.DeleteBitmapFile;
import io.loam.manifest.FileRef;
import io.loam.manifest.SplitRef;
import io.loam.manifest.TextStats;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.sparse.SparseFile;
import io.loam.sparse.SparseIndex;
import io.loam.text.DeleteBitmap;
import io.loam.text.TokenCheck;
import io.loam.text.TokenFile;
import io.loam.text.TokenReader;
import io.loam.vector.CodeFile;
import io.loam.vector.VectorCodes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks a split's files against the manifest and against each other. */
final class SplitCheck {
  private final CollectionFiles files;
  private final CollectionSchema schema;
  private final SplitRef split;
  private final Findings findings;

  /**
   * @param schema of the version
   * @param findings of the objects' lengths and checksums among them
   */
  SplitCheck(CollectionFiles files, CollectionSchema schema, SplitRef split, Findings findings) {
    this.files = files;
    this.schema = schema;
    this.split = split;
    this.findings = findings;
  }

  /** Checks all files but the bundle, whose checksum says all. */
  CheckedSplit run() {
    checkColumns();
    Map<Integer, TokenReader> tokens = new HashMap<>();
    split
        .tokens()
        .forEach((field, file) -> tokens(field, file).ifPresent(t -> tokens.put(field, t)));
    split.sparse().values().forEach(this::checkSparse);
    split.codes().forEach(this::checkCodes);
    return new CheckedSplit(
        files.folder() + split.columns().path(), split.rowIds(), live(tokens), this::columns);
  }

  private String path(FileRef file) {
    return files.folder() + file.path();
  }

  /** Whether an object is the one that the manifest means, so that it may be decoded. */
  private boolean isSound(FileRef file) {
    return !findings.has(path(file));
  }

  private Optional<ColumnFile> columnFile() {
    FileRef file = split.columns();
    return isSound(file)
        ? findings.reading(path(file), () -> ColumnFile.open(files.local(file), file.path()))
        : Optional.empty();
  }

  private void checkColumns() {
    columnFile().ifPresent(this::checkColumns);
  }

  private void checkColumns(ColumnFile file) {
    String path = path(split.columns());
    checkCount(path, file.documentCount());
    for (int field : file.fieldNumbers()) {
      findings.reading(path, () -> checkColumn(path, field, file.read(field).orElseThrow()));
    }
    if (split.schemaVersion() == schema.version()) {
      schema.fields().stream()
          .filter(f -> f.kind().isTyped())
          .map(Field::number)
          .filter(number -> !file.fieldNumbers().contains(number))
          .forEach(number -> findings.add(path, "column is not there", "field=" + number));
    }
    if (!file.fieldNumbers().contains(schema.keyField())) {
      findings.add(path, "column is not there", "field=" + schema.keyField());
    }
  }

  private Column checkColumn(String path, int field, Column column) {
    if (column.size() != split.documentCount()) {
      findings.add(
          path,
          "wrong number of values",
          "field=%d, values=%d, documents=%d"
              .formatted(field, column.size(), split.documentCount()));
    } else if (field == schema.keyField()) {
      for (int doc = 0; doc < column.size(); doc++) {
        if (column.isNull(doc)) {
          findings.add(path, "document without a key", "document=" + doc);
        }
      }
    }
    return column;
  }

  private void checkCount(String path, int documents) {
    if (documents != split.documentCount()) {
      findings.add(
          path,
          "wrong number of documents",
          "documents=%d, expected=%d".formatted(documents, split.documentCount()));
    }
  }

  private Optional<TokenReader> tokens(int field, FileRef file) {
    if (!isSound(file)) {
      return Optional.empty();
    }
    Optional<TokenReader> reader =
        findings.reading(path(file), () -> TokenFile.open(files.local(file), file.path()));
    reader.ifPresent(tokens -> checkTokens(field, path(file), tokens));
    return reader.filter(tokens -> isSound(file));
  }

  private void checkTokens(int field, String path, TokenReader tokens) {
    checkCount(path, tokens.documentCount());
    findings
        .reading(path, () -> TokenCheck.problem(tokens))
        .flatMap(problem -> problem)
        .ifPresent(problem -> findings.add(path, "contradicts itself", problem));
    TextStats found = new TextStats(field, tokens.totalTokens(), tokens.longestDocument());
    @Nullable TextStats expected =
        split.text().stream().filter(t -> t.fieldNumber() == field).findFirst().orElse(null);
    if (!Objects.equals(found, expected)) {
      findings.add(
          path, "wrong number of tokens", "found=%s, expected=%s".formatted(found, expected));
    }
  }

  private void checkSparse(FileRef file) {
    if (isSound(file)) {
      findings
          .reading(path(file), () -> SparseFile.open(files.local(file), file.path()))
          .ifPresent(index -> checkSparse(path(file), index));
    }
  }

  private void checkSparse(String path, SparseIndex index) {
    checkCount(path, index.documentCount());
    findings
        .reading(path, index::problem)
        .flatMap(problem -> problem)
        .ifPresent(problem -> findings.add(path, "contradicts itself", problem));
  }

  private void checkCodes(int field, FileRef file) {
    if (isSound(file)) {
      findings
          .reading(path(file), () -> CodeFile.read(files.local(file), file.path()))
          .ifPresent(codes -> checkCodes(path(file), schema.field(field), codes));
    }
  }

  private void checkCodes(String path, Field field, VectorCodes codes) {
    checkCount(path, codes.documentCount());
    if (codes.dimension() != field.type().dimension()) {
      findings.add(
          path,
          "wrong dimension",
          "dimension=%d, expected=%d".formatted(codes.dimension(), field.type().dimension()));
    }
  }

  /** The live documents, or null where they cannot be told. */
  private @Nullable DocSet live(Map<Integer, TokenReader> tokens) {
    if (split.deletes().isEmpty()) {
      return DocSet.all(split.documentCount());
    }
    FileRef file = split.deletes().get();
    if (!isSound(file)) {
      return null;
    }
    Optional<DeleteBitmap> deletes =
        findings.reading(path(file), () -> DeleteBitmapFile.read(files, file));
    deletes.ifPresent(bitmap -> checkDeletes(path(file), bitmap, tokens));
    return deletes
        .filter(bitmap -> isSound(file))
        .map(bitmap -> bitmap.live(split.documentCount()))
        .orElse(null);
  }

  private void checkDeletes(String path, DeleteBitmap deletes, Map<Integer, TokenReader> tokens) {
    if (deletes.cardinality() != split.deletedCount()) {
      findings.add(
          path,
          "wrong number of deleted documents",
          "deleted=%d, expected=%d".formatted(deletes.cardinality(), split.deletedCount()));
    }
    findings
        .reading(path, () -> deletes.problem(split.documentCount(), tokens))
        .flatMap(problem -> problem)
        .ifPresent(problem -> findings.add(path, "contradicts the split", problem));
  }

  /** Typed fields by number; none where the column file is unsound. */
  private Map<Integer, Column> columns() {
    Map<Integer, Column> columns = new HashMap<>();
    columnFile()
        .ifPresent(
            file -> {
              for (int field : file.fieldNumbers()) {
                columns.put(field, file.read(field).orElseThrow());
              }
            });
    return columns;
  }
}
