package io.loam.lance;

import io.loam.manifest.FragmentRef;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.RowIdRanges;
import java.util.List;

/**
 * Live rows of a fragment that follow each other.
 *
 * @param first how many come before
 */
public record RowStretch(int first, int count) {

  /**
   * The shortest stretch with all of some rows; the whole fragment where some of its rows are
   * deleted, since places among the others are not known.
   *
   * @param wanted ascending
   */
  public static RowStretch of(FragmentRef fragment, List<RowIdRange> wanted) {
    if (fragment.deletion().isPresent()) {
      return new RowStretch(0, fragment.physicalRows());
    }
    int first = fragment.physicalRows();
    int end = 0;
    int place = 0;
    for (RowIdRange range : fragment.rowIds()) {
      for (RowIdRange part : RowIdRanges.intersection(List.of(range), wanted)) {
        int from = place + (int) (part.start() - range.start());
        first = Math.min(first, from);
        end = Math.max(end, from + part.count());
      }
      place += range.count();
    }
    return new RowStretch(first, Math.max(0, end - first));
  }
}
