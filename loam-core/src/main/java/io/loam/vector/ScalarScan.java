package io.loam.vector;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/** Scans what {@link ScalarCode} writes. */
final class ScalarScan implements ListScan {
  /** By which part of the lengths rounding may be off. */
  private static final float ROUNDING = 1e-5f;

  private final float[] query;
  private final Training training;
  private final QueryValues values;
  private final QueryPlanes planes;
  private final int dimension;
  private final boolean bits;
  private final int stride;
  private final long[] records;
  private final CodeBlock block;
  private final float[] centroidDots = new float[CodeBlock.SIZE];
  private final float[] uppers = new float[CodeBlock.SIZE];
  private final float[] margins = new float[CodeBlock.SIZE];
  private final byte[] codes;
  private final ByteBuffer others;

  /** The query's components times the codes' steps. */
  private final float[] steps;

  /** The query's dot product with the vector of codes 0. */
  private final float base;

  ScalarScan(VectorQuery query, QueryValues values, Training training) {
    this(
        query.vector(),
        training,
        values,
        new QueryPlanes(query.vector(), values.norm(), QueryPlanes.WIDE_MARGIN),
        steps(query, training),
        (float) ExactKernel.dot(query.vector(), training.low(), 0, training.dimension()));
  }

  private ScalarScan(
      float[] query,
      Training training,
      QueryValues values,
      QueryPlanes planes,
      float[] steps,
      float base) {
    this.query = query;
    this.training = training;
    this.values = values;
    this.planes = planes;
    this.steps = steps;
    this.base = base;
    this.dimension = steps.length;
    this.bits = ScalarCode.hasBits(dimension);
    this.stride = planes.words() + VectorCodes.EXTRA_WORDS;
    this.records = bits ? new long[CodeBlock.SIZE * stride] : new long[0];
    this.block = CodeBlock.ofWords(planes.words());
    this.codes = new byte[dimension + 2 * Float.BYTES];
    this.others = ByteBuffer.wrap(codes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static float[] steps(VectorQuery query, Training training) {
    float[] steps = query.vector().clone();
    for (int d = 0; d < steps.length; d++) {
      steps[d] *= training.step()[d];
    }
    return steps;
  }

  @Override
  public ListScan another() {
    return new ScalarScan(query, training, values, planes.another(), steps, base);
  }

  @Override
  public float ofCentroid(int list) {
    return training.centroidDot(query, list);
  }

  @Override
  public int kept(int k) {
    return k;
  }

  @Override
  public void scan(List<ListRows> rows, SegmentCandidates found) {
    if (bits) {
      fill(rows);
      scanBits(rows, found);
      return;
    }
    for (ListRows part : rows) {
      for (int row = part.first(); row < part.first() + part.count(); row++) {
        offer(part.segment(), row, Float.POSITIVE_INFINITY, found);
      }
    }
  }

  private void fill(List<ListRows> rows) {
    int at = 0;
    for (ListRows part : rows) {
      int words = part.count() * stride;
      part.segment().scannedWords().get(part.first() * stride, records, 0, words);
      block.put(records, at, part.count());
      Arrays.fill(centroidDots, at, at + part.count(), part.ofCentroid());
      at += part.count();
    }
  }

  /**
   * A coarse bound rules most rows out, and a closer one more; what they say counts for the others,
   * too. Both are estimates, and by them alone one of thousands of rows would seem better than the
   * best. So the greatest lower bounds, which rule rows out, are those that bytes give.
   */
  private void scanBits(List<ListRows> rows, SegmentCandidates found) {
    planes.coarseUppers(block, 0, uppers);
    for (int i = 0; i < uppers.length; i++) {
      uppers[i] += centroidDots[i];
    }
    float[] squaredNorms = block.squaredNorms();
    values.margins(found.threshold(), uppers, squaredNorms, margins);
    int first = 0;
    for (ListRows part : rows) {
      for (int i = first; i < first + part.count(); i++) {
        if (!(margins[i] < 0)) {
          int levels = planes.levelsAfterUppers(block, i);
          float coarse = values.ofDot(uppers[i], squaredNorms[i]);
          float upper = planes.upper(block, i, levels, part.ofCentroid());
          float most = Math.min(coarse, values.ofDot(upper, squaredNorms[i]));
          if (!(most < found.threshold())) {
            offer(part.segment(), part.first() + i - first, most, found);
          }
        }
      }
      first += part.count();
    }
  }

  private void offer(Segment segment, int row, float most, SegmentCandidates found) {
    long bounds = bounds(segment, row);
    float upper = Math.min(most, upper(bounds));
    found.offer(segment, row, Math.min(upper, lower(bounds)), upper);
  }

  @Override
  public boolean isSure() {
    return true;
  }

  /** The bounds that a row's bytes give: the lower one in the upper 32 bits, as floats. */
  private long bounds(Segment segment, int row) {
    segment.others().get(row * codes.length, codes);
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    int d = 0;
    for (; d + 4 <= dimension; d += 4) {
      s0 += steps[d] * (codes[d] & 0xFF);
      s1 += steps[d + 1] * (codes[d + 1] & 0xFF);
      s2 += steps[d + 2] * (codes[d + 2] & 0xFF);
      s3 += steps[d + 3] * (codes[d + 3] & 0xFF);
    }
    for (; d < dimension; d++) {
      s0 += steps[d] * (codes[d] & 0xFF);
    }
    float error = others.getFloat(dimension);
    float squaredNorm = others.getFloat(dimension + Float.BYTES);
    float dot = base + ((s0 + s1) + (s2 + s3));
    float slack = values.norm() * (error + ROUNDING * ((float) Math.sqrt(squaredNorm) + error));
    return pair(values.ofDot(dot - slack, squaredNorm), values.ofDot(dot + slack, squaredNorm));
  }

  private static long pair(float lower, float upper) {
    return (long) Float.floatToRawIntBits(lower) << 32
        | Integer.toUnsignedLong(Float.floatToRawIntBits(upper));
  }

  private static float lower(long pair) {
    return Float.intBitsToFloat((int) (pair >>> 32));
  }

  private static float upper(long pair) {
    return Float.intBitsToFloat((int) pair);
  }
}
