package io.loam.query;

import io.loam.column.Predicate;
import io.loam.schema.SparseVector;
import io.loam.text.TextQueries;
import io.loam.text.TextQuery;
import io.loam.vector.Metric;
import io.loam.vector.VectorQuery;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

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
   * @param maxDistance no vector that is farther away matches
   */
  record Vector(
      int fieldNumber,
      float[] query,
      Optional<Metric> metric,
      int k,
      Optional<Predicate> filter,
      OptionalDouble maxDistance,
      VectorQuery.Precision precision)
      implements Search {}

  /**
   * BM25.
   *
   * @param fields at least one
   * @param query as the user wrote it
   * @param minScore no document that scores less matches
   */
  record Text(
      List<BoostedField> fields,
      String query,
      TextQueries.Options options,
      int k,
      Optional<Predicate> filter,
      OptionalDouble minScore)
      implements Search {
    public Text {
      fields = List.copyOf(fields);
    }
  }

  /** BM25 of a query that is parsed already. */
  record Match(TextQuery query, int k, Optional<Predicate> filter) implements Search {}

  /**
   * All documents, nearest vectors first, by distance; then, by key, those without a vector. What
   * the rows have as their score is the distance less than 0, or negative infinity.
   *
   * @param query of the field's dimension, finite
   */
  record ByDistance(
      int fieldNumber, float[] query, Metric metric, int k, Optional<Predicate> filter)
      implements Search {}

  /**
   * Dot product of sparse vectors.
   *
   * @param minScore no document that scores less matches
   */
  record Sparse(
      int fieldNumber,
      SparseVector query,
      SparseModifier modifier,
      int k,
      Optional<Predicate> filter,
      OptionalDouble minScore)
      implements Search {}

  /** What becomes of the weights of a sparse query before they are multiplied. */
  enum SparseModifier {
    /** Nothing. */
    NONE,
    /** Each is multiplied by how rare its index is among the live documents. */
    IDF
  }

  /**
   * Fuses what two to sixteen legs find.
   *
   * @param minScore no document whose fused score is less is given
   */
  record Hybrid(List<Leg> legs, int k, Fusion fusion, OptionalDouble minScore) implements Search {
    public Hybrid {
      legs = List.copyOf(legs);
    }
  }

  /** One search of a hybrid, and its weight. */
  record Leg(Search search, double weight) {}

  /** A text field and the factor of its scores. */
  record BoostedField(int fieldNumber, double boost) {}
}
