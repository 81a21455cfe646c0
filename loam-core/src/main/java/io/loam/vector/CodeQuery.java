package io.loam.vector;

import io.loam.doc.DocSet;

/** A query against the codes of one leaf, which compares {@link QueryValues}. */
final class CodeQuery {
  private final QueryValues values;
  private final QueryPlanes planes;
  private final long[] records;
  private final int stride;
  private final float centroidDot;

  CodeQuery(RotatedQuery query, VectorCodes codes) {
    int dimension = codes.dimension();
    this.values = query.values();
    this.planes = query.planes();
    this.records = codes.records();
    this.stride = planes.words() + VectorCodes.EXTRA_WORDS;
    this.centroidDot = (float) ExactKernel.dot(query.vector(), codes.centroid(), 0, dimension);
  }

  /** The value of a score; rounding never rules out what has just this score. */
  float value(double score) {
    return values.ofScore(score);
  }

  /**
   * Documents that may be among the best k.
   *
   * @param floor score below which no document is wanted
   */
  CodeCandidates candidates(DocSet allowed, int k, double floor) {
    CodeCandidates found = new CodeCandidates(k, value(floor));
    for (int doc = allowed.next(0); doc >= 0; doc = allowed.next(doc + 1)) {
      int at = doc * stride;
      float squaredNormOfVector = planes.squaredNorm(records, at);
      float coarse = planes.coarseUpperDot(records, at, centroidDot);
      if (!values.mayReach(found.threshold(), coarse, squaredNormOfVector)) {
        continue;
      }
      float dot = planes.dot(records, at, centroidDot);
      float spread = planes.spread(records, at);
      float upper = values.ofDot(dot + spread, squaredNormOfVector);
      if (upper >= found.threshold()) {
        found.add(doc, upper, values.ofDot(dot - spread, squaredNormOfVector));
      }
    }
    return found;
  }

  /** The {@code count} documents, or a few more, whose value may be the greatest. */
  DocSet greatest(DocSet allowed, int count) {
    GreatestFloats greatest = new GreatestFloats(count);
    float[] uppers = new float[allowed.size()];
    allowed.forEach(
        doc -> {
          uppers[doc] = bounds(doc).upper();
          if (!Float.isNaN(uppers[doc])) {
            greatest.offer(uppers[doc]);
          }
        });
    long[] words = new long[DocSet.wordCount(uppers.length)];
    allowed.forEach(
        doc -> {
          if (uppers[doc] >= greatest.kth()) {
            words[doc >>> 6] |= 1L << doc;
          }
        });
    return DocSet.ofWords(words, uppers.length);
  }

  /** Between which a document's value lies, most likely; NaN where it has no vector. */
  record Bounds(float lower, float upper) {}

  Bounds bounds(int doc) {
    int at = doc * stride;
    float dot = planes.dot(records, at, centroidDot);
    if (Float.isNaN(dot)) {
      return new Bounds(Float.NaN, Float.NaN);
    }
    float spread = planes.spread(records, at);
    float squaredNormOfVector = planes.squaredNorm(records, at);
    return new Bounds(
        values.ofDot(dot - spread, squaredNormOfVector),
        values.ofDot(dot + spread, squaredNormOfVector));
  }
}
