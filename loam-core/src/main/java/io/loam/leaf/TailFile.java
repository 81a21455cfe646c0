package io.loam.leaf;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.lance.ArrowRows;
import io.loam.lance.LanceRow;
import io.loam.manifest.TailRef;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Key;
import java.util.List;

/** A file of the tail: an Arrow stream of rows with successive ids. */
public final class TailFile {
  private TailFile() {}

  /** The file's bytes. */
  public static byte[] encode(CollectionSchema schema, List<MemoryRows.Row> rows) {
    return ArrowRows.encode(
        schema, rows.stream().map(r -> LanceRow.of(schema, r.key(), r.values())).toList());
  }

  /** Reads a file; {@code MISSING_OBJECT} or {@code CORRUPT_OBJECT} name its path. */
  public static MemoryRows read(CollectionFiles files, TailRef ref, CollectionSchema schema) {
    String path = files.folder() + ref.file().path();
    List<LanceRow> rows = ArrowRows.decode(schema, files.read(ref.file()), path);
    if (rows.size() != ref.rowIds().count()) {
      throw new LoamException(
          ErrorCode.CORRUPT_OBJECT,
          "number of rows differs: path=%s, rows=%d, wanted=%d; restore it from a copy"
              .formatted(path, rows.size(), ref.rowIds().count()));
    }
    return new MemoryRows(
        schema,
        ref.rowIds().start(),
        rows.stream()
            .map(r -> new MemoryRows.Row(Key.fromBytes(r.key()), r.values(schema)))
            .toList());
  }
}
