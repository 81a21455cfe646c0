package io.loam.column;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Numbers the different keywords that a field has in several leaves, from 1 on, with 0 for none:
 * global ordinals. Immutable.
 */
public final class KeywordOrdinals {
  private static final int[] NO_COLUMN = {0};

  private final int[][] byLeaf;
  private final List<String> keywords = new ArrayList<>();

  private KeywordOrdinals(List<Optional<Column>> columns) {
    this.byLeaf = new int[columns.size()][];
    Map<String, Integer> known = new HashMap<>();
    for (int leaf = 0; leaf < byLeaf.length; leaf++) {
      byLeaf[leaf] =
          columns.get(leaf).map(c -> number(((Column.Keywords) c), known)).orElse(NO_COLUMN);
    }
  }

  private int[] number(Column.Keywords column, Map<String, Integer> known) {
    int[] ordinals = new int[column.dictionary().length + 1];
    for (int code = 1; code < ordinals.length; code++) {
      String keyword = column.dictionary()[code - 1];
      ordinals[code] = known.computeIfAbsent(keyword, k -> keywords.size() + 1);
      if (ordinals[code] > keywords.size()) {
        keywords.add(keyword);
      }
    }
    return ordinals;
  }

  /**
   * Of a field of leaves; empty if it is not one of keywords, or if the leaves' dictionaries have
   * more than so many entries together.
   */
  public static Optional<KeywordOrdinals> of(
      List<? extends ColumnSource> leaves, int fieldNumber, long mostEntries) {
    List<Optional<Column>> columns = new ArrayList<>();
    long entries = 0;
    for (ColumnSource leaf : leaves) {
      Optional<Column> column = leaf.column(fieldNumber);
      columns.add(column);
      if (column.isPresent()) {
        if (!(column.get() instanceof Column.Keywords of)) {
          return Optional.empty();
        }
        entries += of.dictionary().length;
      }
    }
    return entries > mostEntries ? Optional.empty() : Optional.of(new KeywordOrdinals(columns));
  }

  /** By a leaf's code, the ordinal; not to be changed. */
  public int[] ofLeaf(int leaf) {
    return byLeaf[leaf];
  }

  /** One more than the greatest ordinal. */
  public int size() {
    return keywords.size() + 1;
  }

  /** The keyword of an ordinal other than 0. */
  public String keyword(int ordinal) {
    return keywords.get(ordinal - 1);
  }
}
