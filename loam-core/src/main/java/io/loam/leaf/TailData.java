package io.loam.leaf;

import io.loam.lance.LanceReader;
import io.loam.manifest.TailRef;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.Key;
import io.loam.schema.SourceCodec;
import io.loam.schema.TypeKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A fragment of the tail, indexed in memory. Rows that were deleted by the version it was read from
 * are missing, so it serves that version and later ones.
 *
 * @param version that it was read from
 * @param textBytes characters of the text fields' values, a stand-in for their heap size
 */
record TailData(long version, LeafData data, long textBytes) {

  static TailData read(LanceReader reader, long version, TailRef ref, CollectionSchema schema) {
    List<Field> sparse =
        schema.fields().stream().filter(f -> f.kind() == TypeKind.SPARSEVECTOR).toList();
    Filler filler = new Filler(schema, sparse, ref.rowIds().start());
    reader.scan(
        ref.fragmentId(),
        sparse,
        (rowId, row) -> filler.add(rowId, row.key(), row.source(), row.vectors()));
    filler.fillTo(ref.rowIds().count());
    return new TailData(version, filler.builder.build(), filler.characters);
  }

  boolean serves(long readerVersion) {
    return version <= readerVersion;
  }

  long sizeInBytes() {
    return 512
        + data.columns().values().stream().mapToLong(c -> c.sizeInBytes()).sum()
        + 8 * textBytes;
  }

  private static final class Filler {
    private final CollectionSchema schema;
    private final List<Integer> sparsePositions = new ArrayList<>();
    private final LeafData.Builder builder;
    private final long firstRowId;
    private int next;
    private long characters;

    Filler(CollectionSchema schema, List<Field> sparse, long firstRowId) {
      this.schema = schema;
      this.builder = LeafData.builder(schema);
      this.firstRowId = firstRowId;
      sparse.forEach(f -> sparsePositions.add(schema.position(f.number())));
    }

    void add(long rowId, byte[] key, String source, @Nullable Object[] vectors) {
      fillTo((int) (rowId - firstRowId));
      @Nullable Object[] values = SourceCodec.decode(schema, source);
      for (int i = 0; i < vectors.length; i++) {
        values[sparsePositions.get(i)] = vectors[i];
      }
      builder.add(Key.fromBytes(key).value(), values);
      characters += source.length();
      next++;
    }

    void fillTo(int count) {
      for (; next < count; next++) {
        builder.addMissing();
      }
    }
  }
}
