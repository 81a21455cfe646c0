package io.loam.query;

import io.loam.column.DocRef;
import io.loam.doc.DocSet;
import io.loam.doc.Hit;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;

/** The rows of a result in order, handed out in batches. Used by one thread. */
interface DocSequence {

  /**
   * Some rows.
   *
   * @param leaves by row, the place of the leaf
   * @param docs by row, the doc id
   * @param scores by row, or empty where rows have no scores
   */
  record Batch(int[] leaves, int[] docs, double[] scores) {
    int size() {
      return docs.length;
    }
  }

  /** The next rows, at most {@code most}; empty at the end. */
  Batch next(int most);

  static DocSequence of(List<Hit> hits) {
    Iterator<Hit> rest = hits.iterator();
    int[] left = {hits.size()};
    return most -> {
      int n = Math.min(most, left[0]);
      left[0] -= n;
      Batch batch = new Batch(new int[n], new int[n], new double[n]);
      for (int i = 0; i < n; i++) {
        Hit hit = rest.next();
        batch.leaves[i] = hit.leaf();
        batch.docs[i] = hit.doc();
        batch.scores[i] = hit.score();
      }
      return batch;
    };
  }

  static DocSequence ofRefs(List<DocRef> refs) {
    Iterator<DocRef> rest = refs.iterator();
    int[] left = {refs.size()};
    return most -> {
      int n = Math.min(most, left[0]);
      left[0] -= n;
      Batch batch = new Batch(new int[n], new int[n], new double[0]);
      for (int i = 0; i < n; i++) {
        DocRef ref = rest.next();
        batch.leaves[i] = ref.leaf();
        batch.docs[i] = ref.doc();
      }
      return batch;
    };
  }

  /** All members of the sets, leaf by leaf, cut by offset and limit. */
  static DocSequence of(List<DocSet> sets, long offset, OptionalLong limit) {
    return new SetSequence(sets, offset, limit.orElse(Long.MAX_VALUE));
  }

  /** See {@link #of(List, long, OptionalLong)}. */
  final class SetSequence implements DocSequence {
    private final List<DocSet> sets;
    private long skip;
    private long left;
    private int leaf;
    private int doc;

    private SetSequence(List<DocSet> sets, long skip, long left) {
      this.sets = sets;
      this.skip = skip;
      this.left = left;
    }

    /** One leaf's rows at a time. */
    @Override
    public Batch next(int most) {
      while (leaf < sets.size() && left > 0) {
        DocSet set = sets.get(leaf);
        if (doc == 0 && skip >= set.cardinality()) {
          skip -= set.cardinality();
          leaf++;
          continue;
        }
        int[] docs = take(set, (int) Math.min(most, left));
        if (docs.length == 0) {
          leaf++;
          doc = 0;
          continue;
        }
        left -= docs.length;
        int[] leaves = new int[docs.length];
        java.util.Arrays.fill(leaves, leaf);
        return new Batch(leaves, docs, new double[0]);
      }
      return new Batch(new int[0], new int[0], new double[0]);
    }

    private int[] take(DocSet set, int most) {
      int[] docs = new int[Math.min(most, set.cardinality())];
      int n = 0;
      while (n < docs.length && doc < set.size()) {
        int next = set.next(doc);
        if (next < 0) {
          break;
        }
        doc = next + 1;
        if (skip > 0) {
          skip--;
        } else {
          docs[n++] = next;
        }
      }
      return n == docs.length ? docs : java.util.Arrays.copyOf(docs, n);
    }
  }
}
