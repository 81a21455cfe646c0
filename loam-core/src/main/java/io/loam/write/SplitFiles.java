package io.loam.write;

import io.loam.column.ColumnFile;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.leaf.CollectionFiles;
import io.loam.leaf.LeafData;
import io.loam.leaf.RowIdMap;
import io.loam.manifest.FileRef;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.SplitRef;
import io.loam.manifest.TextStats;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.TypeKind;
import io.loam.sparse.SparseFile;
import io.loam.store.FreshObject;
import io.loam.store.LocalFiles;
import io.loam.store.Ulid;
import io.loam.text.SplitFile;
import io.loam.text.SplitWriter;
import io.loam.text.TokenFile;
import io.loam.vector.CodeFile;
import io.loam.vector.VectorCodes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Writes a split and the files beside it. */
final class SplitFiles {
  private static final String FOLDER = "text/";
  private static final String TEMPORARY_PREFIX = "loam-split";

  /** Age at which nobody works on a temporary folder any more. */
  private static final Duration LEFTOVER_AGE = Duration.ofDays(1);

  private final CollectionFiles files;

  SplitFiles(CollectionFiles files) {
    this.files = files;
  }

  /** The vectors of a split's documents, which no other file beside it holds. */
  interface Vectors {
    float @Nullable [] vector(Field field, int doc);
  }

  /**
   * Writes {@code data} as a new split, all of its files on stable storage when this returns.
   *
   * @param vectors of the same documents
   */
  SplitRef write(CollectionSchema schema, LeafData data, Vectors vectors, List<RowIdRange> rowIds) {
    String ulid = Ulid.next();
    Path folder = temporaryFolder();
    try {
      return write(schema, data, vectors, rowIds, ulid, folder);
    } finally {
      LocalFiles.deleteTree(folder);
    }
  }

  private SplitRef write(
      CollectionSchema schema,
      LeafData data,
      Vectors vectors,
      List<RowIdRange> rowIds,
      String ulid,
      Path folder) {
    Path columns = folder.resolve("columns");
    ColumnFile.write(columns, data.documentCount(), data.columns());
    Map<Integer, FileRef> tokens = new HashMap<>();
    data.tokens()
        .forEach(
            (field, reader) -> {
              Path file = folder.resolve(field + ".tokens");
              TokenFile.write(reader, file);
              tokens.put(field, put(file, FOLDER + ulid + "." + field + ".tokens"));
            });
    Map<Integer, FileRef> sparse = new HashMap<>();
    data.sparse()
        .forEach(
            (field, index) -> {
              Path file = folder.resolve(field + ".sparse");
              SparseFile.write(index, file);
              sparse.put(field, put(file, FOLDER + ulid + "." + field + ".sparse"));
            });
    Optional<SplitFile> bundle = bundle(data, rowIds, ulid, folder);
    return new SplitRef(
        ulid,
        data.documentCount(),
        0,
        schema.version(),
        rowIds,
        bundle.map(b -> store(b.path(), FOLDER + ulid + ".split")),
        bundle.map(SplitFile::footerStart).orElse(0L),
        bundle.map(SplitFile::footerEnd).orElse(0L),
        put(columns, FOLDER + ulid + ".columns"),
        tokens,
        sparse,
        codes(schema, data.documentCount(), vectors, ulid, folder),
        data.tokens().entrySet().stream()
            .map(
                e ->
                    new TextStats(
                        e.getKey(), e.getValue().totalTokens(), e.getValue().longestDocument()))
            .toList(),
        Optional.empty());
  }

  /** The same split in files of fresh names, all on stable storage when this returns. */
  SplitRef renamed(SplitRef split) {
    String ulid = Ulid.next();
    UnaryOperator<FileRef> copy =
        file -> files.copy(file, file.path().replace(FOLDER + split.ulid(), FOLDER + ulid));
    return new SplitRef(
        ulid,
        split.documentCount(),
        split.deletedCount(),
        split.schemaVersion(),
        split.rowIds(),
        split.bundle().map(copy),
        split.footerStart(),
        split.footerEnd(),
        copy.apply(split.columns()),
        copied(split.tokens(), copy),
        copied(split.sparse(), copy),
        copied(split.codes(), copy),
        split.text(),
        split.deletes());
  }

  private static Map<Integer, FileRef> copied(
      Map<Integer, FileRef> byField, UnaryOperator<FileRef> copy) {
    Map<Integer, FileRef> copied = new HashMap<>();
    byField.forEach((field, file) -> copied.put(field, copy.apply(file)));
    return copied;
  }

  private Map<Integer, FileRef> codes(
      CollectionSchema schema, int documents, Vectors vectors, String ulid, Path folder) {
    Map<Integer, FileRef> codes = new HashMap<>();
    for (Field field : schema.fields()) {
      int dimension = field.kind() == TypeKind.VECTOR ? field.type().dimension() : 0;
      if (VectorCodes.areWorthwhile(dimension, documents)) {
        Path file = folder.resolve(field.number() + ".codes");
        CodeFile.write(
            VectorCodes.of(dimension, documents, doc -> vectors.vector(field, doc)), file);
        codes.put(field.number(), put(file, FOLDER + ulid + "." + field.number() + ".codes"));
      }
    }
    return codes;
  }

  private static Optional<SplitFile> bundle(
      LeafData data, List<RowIdRange> rowIds, String ulid, Path folder) {
    if (data.tokens().isEmpty()) {
      return Optional.empty();
    }
    RowIdMap ids = new RowIdMap(rowIds);
    return Optional.of(
        SplitWriter.write(
            folder, ulid, data.documentCount(), doc -> ids.rowId((int) doc), data.tokens()));
  }

  /** Stores a file that readers of this process are likely to want. */
  private FileRef put(Path file, String path) {
    FileRef ref = store(file, path);
    files.keep(ref, file);
    return ref;
  }

  private FileRef store(Path file, String path) {
    try {
      FileRef ref = new FileRef(path, Files.size(file), LocalFiles.crc32c(file));
      FreshObject.putFile(files.store(), files.folder() + path, file);
      return ref;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes folders that processes which died left; tells how many. */
  static int sweep() {
    try {
      Path folder = Path.of(System.getProperty("java.io.tmpdir"));
      return LocalFiles.sweep(folder, TEMPORARY_PREFIX, LEFTOVER_AGE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path temporaryFolder() {
    try {
      return Files.createTempDirectory(TEMPORARY_PREFIX);
    } catch (IOException e) {
      throw new LoamException(
          ErrorCode.STORE_UNAVAILABLE,
          "no temporary folder: java.io.tmpdir="
              + System.getProperty("java.io.tmpdir")
              + "; make it writable or choose another",
          e);
    }
  }
}
