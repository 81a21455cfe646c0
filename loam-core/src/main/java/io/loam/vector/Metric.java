package io.loam.vector;

/** How vectors are compared. Distances are smaller-is-better, scores larger-is-better. */
public enum Metric {
  /** distance = 1 − cosine similarity, score = cosine similarity; 0 where either vector is zero. */
  COSINE,
  /** distance = Euclidean distance, score = 1 / (1 + distance²). */
  L2,
  /** distance = −dot product, score = dot product. */
  DOT
}
