package io.loam.function;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.Limits;
import io.loam.schema.SparseText;
import io.loam.schema.SparseVector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads sparse vectors from the Java objects by which SQL and JDBC give them. */
public final class SparseValues {
  private static final long MAX_INDEX = (1L << 32) - 1;

  private SparseValues() {}

  private record Entry(long index, float weight) {}

  /**
   * A sparse vector from {@link SparseVector}, a map of index to weight, a list of two lists (the
   * indices, the weights), or text {@code {"12":0.5}}.
   */
  public static SparseVector parse(Object value) {
    if (value instanceof SparseVector vector) {
      return vector;
    }
    if (value instanceof CharSequence text) {
      return SparseText.parse(text.toString());
    }
    List<Entry> entries = new ArrayList<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((index, weight) -> entries.add(entry(index, weight)));
      return of(entries);
    }
    if (value instanceof List<?> pair
        && pair.size() == 2
        && pair.get(0) instanceof List<?> indices
        && pair.get(1) instanceof List<?> weights
        && indices.size() == weights.size()) {
      for (int i = 0; i < indices.size(); i++) {
        entries.add(entry(indices.get(i), weights.get(i)));
      }
      return of(entries);
    }
    throw new LoamException(
        ErrorCode.TYPE_MISMATCH,
        "not a sparse vector: class="
            + value.getClass().getSimpleName()
            + "; give text {\"12\":0.5}, a map of index to weight, or two arrays of one length");
  }

  private static Entry entry(@Nullable Object index, @Nullable Object weight) {
    if (index == null || !(weight instanceof Number number)) {
      throw new LoamException(
          ErrorCode.TYPE_MISMATCH,
          "entry of a sparse vector is not index and number: index="
              + index
              + ", weight="
              + weight
              + "; give both");
    }
    return new Entry(index(index.toString()), number.floatValue());
  }

  private static long index(String text) {
    try {
      long index = Long.parseLong(text.trim());
      if (index >= 0 && index <= MAX_INDEX) {
        return index;
      }
    } catch (NumberFormatException e) {
      throw badIndex(text, e);
    }
    throw badIndex(text, null);
  }

  private static LoamException badIndex(String text, @Nullable NumberFormatException cause) {
    return new LoamException(
        ErrorCode.OUT_OF_RANGE,
        "index of a sparse vector is not a whole number from 0 to 4294967295: index="
            + text
            + "; use such a number",
        cause);
  }

  private static SparseVector of(List<Entry> entries) {
    Set<Long> seen = new HashSet<>();
    for (Entry entry : entries) {
      if (!Float.isFinite(entry.weight)) {
        throw new LoamException(
            ErrorCode.INVALID_ARGUMENT,
            "weight of a sparse vector is not finite: index="
                + entry.index
                + ", weight="
                + entry.weight
                + "; give finite numbers");
      }
      if (!seen.add(entry.index)) {
        throw new LoamException(
            ErrorCode.INVALID_ARGUMENT,
            "sparse vector has an index twice: index=" + entry.index + "; give it once");
      }
    }
    if (entries.size() > Limits.MAX_SPARSE_ENTRIES) {
      throw new LoamException(
          ErrorCode.LIMIT_EXCEEDED,
          "sparse vector has too many entries: entries="
              + entries.size()
              + ", limit="
              + Limits.MAX_SPARSE_ENTRIES
              + "; keep the heaviest");
    }
    List<Entry> kept =
        entries.stream()
            .filter(e -> e.weight != 0)
            .sorted(Comparator.comparingLong(Entry::index))
            .toList();
    int[] indices = new int[kept.size()];
    float[] weights = new float[kept.size()];
    for (int i = 0; i < indices.length; i++) {
      indices[i] = (int) kept.get(i).index;
      weights[i] = kept.get(i).weight;
    }
    return new SparseVector(indices, weights);
  }
}
