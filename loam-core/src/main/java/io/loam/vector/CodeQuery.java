package io.loam.vector;

import io.loam.doc.DocSet;

/**
 * A query against the codes of one leaf. What it compares is a <em>value</em>, which grows with the
 * score: the dot product; for cosine divided by the vector's length; for l2 2·q·v − |v|². The
 * rotated query is quantised to four bits a component, so that a sum over a code's set bits is four
 * population counts a word.
 */
final class CodeQuery {
  /**
   * How many standard deviations a dot product may exceed its estimate before its document is
   * missed.
   */
  private static final float MARGIN = 2;

  /** Makes up for rounding in a product of floats. */
  private static final float ALMOST = 0.99999f;

  private static final int BITS = RotatedQuery.BITS;

  private final Metric metric;
  private final long[] records;
  private final int words;
  private final int stride;
  private final long[] planes;
  private final float low;
  private final float step;
  private final float sum;
  private final float centroidDot;
  private final float norm;
  private final double squaredNorm;
  private final float quantisation;
  private final float meanOfLow;
  private final float coarseDeviation;

  CodeQuery(RotatedQuery query, VectorCodes codes) {
    this.metric = query.metric();
    this.records = codes.records();
    this.words = VectorCodes.words(codes.dimension());
    this.stride = words + VectorCodes.EXTRA_WORDS;
    this.planes = query.planes();
    this.low = query.low();
    this.step = query.step();
    this.sum = query.sum();
    this.squaredNorm = query.squaredNorm();
    this.norm = (float) Math.sqrt(squaredNorm);
    this.centroidDot =
        (float) ExactKernel.dot(query.vector(), codes.centroid(), 0, codes.dimension());
    this.quantisation = query.quantisation();
    this.meanOfLow = query.meanOfLow();
    this.coarseDeviation = query.coarseDeviation();
  }

  /** The value of a score; rounding never rules out what has just this score. */
  float value(double score) {
    if (score == Double.NEGATIVE_INFINITY) {
      return Float.NEGATIVE_INFINITY;
    }
    double value =
        switch (metric) {
          case COSINE -> score * norm;
          case L2 -> squaredNorm + 1 - 1 / score;
          case DOT -> score;
        };
    return Math.nextDown((float) value);
  }

  /**
   * Documents that may be among the best k.
   *
   * @param floor score below which no document is wanted
   */
  CodeCandidates candidates(DocSet allowed, int k, double floor) {
    CodeCandidates found = new CodeCandidates(k, value(floor));
    for (int doc = allowed.next(0); doc >= 0; doc = allowed.next(doc + 1)) {
      int terms = doc * stride + words;
      float squaredNormOfVector = VectorCodes.high(records[terms + 1]);
      if (!mayReach(found.threshold(), coarseUpperDot(doc), squaredNormOfVector)) {
        continue;
      }
      float dot = dot(doc);
      float spread = spread(terms);
      float upper = value(dot + spread, squaredNormOfVector);
      if (upper >= found.threshold()) {
        found.add(doc, upper, value(dot - spread, squaredNormOfVector));
      }
    }
    return found;
  }

  /**
   * Whether a dot product has a value of at least {@code threshold}, or almost: without the root
   * and the quotient of {@link #value(float, float)}. Not so for a NaN, which a document without a
   * vector has.
   */
  private boolean mayReach(float threshold, float dot, float squaredNormOfVector) {
    return switch (metric) {
      case COSINE ->
          threshold > 0
              ? dot > 0 && dot * dot >= threshold * threshold * squaredNormOfVector * ALMOST
              : !Float.isNaN(dot);
      case L2 -> 2 * dot - squaredNormOfVector >= threshold;
      case DOT -> dot >= threshold;
    };
  }

  /** What the dot product hardly exceeds, from the two upper bits of the query's levels. */
  private float coarseUpperDot(int doc) {
    int at = doc * stride;
    float factor = VectorCodes.high(records[at + words]);
    float setBits = VectorCodes.low(records[at + words + 1]);
    float levels = upperLevels(at) + meanOfLow * setBits;
    return centroidDot
        + factor * (2 * (low * setBits + step * levels) - sum)
        + spread(at + words)
        + MARGIN * factor * coarseDeviation;
  }

  /** Between which a document's value lies, most likely. */
  record Bounds(float lower, float upper) {}

  Bounds bounds(int doc) {
    int terms = doc * stride + words;
    float squaredNormOfVector = VectorCodes.high(records[terms + 1]);
    return new Bounds(
        value(dot(doc) - spread(terms), squaredNormOfVector),
        value(dot(doc) + spread(terms), squaredNormOfVector));
  }

  /** The estimated dot product. */
  private float dot(int doc) {
    int at = doc * stride;
    float factor = VectorCodes.high(records[at + words]);
    float setBits = VectorCodes.low(records[at + words + 1]);
    return centroidDot + factor * (2 * (low * setBits + step * levels(at)) - sum);
  }

  /**
   * How far the dot product may be from its estimate.
   *
   * @param terms place of the document's factor and spread
   */
  private float spread(int terms) {
    long pair = records[terms];
    return MARGIN * (norm * VectorCodes.low(pair) + quantisation * VectorCodes.high(pair));
  }

  /** What the two upper bits of the query's levels add to {@link #levels}. */
  private int upperLevels(int at) {
    int s2 = 0;
    int s3 = 0;
    for (int word = 0, plane = 0; word < words; word++, plane += BITS) {
      long bits = records[at + word];
      s2 += Long.bitCount(bits & planes[plane + 2]);
      s3 += Long.bitCount(bits & planes[plane + 3]);
    }
    return 4 * s2 + 8 * s3;
  }

  /** The sum of the query's levels over the set bits of a code. */
  private int levels(int at) {
    int s0 = 0;
    int s1 = 0;
    for (int word = 0, plane = 0; word < words; word++, plane += BITS) {
      long bits = records[at + word];
      s0 += Long.bitCount(bits & planes[plane]);
      s1 += Long.bitCount(bits & planes[plane + 1]);
    }
    return s0 + 2 * s1 + upperLevels(at);
  }

  private float value(float dot, float squaredNormOfVector) {
    return switch (metric) {
      case COSINE -> squaredNormOfVector == 0 ? 0 : dot / (float) Math.sqrt(squaredNormOfVector);
      case L2 -> 2 * dot - squaredNormOfVector;
      case DOT -> dot;
    };
  }
}
