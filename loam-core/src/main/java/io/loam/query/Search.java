package io.loam.query;

import io.loam.column.Predicate;
import io.loam.schema.SparseVector;
import io.loam.text.TextQueries;
import io.loam.vector.Metric;
import java.util.List;
import java.util.Optional;

/**
 * A ranked search over one collection. {@code k} is the most rows it gives; {@code filter} narrows
 * what may match.
 */
public sealed interface Search {
  int k();

  /**
   * Nearest vectors.
   *
   * @param query of the field's dimension, finite
   * @param metric overrides the field's metric
   */
  record Vector(
      int fieldNumber, float[] query, Optional<Metric> metric, int k, Optional<Predicate> filter)
      implements Search {}

  /**
   * BM25.
   *
   * @param fields at least one
   * @param query as the user wrote it
   */
  record Text(
      List<BoostedField> fields,
      String query,
      TextQueries.Options options,
      int k,
      Optional<Predicate> filter)
      implements Search {
    public Text {
      fields = List.copyOf(fields);
    }
  }

  /** Dot product of sparse vectors. */
  record Sparse(int fieldNumber, SparseVector query, int k, Optional<Predicate> filter)
      implements Search {}

  /** Fuses the ranks of two to sixteen legs. */
  record Hybrid(List<Leg> legs, int k, double rrfK) implements Search {
    public Hybrid {
      legs = List.copyOf(legs);
    }
  }

  /** One search of a hybrid, and its weight. */
  record Leg(Search search, double weight) {}

  /** A text field and the factor of its scores. */
  record BoostedField(int fieldNumber, double boost) {}
}
