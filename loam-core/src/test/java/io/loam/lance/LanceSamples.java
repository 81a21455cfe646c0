package io.loam.lance;

import io.loam.manifest.RowIdRange;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.FieldType;
import io.loam.schema.SparseVector;
import io.loam.schema.TypeKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Schemas and rows for tests. */
final class LanceSamples {
  static final int DIMENSION = 8;
  static final int DENSE = 3;
  static final int SPARSE = 5;
  static final Field DENSE_FIELD =
      new Field(DENSE, "embedding", FieldType.vector(DIMENSION), true, "", "cosine");
  static final Field SPARSE_FIELD =
      new Field(SPARSE, "terms", FieldType.of(TypeKind.SPARSEVECTOR), true, "", "");
  static final CollectionSchema SCHEMA =
      new CollectionSchema(
          1,
          List.of(
              new Field(1, "id", FieldType.of(TypeKind.BIGINT), false, "", ""),
              DENSE_FIELD,
              new Field(4, "body", FieldType.of(TypeKind.TEXT), true, "standard", ""),
              SPARSE_FIELD),
          1,
          6,
          Map.of());

  private LanceSamples() {}

  /** A row with some nulls, some text beyond ASCII and some empty sparse vectors. */
  static LanceRow row(Random random) {
    byte[] key = ("k" + random.nextLong()).getBytes(StandardCharsets.UTF_8);
    String source =
        "{\"n\":" + random.nextInt() + ",\"t\":\"" + "é😀".repeat(random.nextInt(9)) + "\"}";
    return new LanceRow(key, source, new @Nullable Object[] {dense(random), sparse(random)});
  }

  static List<LanceRow> rows(Random random, int count) {
    List<LanceRow> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(row(random));
    }
    return rows;
  }

  static float @Nullable [] dense(Random random) {
    if (random.nextInt(4) == 0) {
      return null;
    }
    float[] vector = new float[DIMENSION];
    for (int i = 0; i < DIMENSION; i++) {
      vector[i] = (float) random.nextGaussian();
    }
    return vector;
  }

  static @Nullable SparseVector sparse(Random random) {
    if (random.nextInt(4) == 0) {
      return null;
    }
    TreeSet<Integer> indices = new TreeSet<>(Integer::compareUnsigned);
    for (int i = random.nextInt(4); i > 0; i--) {
      indices.add(random.nextInt());
    }
    int[] index = indices.stream().mapToInt(Integer::intValue).toArray();
    float[] weight = new float[index.length];
    for (int i = 0; i < weight.length; i++) {
      weight[i] = random.nextFloat() - 2;
    }
    return new SparseVector(index, weight);
  }

  static long[] rowIds(List<RowIdRange> ranges) {
    return ranges.stream().flatMapToLong(r -> LongStream.range(r.start(), r.end())).toArray();
  }
}
