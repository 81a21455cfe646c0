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
final class IdReserve {
  private static final int ROWS = 4_096;
  private static final int FRAGMENTS = 32;

  private final Metastore metastore;
  private IdBlock left = new IdBlock(0, 0, 0, 0);

  IdReserve(Metastore metastore) {
    this.metastore = metastore;
  }

  /**
   * Ids that nothing else has.
   *
   * @param base a version that was read before; counters behind its own fail with {@code
   *     CORRUPT_OBJECT}, since they would give out ids a second time
   */
  synchronized IdBlock take(int rows, int fragments, Manifest base) {
    if (rows > ROWS) {
      return reserve(rows, fragments, base);
    }
    if (left.rows() < rows || left.fragments() < fragments) {
      left = reserve(ROWS, FRAGMENTS, base);
    }
    IdBlock taken = new IdBlock(left.firstRowId(), rows, left.firstFragmentId(), fragments);
    left =
        new IdBlock(
            left.firstRowId() + rows,
            left.rows() - rows,
            left.firstFragmentId() + fragments,
            left.fragments() - fragments);
    return taken;
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
