package io.loam.sparse;

import io.loam.doc.DocSet;
import io.loam.schema.SparseVector;
import java.util.List;

/**
 * A query by dot product: indices in ascending order (as unsigned numbers), each once, and weights.
 * The arrays are not copied and must not be changed.
 */
public record SparseQuery(int[] indices, double[] weights) {

  /** The vector as it is. */
  public static SparseQuery of(SparseVector vector) {
    double[] weights = new double[vector.size()];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = vector.values()[i];
    }
    return new SparseQuery(vector.indices(), weights);
  }

  /**
   * Each weight times ln(1 + (N − n + 0.5) / (n + 0.5)), where N counts the live documents, with a
   * vector or without, and n those that have the weight's index.
   *
   * @param leaves all of the collection
   * @param live the live documents of each leaf
   */
  public SparseQuery withIdf(List<SparseIndex> leaves, List<DocSet> live) {
    double documents = live.stream().mapToLong(DocSet::cardinality).sum();
    double[] scaled = new double[weights.length];
    for (int i = 0; i < scaled.length; i++) {
      double having = 0;
      for (int leaf = 0; leaf < leaves.size(); leaf++) {
        having += documentFrequency(leaves.get(leaf), live.get(leaf), indices[i]);
      }
      scaled[i] = weights[i] * StrictMath.log(1 + (documents - having + 0.5) / (having + 0.5));
    }
    return new SparseQuery(indices, scaled);
  }

  private static int documentFrequency(SparseIndex leaf, DocSet live, int index) {
    if (live.isAll()) {
      return leaf.documentFrequency(index);
    }
    return leaf.postings(index)
        .map(
            list -> {
              int having = 0;
              for (int place = 0; place < list.docs().limit(); place++) {
                having += live.contains(list.docs().get(place)) ? 1 : 0;
              }
              return having;
            })
        .orElse(0);
  }
}
