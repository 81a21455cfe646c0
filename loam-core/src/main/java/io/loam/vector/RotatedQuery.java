package io.loam.vector;

/** What all leaves' codes are compared with: a query, and what is computed of it once. */
record RotatedQuery(float[] vector, QueryValues values, QueryPlanes planes) {

  static RotatedQuery of(VectorQuery query) {
    QueryValues values = new QueryValues(query);
    return new RotatedQuery(
        query.vector(),
        values,
        new QueryPlanes(query.vector(), values.norm(), QueryPlanes.USUAL_MARGIN));
  }
}
