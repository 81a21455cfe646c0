package io.loam.commit;

import io.loam.manifest.IdBlock;
import io.loam.manifest.Metastore;

/**
 * Reserves ids a block ahead, so that small commits seldom have to. Ids of a block that is not used up are never used.
 * Safe for use by several threads.
 */
final class IdReserve {
  private static final int ROWS = 4_096;
  private static final int FRAGMENTS = 32;

  private final Metastore metastore;
  private IdBlock left = new IdBlock(0, 0, 0, 0);

  IdReserve(Metastore metastore) {
    this.metastore = metastore;
  }

  synchronized IdBlock take(int rows, int fragments) {
    if (rows > ROWS) {
      return metastore.reserve(rows, fragments);
    }
    if (left.rows() < rows || left.fragments() < fragments) {
      left = metastore.reserve(ROWS, FRAGMENTS);
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
}
