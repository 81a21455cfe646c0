package io.loam.vector;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Scans what {@link ProductCode} writes. A value is estimated, without bounds. */
final class ProductScan implements ListScan {
  /** The best by estimate that are compared exactly, for each that is wanted. */
  private static final int REFINED = 20;

  private static final int LEAST_REFINED = 200;

  private final ProductQuery query;
  private final int parts;
  private final int stride;
  private final byte[] rows;
  private final ByteBuffer numbers;

  ProductScan(ProductQuery query) {
    this.query = query;
    this.parts = query.training().subVectors();
    this.stride = parts + Float.BYTES;
    this.rows = new byte[CodeBlock.SIZE * stride];
    this.numbers = ByteBuffer.wrap(rows).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public ListScan another() {
    return new ProductScan(query);
  }

  @Override
  public float ofCentroid(int list) {
    return query.ofCentroid(list);
  }

  @Override
  public int kept(int k) {
    return Math.max(LEAST_REFINED, REFINED * k);
  }

  @Override
  public void scan(List<ListRows> block, SegmentCandidates found) {
    for (ListRows part : block) {
      part.segment().scanned().get(part.first() * stride, rows, 0, part.count() * stride);
      boolean stored = SegmentFile.hasCorrections(part.segment().format());
      for (int i = 0, at = 0; i < part.count(); i++, at += stride) {
        float rest =
            stored
                ? numbers.getFloat(at + parts)
                : part.segment().olderCorrections()[part.first() + i];
        float value = part.ofCentroid() + query.sum(rows, at) + query.weight() * rest;
        found.offer(part.segment(), part.first() + i, value, value);
      }
    }
  }

  @Override
  public boolean isSure() {
    return false;
  }
}
