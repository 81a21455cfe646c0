package io.loam.maintain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which inputs to make one of. Small ones are merged, the smallest first, into ones of a set size
 * at most; an input is left alone next to others that are much smaller, so that what is written
 * often is not written again with all before it. Groups that were merged stay as they are.
 */
final class Grouping {
  /** How much larger than all smaller ones of its group together an input may be. */
  static final int LARGEST_RATIO = 8;

  /** Of an input's rows, those deleted for which it is rewritten alone: 30 %. */
  private static final double DELETED_SHARE = 0.3;

  /**
   * A split or a fragment.
   *
   * @param rows deleted ones included
   * @param bytes of its files, as far as they count
   */
  record Input<T>(T name, long rows, long liveRows, long bytes) {
    long deletedRows() {
      return rows - liveRows;
    }

    /** Bytes that the live rows are likely to take. */
    long liveBytes() {
      return Math.round((double) bytes * liveRows / Math.max(1, rows));
    }
  }

  /** Inputs to make one of; a single one for its deleted rows. */
  record Group<T>(List<Input<T>> inputs) {
    List<T> names() {
      return inputs.stream().map(Input::name).toList();
    }

    long liveRows() {
      return inputs.stream().mapToLong(Input::liveRows).sum();
    }

    long deletedRows() {
      return inputs.stream().mapToLong(Input::deletedRows).sum();
    }
  }

  /** What an output may hold at most. */
  record Limit(long rows, long bytes) {}

  private Grouping() {}

  static <T> List<Group<T>> groups(List<Input<T>> inputs, Limit limit, Thoroughness thoroughness) {
    List<Group<T>> groups = new ArrayList<>();
    List<Input<T>> alone = new ArrayList<>();
    List<Input<T>> group = new ArrayList<>();
    long rows = 0;
    long bytes = 0;
    List<Input<T>> ascending = new ArrayList<>(inputs);
    ascending.sort(Comparator.comparingLong(Input::liveRows));
    for (Input<T> input : ascending) {
      if (input.liveRows() > limit.rows() / 2 || input.liveBytes() > limit.bytes() / 2) {
        alone.add(input);
        continue;
      }
      if (!group.isEmpty()
          && (rows + input.liveRows() > limit.rows()
              || bytes + input.liveBytes() > limit.bytes()
              || input.liveRows() > LARGEST_RATIO * Math.max(1, rows))) {
        close(group, thoroughness, groups, alone);
        group = new ArrayList<>();
        rows = 0;
        bytes = 0;
      }
      group.add(input);
      rows += input.liveRows();
      bytes += input.liveBytes();
    }
    close(group, thoroughness, groups, alone);
    for (Input<T> input : alone) {
      if (input.deletedRows()
          >= Math.max(thoroughness.leastDeleted(), DELETED_SHARE * input.rows())) {
        groups.add(new Group<>(List.of(input)));
      }
    }
    return groups;
  }

  private static <T> void close(
      List<Input<T>> group,
      Thoroughness thoroughness,
      List<Group<T>> groups,
      List<Input<T>> alone) {
    if (group.size() >= thoroughness.leastGroup()) {
      groups.add(new Group<>(List.copyOf(group)));
    } else {
      alone.addAll(group);
    }
  }
}
