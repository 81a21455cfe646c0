package io.loam.vector;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

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
    this(values, training.codebookProducts(query.vector()));
  }

  private ProductScan(QueryValues values, float[] products) {
    this.values = values;
    this.products = products;
    this.parts = products.length / ProductCode.WORDS;
    this.stride = parts + Float.BYTES;
    this.rows = new byte[CodeBlock.SIZE * stride];
    this.numbers = ByteBuffer.wrap(rows).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public ListScan another() {
    return new ProductScan(values, products);
  }

  @Override
  public int kept(int k) {
    return Math.max(LEAST_REFINED, REFINED * k);
  }

  @Override
  public void scan(List<ListRows> block, SegmentCandidates found) {
    for (ListRows part : block) {
      part.segment().scanned().get(part.first() * stride, rows, 0, part.count() * stride);
      for (int i = 0, at = 0; i < part.count(); i++, at += stride) {
        float dot = part.centroidDot() + dot(at);
        float value = values.ofDot(dot, numbers.getFloat(at + parts));
        found.offer(part.segment(), part.first() + i, value, value);
      }
    }
  }

  /** The sum over a row's codes, in four, of which none waits for another. */
  private float dot(int at) {
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    int part = 0;
    int word = 0;
    for (; part + 4 <= parts; part += 4, word += 4 * ProductCode.WORDS) {
      s0 += products[word + (rows[at + part] & 0xFF)];
      s1 += products[word + ProductCode.WORDS + (rows[at + part + 1] & 0xFF)];
      s2 += products[word + 2 * ProductCode.WORDS + (rows[at + part + 2] & 0xFF)];
      s3 += products[word + 3 * ProductCode.WORDS + (rows[at + part + 3] & 0xFF)];
    }
    for (; part < parts; part++, word += ProductCode.WORDS) {
      s0 += products[word + (rows[at + part] & 0xFF)];
    }
    return (s0 + s1) + (s2 + s3);
  }

  @Override
  public boolean isSure() {
    return false;
  }
}
