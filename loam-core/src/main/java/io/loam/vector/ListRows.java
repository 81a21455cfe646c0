package io.loam.vector;

import java.util.ArrayList;
import java.util.List;

/**
 * Successive rows of a list in one segment.
 *
 * @param ofCentroid as {@link ListScan#ofCentroid} gives it
 */
record ListRows(Segment segment, int first, int count, float ofCentroid) {

  /**
   * Rows in blocks of {@link CodeBlock#SIZE}, the last of fewer. A block has rows of several lists
   * and segments if these are short, so that many short ones are scanned as fast as few long ones.
   */
  static List<List<ListRows>> blocks(List<ListRows> all) {
    List<List<ListRows>> blocks = new ArrayList<>();
    List<ListRows> block = new ArrayList<>();
    int room = CodeBlock.SIZE;
    for (ListRows rows : all) {
      for (int from = 0; from < rows.count; ) {
        int count = Math.min(room, rows.count - from);
        block.add(rows.slice(from, count));
        from += count;
        room -= count;
        if (room == 0) {
          blocks.add(block);
          block = new ArrayList<>();
          room = CodeBlock.SIZE;
        }
      }
    }
    if (!block.isEmpty()) {
      blocks.add(block);
    }
    return blocks;
  }

  private ListRows slice(int from, int rows) {
    return new ListRows(segment, first + from, rows, ofCentroid);
  }
}
