package io.loam.write;

import io.loam.leaf.OpenVersion;
import io.loam.leaf.RowIdMap;
import io.loam.manifest.RowIdRange;
import io.loam.schema.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Vectors of documents of a version, read a chunk at a time: fast for whoever asks in order. */
final class StoredRowVectors implements SplitFiles.Vectors {
  private static final int CHUNK = 1_024;

  private final OpenVersion version;
  private final RowIdMap rowIds;
  private final Runnable checkpoint;
  private int fieldNumber;
  private int first;
  private float @Nullable [][] chunk = {};

  /**
   * @param rowIds of the documents, live in the version
   * @param checkpoint runs before each read
   */
  StoredRowVectors(OpenVersion version, List<RowIdRange> rowIds, Runnable checkpoint) {
    this.version = version;
    this.rowIds = new RowIdMap(rowIds);
    this.checkpoint = checkpoint;
  }

  @Override
  public float @Nullable [] vector(Field field, int doc) {
    if (field.number() != fieldNumber || doc < first || doc >= first + chunk.length) {
      read(field.number(), doc);
    }
    return chunk[doc - first];
  }

  private void read(int number, int doc) {
    checkpoint.run();
    long[] ids = new long[Math.min(CHUNK, rowIds.size() - doc)];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = rowIds.rowId(doc + i);
    }
    chunk = version.vectors(number, ids);
    fieldNumber = number;
    first = doc;
  }
}
