package io.loam.maintain;

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
