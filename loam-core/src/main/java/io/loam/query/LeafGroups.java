package io.loam.query;

import io.loam.column.Column;
import io.loam.doc.DocSet;
import io.loam.leaf.Leaf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the groups of a leaf's documents, in blocks. Where the leaf's own codes of all columns make
 * few enough combinations, a table tells the group of each; {@link Groups} may have one for all
 * leaves.
 */
final class LeafGroups {
  private static final int MOST_COMBINATIONS = 1 << 16;

  private final DocSet docs;
  private final Groups groups;
  private final boolean isOneGroup;
  private final List<Codes> codes;

  /** By document, the combination, where that is the leaf's own code of one column. */
  private int @Nullable [] onlyCodes;

  /** By combination, one more than the group's number; 0 for those that were not met. */
  private final int[] table;

  /** What a column adds to the combinations of documents. */
  private interface Codes {
    void fold(int[] ids, int n, int[] combinations);
  }

  /**
   * @param weights by the leaf's code
   */
  private record KeywordCodes(int[] codes, int[] weights) implements Codes {
    @Override
    public void fold(int[] ids, int n, int[] combinations) {
      for (int i = 0; i < n; i++) {
        combinations[i] += weights[codes[ids[i]]];
      }
    }
  }

  /** Values less {@code least}, and 0 for none, times {@code stride}. */
  private record LongCodes(Column.Longs column, long least, int stride) implements Codes {
    @Override
    public void fold(int[] ids, int n, int[] combinations) {
      long[] values = column.values();
      for (int i = 0; i < n; i++) {
        int code = column.isNull(ids[i]) ? 0 : (int) (values[ids[i]] - least);
        combinations[i] += code * stride;
      }
    }
  }

  LeafGroups(Leaf leaf, DocSet docs, List<Integer> fields, Groups groups) {
    this.docs = docs;
    this.groups = groups;
    this.isOneGroup = fields.isEmpty();
    if (groups.table().length > 0 && fields.size() > 1) {
      this.table = groups.table();
      this.codes = codesOfAllLeaves(leaf, fields, groups);
    } else {
      this.codes = new ArrayList<>();
      this.table = new int[isOneGroup ? 0 : combinations(leaf, fields)];
      if (codes.size() == 1 && codes.get(0) instanceof KeywordCodes only) {
        onlyCodes = only.codes();
      }
    }
  }

  private static List<Codes> codesOfAllLeaves(Leaf leaf, List<Integer> fields, Groups groups) {
    List<Codes> codes = new ArrayList<>();
    for (int place = 0; place < fields.size(); place++) {
      int[] weights = groups.weights(place);
      leaf.column(fields.get(place))
          .map(Column.Keywords.class::cast)
          .ifPresent(keywords -> codes.add(new KeywordCodes(keywords.codes(), weights)));
    }
    return codes;
  }

  /** Finds this leaf's own codes of all columns; how many combinations they have, 0 of too many. */
  private int combinations(Leaf leaf, List<Integer> fields) {
    long combinations = 1;
    for (int field : fields) {
      Optional<Column> column = leaf.column(field);
      if (column.isPresent()) {
        combinations *= addCodes(column.get(), (int) combinations);
        if (combinations == 0 || combinations > MOST_COMBINATIONS) {
          return 0;
        }
      }
    }
    return (int) combinations;
  }

  /** How many codes the column has, 0 for too many. */
  private long addCodes(Column column, int stride) {
    if (column instanceof Column.Keywords keywords) {
      int size = keywords.dictionary().length + 1;
      if ((long) size * stride > MOST_COMBINATIONS) {
        return 0;
      }
      int[] weights = new int[size];
      Arrays.setAll(weights, code -> code * stride);
      codes.add(new KeywordCodes(keywords.codes(), weights));
      return size;
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
    if (span < 0 || span >= MOST_COMBINATIONS) {
      return 0;
    }
    codes.add(new LongCodes(longs, least - 1, stride));
    return span + 2;
  }

  /** Goes through all documents once. */
  void forEachBlock(Consumer<GroupedDocs> consumer) {
    GroupedDocs block = new GroupedDocs();
    int[] ids = block.docs;
    int[] numbers = block.groups;
    int n = docs.next(0, ids);
    for (; n > 0; n = docs.next(ids[n - 1] + 1, ids)) {
      block.resize(n);
      if (table.length > 0 && onlyCodes != null) {
        if (!block.isRange() || !lookUpKnown(onlyCodes, ids[0], n, numbers)) {
          lookUp(onlyCodes, ids, n, numbers);
        }
      } else if (table.length > 0) {
        lookUp(ids, n, numbers);
      } else if (!isOneGroup) {
        for (int i = 0; i < n; i++) {
          numbers[i] = groups.number(ids[i]);
        }
      }
      consumer.accept(block);
    }
  }

  /** Of one column, whose codes are the combinations. */
  private void lookUp(int[] of, int[] ids, int n, int[] numbers) {
    for (int i = 0; i < n; i++) {
      int code = of[ids[i]];
      if (table[code] == 0) {
        table[code] = groups.number(ids[i]) + 1;
      }
      numbers[i] = table[code] - 1;
    }
  }

  /** Of documents without a gap; whether all their groups were known. */
  private boolean lookUpKnown(int[] of, int first, int n, int[] numbers) {
    int[] numbersByCode = table;
    int all = 0;
    for (int i = 0; i < n; i++) {
      int number = numbersByCode[of[first + i]] - 1;
      numbers[i] = number;
      all |= number;
    }
    return all >= 0;
  }

  private void lookUp(int[] ids, int n, int[] numbers) {
    Arrays.fill(numbers, 0, n, 0);
    codes.forEach(column -> column.fold(ids, n, numbers));
    for (int i = 0; i < n; i++) {
      int combination = numbers[i];
      if (table[combination] == 0) {
        table[combination] = groups.number(ids[i]) + 1;
      }
      numbers[i] = table[combination] - 1;
    }
  }
}
