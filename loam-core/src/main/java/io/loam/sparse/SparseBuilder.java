package io.loam.sparse;

import io.loam.schema.SparseVector;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Collects the sparse vectors of one field in doc-id order. Not safe for use by several threads.
 */
public final class SparseBuilder {
  private final Map<Integer, GrowingList> lists = new HashMap<>();
  private int documentCount;

  /** Adds the next document's vector, or null where it is missing. */
  public SparseBuilder add(@Nullable SparseVector vector) {
    if (vector != null) {
      for (int i = 0; i < vector.size(); i++) {
        lists
            .computeIfAbsent(vector.indices()[i], index -> new GrowingList())
            .add(documentCount, vector.values()[i]);
      }
    }
    documentCount++;
    return this;
  }

  /** The index; the builder must not be used afterwards. */
  public SparseIndex build() {
    TreeMap<Integer, GrowingList> sorted = new TreeMap<>(Integer::compareUnsigned);
    sorted.putAll(lists);
    int[] indices = sorted.keySet().stream().mapToInt(Integer::intValue).toArray();
    Postings[] postings =
        sorted.values().stream().map(GrowingList::toPostings).toArray(Postings[]::new);
    return new SparseIndex(documentCount, indices, new HeapLists(postings));
  }

  private record HeapLists(Postings[] postings) implements SparseIndex.Lists {
    @Override
    public int size(int place) {
      return postings[place].size();
    }

    @Override
    public Postings read(int place) {
      return postings[place];
    }
  }

  private static final class GrowingList {
    private int[] docs = new int[4];
    private float[] weights = new float[4];
    private int size;

    void add(int doc, float weight) {
      if (size == docs.length) {
        docs = Arrays.copyOf(docs, size + (size >> 1));
        weights = Arrays.copyOf(weights, docs.length);
      }
      docs[size] = doc;
      weights[size++] = weight;
    }

    Postings toPostings() {
      return new Postings(
          IntBuffer.wrap(Arrays.copyOf(docs, size)),
          FloatBuffer.wrap(Arrays.copyOf(weights, size)));
    }
  }
}
