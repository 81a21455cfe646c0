package io.loam.sparse;

import io.loam.schema.SparseVector;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The inverted lists of one sparse field of one leaf: for each index that occurs, the documents
 * that have it and their weights. Safe for use by several threads.
 */
public final class SparseIndex {
  private final int documentCount;

  /** Ascending as unsigned numbers. */
  private final int[] indices;

  private final Lists lists;

  SparseIndex(int documentCount, int[] indices, Lists lists) {
    this.documentCount = documentCount;
    this.indices = indices;
    this.lists = lists;
  }

  /** Lists by their place among the indices. */
  interface Lists {
    int size(int place);

    Postings read(int place);
  }

  public int documentCount() {
    return documentCount;
  }

  /** Documents with this index (unsigned), deleted ones included. */
  public int documentFrequency(int index) {
    int place = place(index);
    return place < 0 ? 0 : lists.size(place);
  }

  /** The list of an index; fails with {@code CORRUPT_OBJECT} if its bytes are damaged. */
  Optional<Postings> postings(int index) {
    int place = place(index);
    return place < 0 ? Optional.empty() : Optional.of(lists.read(place));
  }

  /** What is wrong with the lists, or nothing; fails with {@code CORRUPT_OBJECT} as reads do. */
  public Optional<String> problem() {
    for (int place = 0; place < indices.length; place++) {
      if (place > 0 && Integer.compareUnsigned(indices[place - 1], indices[place]) >= 0) {
        return Optional.of("lists are not in the order of their indices");
      }
      Postings list = lists.read(place);
      int before = -1;
      for (int i = 0; i < list.size(); i++) {
        int doc = list.docs().get(i);
        if (doc <= before || doc >= documentCount) {
          return Optional.of("list %d has document %d after %d".formatted(place, doc, before));
        }
        before = doc;
      }
    }
    return Optional.empty();
  }

  /** The documents' vectors by doc id, deleted ones included; null where there is no entry. */
  public @Nullable SparseVector[] vectors() {
    int[] sizes = new int[documentCount];
    for (int place = 0; place < indices.length; place++) {
      Postings list = lists.read(place);
      for (int i = 0; i < list.size(); i++) {
        sizes[list.docs().get(i)]++;
      }
    }
    int[][] docIndices = new int[documentCount][];
    float[][] docWeights = new float[documentCount][];
    for (int doc = 0; doc < documentCount; doc++) {
      docIndices[doc] = new int[sizes[doc]];
      docWeights[doc] = new float[sizes[doc]];
    }
    int[] next = new int[documentCount];
    for (int place = 0; place < indices.length; place++) {
      Postings list = lists.read(place);
      for (int i = 0; i < list.size(); i++) {
        int doc = list.docs().get(i);
        docIndices[doc][next[doc]] = indices[place];
        docWeights[doc][next[doc]++] = list.weights().get(i);
      }
    }
    @Nullable SparseVector[] vectors = new @Nullable SparseVector[documentCount];
    for (int doc = 0; doc < documentCount; doc++) {
      vectors[doc] = sizes[doc] == 0 ? null : new SparseVector(docIndices[doc], docWeights[doc]);
    }
    return vectors;
  }

  int listCount() {
    return indices.length;
  }

  int index(int place) {
    return indices[place];
  }

  Postings list(int place) {
    return lists.read(place);
  }

  private int place(int index) {
    int low = 0;
    int high = indices.length - 1;
    while (low <= high) {
      int mid = (low + high) >>> 1;
      int order = Integer.compareUnsigned(indices[mid], index);
      if (order == 0) {
        return mid;
      }
      if (order < 0) {
        low = mid + 1;
      } else {
        high = mid - 1;
      }
    }
    return -1;
  }
}
