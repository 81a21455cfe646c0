package io.loam.maintain;

import io.loam.manifest.RowIdRange;
import java.util.List;

/** A piece of maintenance: some inputs of a version become one. */
public sealed interface Task {

  /**
   * Makes a split and a Lance fragment of the live rows of small commits.
   *
   * @param firstRowIds of each commit
   */
  record FoldTail(List<Long> firstRowIds) implements Task {
    public FoldTail {
      firstRowIds = List.copyOf(firstRowIds);
    }
  }

  /**
   * Makes one split of the live documents of some.
   *
   * @param splits their names
   */
  record MergeSplits(List<String> splits) implements Task {
    public MergeSplits {
      splits = List.copyOf(splits);
    }
  }

  /**
   * Builds segments of an index over rows that none covers.
   *
   * @param rowIds ascending
   */
  record IndexRows(String index, List<RowIdRange> rowIds) implements Task {
    public IndexRows {
      rowIds = List.copyOf(rowIds);
    }
  }

  /**
   * Builds segments of an index over the rows of some, in their place.
   *
   * @param segments their names
   */
  record RebuildSegments(String index, List<String> segments) implements Task {
    public RebuildSegments {
      segments = List.copyOf(segments);
    }
  }

  /**
   * Makes one Lance fragment of the live rows of some.
   *
   * @param fragments their ids
   */
  record CompactFragments(List<Integer> fragments) implements Task {
    public CompactFragments {
      fragments = List.copyOf(fragments);
    }
  }
}
