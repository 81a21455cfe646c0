package io.loam.vector;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Scans what {@link ScalarCode} writes. */
final class ScalarScan implements ListScan {
  /** By which part of the lengths rounding may be off. */
  private static final float ROUNDING = 1e-5f;

  private final QueryValues values;
  private final QueryPlanes planes;
  private final int dimension;
  private final boolean bits;
  private final int stride;
  private final long[] records;
  private final CodeBlock block;
  private final byte[] codes;
  private final ByteBuffer others;

  /** The query's components times the codes' steps. */
  private final float[] steps;

  /** The query's dot product with the vector of codes 0. */
  private final float base;

  ScalarScan(VectorQuery query, QueryValues values, Training training) {
    this.values = values;
    this.dimension = training.dimension();
    this.bits = ScalarCode.hasBits(dimension);
    this.planes = new QueryPlanes(query.vector(), values.norm());
    this.stride = planes.words() + VectorCodes.EXTRA_WORDS;
    this.records = bits ? new long[BLOCK * stride] : new long[0];
    this.block = CodeBlock.ofWords(planes.words());
    this.codes = new byte[dimension + 2 * Float.BYTES];
    this.others = ByteBuffer.wrap(codes).order(java.nio.ByteOrder.LITTLE_ENDIAN);
    this.steps = query.vector().clone();
    for (int d = 0; d < dimension; d++) {
      steps[d] *= training.step()[d];
    }
    this.base = (float) ExactKernel.dot(query.vector(), training.low(), 0, dimension);
  }

  @Override
  public int kept(int k) {
    return k;
  }

  @Override
  public void bounds(
      Segment segment, int first, int count, float centroidDot, float[] lowers, float[] uppers) {
    if (!bits) {
      Arrays.fill(lowers, 0, count, Float.NEGATIVE_INFINITY);
      for (int i = 0; i < count; i++) {
        long pair = refine(segment, first + i);
        lowers[i] = ListScan.lower(pair);
        uppers[i] = ListScan.upper(pair);
      }
      return;
    }
    segment.scannedWords().get(first * stride, records, 0, count * stride);
    block.put(records, 0, count);
    planes.bounds(block, centroidDot, lowers, uppers);
    for (int i = 0; i < count; i++) {
      lowers[i] = values.ofDot(lowers[i], block.squaredNorms()[i]);
      uppers[i] = values.ofDot(uppers[i], block.squaredNorms()[i]);
    }
  }

  @Override
  public boolean isSure() {
    return true;
  }

  @Override
  public boolean refines() {
    return bits;
  }

  @Override
  public long refine(Segment segment, int row) {
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
    return ListScan.pair(
        values.ofDot(dot - slack, squaredNorm), values.ofDot(dot + slack, squaredNorm));
  }
}
