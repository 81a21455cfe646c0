package io.loam.query;

import io.loam.column.Column;
import io.loam.doc.DocSet;
import io.loam.leaf.Leaf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Finds the groups of a leaf's documents, in blocks. Where the leaf's own codes of all columns make
 * few enough combinations, a table tells the group of each.
 */
final class LeafGroups {
  private static final int BLOCK = 4096;
  private static final int MOST_COMBINATIONS = 1 << 16;

  private final DocSet docs;
  private final Groups groups;
  private final boolean isOneGroup;
  private final List<Column> columns = new ArrayList<>();

  /** By column, codes that it may have and the least of them; empty if there are too many. */
  private final List<Codes> codes = new ArrayList<>();

  /** By combination, one more than the group's number; 0 for those that were not met. */
  private final int[] table;

  /** Takes documents and the numbers of their groups. */
  interface Block {
    void add(int[] docs, int[] numbers, int n);
  }

  /** Codes of a column of this leaf: values less {@code least}, and 0 for none. */
  private record Codes(Column column, long least, int width) {
    void fold(int[] ids, int n, int[] combinations) {
      if (column instanceof Column.Keywords keywords) {
        int[] of = keywords.codes();
        for (int i = 0; i < n; i++) {
          combinations[i] = combinations[i] * width + of[ids[i]];
        }
      } else if (column instanceof Column.Longs longs) {
        long[] of = longs.values();
        for (int i = 0; i < n; i++) {
          int code = longs.isNull(ids[i]) ? 0 : (int) (of[ids[i]] - least);
          combinations[i] = combinations[i] * width + code;
        }
      }
    }

    static Optional<Codes> of(Column column, DocSet docs) {
      if (column instanceof Column.Keywords keywords) {
        return Optional.of(new Codes(column, 0, keywords.dictionary().length + 1));
      }
      Column.Longs longs = (Column.Longs) column;
      long least = Long.MAX_VALUE;
      long greatest = Long.MIN_VALUE;
      for (int doc = docs.next(0); doc >= 0; doc = docs.next(doc + 1)) {
        if (!longs.isNull(doc)) {
          least = Math.min(least, longs.values()[doc]);
          greatest = Math.max(greatest, longs.values()[doc]);
        }
      }
      long span = least > greatest ? 0 : greatest - least;
      return span < 0 || span >= MOST_COMBINATIONS - 2
          ? Optional.empty()
          : Optional.of(new Codes(column, least - 1, (int) span + 2));
    }
  }

  LeafGroups(Leaf leaf, DocSet docs, List<Integer> fields, Groups groups) {
    this.docs = docs;
    this.groups = groups;
    this.isOneGroup = fields.isEmpty();
    fields.forEach(field -> leaf.column(field).ifPresent(columns::add));
    long combinations = 1;
    for (Column column : columns) {
      Optional<Codes> found = Codes.of(column, docs);
      found.ifPresent(codes::add);
      long width = found.map(c -> (long) c.width()).orElse(MOST_COMBINATIONS + 1L);
      combinations = Math.min(MOST_COMBINATIONS + 1L, combinations * width);
    }
    this.table = new int[combinations <= MOST_COMBINATIONS && !isOneGroup ? (int) combinations : 0];
  }

  /** Goes through all documents once. */
  void forEachBlock(Block block) {
    int[] ids = new int[BLOCK];
    int[] numbers = new int[BLOCK];
    int n = docs.next(0, ids);
    for (; n > 0; n = docs.next(ids[n - 1] + 1, ids)) {
      if (table.length > 0) {
        lookUp(ids, n, numbers);
      } else if (!isOneGroup) {
        for (int i = 0; i < n; i++) {
          numbers[i] = groups.number(ids[i]);
        }
      }
      block.add(ids, numbers, n);
    }
  }

  private void lookUp(int[] ids, int n, int[] numbers) {
    Arrays.fill(numbers, 0, n, 0);
    for (Codes column : codes) {
      column.fold(ids, n, numbers);
    }
    for (int i = 0; i < n; i++) {
      int combination = numbers[i];
      if (table[combination] == 0) {
        table[combination] = groups.number(ids[i]) + 1;
      }
      numbers[i] = table[combination] - 1;
    }
  }
}
