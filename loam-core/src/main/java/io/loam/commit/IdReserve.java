package io.loam.commit;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.IdBlock;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;

/**
 * Reserves ids a block ahead, so that small commits seldom have to. Ids of a block that is not used
 * up are never used. Safe for use by several threads.
 */
public final class IdReserve {
  private static final int ROWS = 4_096;
  private static final int FRAGMENTS = 32;

  private final Metastore metastore;
  private long nextRow;
  private long rowsLeft;
  private int nextFragment;
  private int fragmentsLeft;

  public IdReserve(Metastore metastore) {
    this.metastore = metastore;
  }

  /**
   * The first of {@code count} successive row ids that nothing else has.
   *
   * @param base a version that was read before; counters behind its own fail with {@code
   *     CORRUPT_OBJECT}, since they would give out ids a second time
   */
  synchronized long rows(int count, Manifest base) {
    if (count > ROWS) {
      return reserve(count, 0, base).firstRowId();
    }
    if (rowsLeft < count) {
      refill(count, base);
    }
    long first = nextRow;
    nextRow += count;
    rowsLeft -= count;
    return first;
  }

  /** A fragment id that nothing else has; see {@link #rows}. */
  public synchronized int fragment(Manifest base) {
    if (fragmentsLeft == 0) {
      refill(0, base);
    }
    fragmentsLeft--;
    return nextFragment++;
  }

  /** Reserves what is missing, and with it what has run low. */
  private void refill(int rowsWanted, Manifest base) {
    int rows = rowsLeft < Math.max(rowsWanted, ROWS / 2) ? ROWS : 0;
    int fragments = fragmentsLeft < FRAGMENTS / 2 ? FRAGMENTS : 0;
    IdBlock block = reserve(rows, fragments, base);
    if (rows > 0) {
      nextRow = block.firstRowId();
      rowsLeft = rows;
    }
    if (fragments > 0) {
      nextFragment = block.firstFragmentId();
      fragmentsLeft = fragments;
    }
  }

  private IdBlock reserve(int rows, int fragments, Manifest base) {
    IdBlock block = metastore.reserve(rows, fragments);
    if (block.firstRowId() < base.nextRowId() || block.firstFragmentId() < base.nextFragmentId()) {
      throw new LoamException(
          ErrorCode.CORRUPT_OBJECT,
          "id counters are behind the collection: path=%s, nextRowId=%d, used=%d, nextFragmentId=%d, used=%d; restore them from a newer copy"
              .formatted(
                  metastore.path("ids"),
                  block.firstRowId(),
                  base.nextRowId(),
                  block.firstFragmentId(),
                  base.nextFragmentId()));
    }
    return block;
  }
}
