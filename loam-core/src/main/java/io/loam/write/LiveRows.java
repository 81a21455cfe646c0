package io.loam.write;

import io.loam.leaf.FragmentMap;
import io.loam.leaf.Leaf;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.RowIdRange;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Where the live documents of some leaves are, by their row ids. */
final class LiveRows {
  /** Takes the place of a live document. */
  private interface Visitor {
    void row(int fragment, int row);
  }

  private LiveRows() {}

  /** Live rows by id of a fragment. */
  static Map<Integer, Integer> count(
      List<Leaf> leaves, List<FragmentRef> fragments, FragmentMap map) {
    int[] counts = new int[fragments.size()];
    visit(leaves, map, (fragment, row) -> counts[fragment]++);
    Map<Integer, Integer> byId = new HashMap<>();
    for (int i = 0; i < counts.length; i++) {
      byId.put(fragments.get(i).id(), counts[i]);
    }
    return byId;
  }

  /** Places among {@code rowIds} of those that no leaf has as live documents, ascending. */
  static int[] dead(List<Leaf> leaves, List<RowIdRange> rowIds) {
    int size = rowIds.stream().mapToInt(RowIdRange::count).sum();
    FragmentMap map =
        new FragmentMap(List.of(new FragmentRef(1, size, rowIds, List.of(), Optional.empty())));
    BitSet live = new BitSet(size);
    visit(leaves, map, (fragment, row) -> live.set(row));
    return IntStream.range(0, size).filter(row -> !live.get(row)).toArray();
  }

  private static void visit(List<Leaf> leaves, FragmentMap map, Visitor visitor) {
    for (Leaf leaf : leaves) {
      int firstDoc = 0;
      for (RowIdRange range : leaf.rowIds()) {
        for (FragmentMap.Run run : map.runs(range)) {
          int doc = firstDoc + (int) (run.firstRowId() - range.start());
          for (int i = 0; i < run.count(); i++) {
            if (leaf.live().contains(doc + i)) {
              visitor.row(run.fragment(), run.firstRow() + i);
            }
          }
        }
        firstDoc += range.count();
      }
    }
  }
}
