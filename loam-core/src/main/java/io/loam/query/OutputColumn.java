package io.loam.query;

/**
 * A column of a request's result.
 *
 * @param number the field's number for {@code FIELD}, the leg's 1-based place for {@code RANK} and
 *     {@code LEG_SCORE}, else 0
 */
public record OutputColumn(Kind kind, int number) {

  /** What a column holds. */
  public enum Kind {
    /** A declared field. */
    FIELD,
    /** Double, larger is better; searches only. */
    SCORE,
    /** Double, smaller is better; vector searches only. */
    DISTANCE,
    /** Long, a hybrid leg's 1-based rank, null where the leg missed the document. */
    RANK,
    /** Double, a hybrid leg's score, null where the leg missed the document. */
    LEG_SCORE,
    /** String, the document's JSON body. */
    SOURCE,
    /** Long. */
    ROW_ID,
    /** Long, the snapshot's version. */
    VERSION
  }

  public static OutputColumn field(int number) {
    return new OutputColumn(Kind.FIELD, number);
  }

  public static OutputColumn of(Kind kind) {
    return new OutputColumn(kind, 0);
  }
}
