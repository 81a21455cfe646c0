package io.loam.vector;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Scans what {@link ProductCode} writes. A value is estimated, without bounds. */
final class ProductScan implements ListScan {
  /** The best by estimate that are compared exactly, for each that is wanted. */
  private static final int REFINED = 20;

  private static final int LEAST_REFINED = 200;

  private final QueryValues values;
  private final int parts;
  private final int stride;

  /** By part and code: the dot product with a part of the query. */
  private final float[] products;

  private final byte[] rows;
  private final ByteBuffer numbers;

  ProductScan(VectorQuery query, QueryValues values, Training training) {
    this.values = values;
    this.parts = training.subVectors();
    this.stride = parts + Float.BYTES;
    this.rows = new byte[BLOCK * stride];
    this.numbers = ByteBuffer.wrap(rows).order(ByteOrder.LITTLE_ENDIAN);
    this.products = new float[parts * ProductCode.WORDS];
    int width = training.dimension() / parts;
    for (int word = 0; word < products.length; word++) {
      int part = word / ProductCode.WORDS;
      float product = 0;
      for (int d = 0; d < width; d++) {
        product += query.vector()[part * width + d] * training.codebook()[word * width + d];
      }
      products[word] = product;
    }
  }

  @Override
  public int kept(int k) {
    return Math.max(LEAST_REFINED, REFINED * k);
  }

  @Override
  public void bounds(
      Segment segment, int first, int count, float centroidDot, float[] lowers, float[] uppers) {
    segment.scanned().get(first * stride, rows, 0, count * stride);
    for (int i = 0, at = 0; i < count; i++, at += stride) {
      float dot = centroidDot;
      for (int part = 0, word = 0; part < parts; part++, word += ProductCode.WORDS) {
        dot += products[word + (rows[at + part] & 0xFF)];
      }
      lowers[i] = values.ofDot(dot, numbers.getFloat(at + parts));
      uppers[i] = lowers[i];
    }
  }

  @Override
  public boolean isSure() {
    return false;
  }

  @Override
  public boolean refines() {
    return false;
  }

  @Override
  public long refine(Segment segment, int row) {
    throw new IllegalStateException("nothing more is known");
  }
}
