package io.loam.column;

import io.loam.doc.DocSet;
import io.loam.doc.KeyOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sorts the documents of several leaves, as SQL's ORDER BY with LIMIT: strings by UTF-16 units,
 * doubles as {@link Double#compare} has it (NaN last), UUIDs as {@link java.util.UUID#compareTo}.
 */
public final class RowSort {
  private final List<? extends ColumnSource> leaves;
  private final List<SortKey> keys;
  private final KeyOrder tie;

  /** Of each leaf, of each key. */
  private final List<List<SortValues>> values;

  private RowSort(List<? extends ColumnSource> leaves, List<SortKey> keys, KeyOrder tie) {
    this.leaves = leaves;
    this.keys = keys;
    this.tie = tie;
    this.values = new ArrayList<>(leaves.size());
    for (ColumnSource leaf : leaves) {
      values.add(keys.stream().map(k -> SortValues.of(leaf.column(k.fieldNumber()))).toList());
    }
  }

  /**
   * The documents at places {@code offset} to before {@code offset + limit} of all allowed ones, in
   * the order of {@code keys}, then of {@code tie}.
   *
   * @param allowed one per leaf
   * @param keys on fields that are not arrays; none for the order of {@code tie} alone
   */
  public static List<DocRef> top(
      List<? extends ColumnSource> leaves,
      List<DocSet> allowed,
      List<SortKey> keys,
      KeyOrder tie,
      long offset,
      long limit) {
    if (offset < 0 || limit < 0) {
      throw new IllegalArgumentException("offset=" + offset + ", limit=" + limit);
    }
    long all = allowed.stream().mapToLong(DocSet::cardinality).sum();
    long end = limit >= all - offset ? all : offset + limit;
    if (offset >= end) {
      return List.of();
    }
    RowSort sort = new RowSort(leaves, keys, tie);
    List<DocRef> refs = new ArrayList<>();
    for (int leaf = 0; leaf < leaves.size(); leaf++) {
      sort.addTop(leaf, allowed.get(leaf), end, refs);
    }
    if (leaves.size() > 1) {
      refs.sort((a, b) -> sort.compare(a.leaf(), a.doc(), b.leaf(), b.doc()));
    }
    return List.copyOf(refs.subList((int) offset, (int) end));
  }

  /** Adds the best {@code most} documents of a leaf, in order. */
  private void addTop(int leaf, DocSet allowed, long most, List<DocRef> refs) {
    int wanted = (int) Math.min(most, allowed.cardinality());
    if (wanted == 0) {
      return;
    }
    if (keys.isEmpty()) {
      addBest(leaf, null, allowed, wanted, refs);
      return;
    }
    SortValues first = values.get(leaf).get(0);
    DocSet missing = missing(leaves.get(leaf).column(keys.get(0).fieldNumber()), allowed);
    DocSet present = allowed.andNot(missing);
    if (keys.get(0).nullsFirst()) {
      int taken = addBest(leaf, null, missing, wanted, refs);
      addBest(leaf, first, present, wanted - taken, refs);
    } else {
      int taken = addBest(leaf, first, present, wanted, refs);
      addBest(leaf, null, missing, wanted - taken, refs);
    }
  }

  private static DocSet missing(Optional<Column> column, DocSet allowed) {
    if (column.isEmpty()) {
      return allowed;
    }
    long[] nulls = Nulls.words(column.get());
    return nulls == null
        ? DocSet.none(allowed.size())
        : allowed.and(DocSet.ofWords(nulls, allowed.size()));
  }

  /**
   * Adds the best of the documents, in order, and tells how many; {@code first} is null where all
   * are equal by the first key.
   */
  private int addBest(
      int leaf, @Nullable SortValues first, DocSet docs, int wanted, List<DocRef> refs) {
    int count = Math.min(wanted, docs.cardinality());
    if (count == 0) {
      return 0;
    }
    BestDocs best = new BestDocs(count, docs.cardinality(), (a, b) -> compare(leaf, a, leaf, b));
    long flip = first != null && keys.get(0).descending() ? -1 : 0;
    long[] ranks = new long[Kernels.BLOCK];
    for (int from = 0; from < docs.size(); from += Kernels.BLOCK) {
      int to = Math.min(docs.size(), from + Kernels.BLOCK);
      if (first != null) {
        first.ranks(from, to, ranks);
        flip(ranks, to - from, flip);
      }
      best.offer(docs.words(), ranks, from, to);
    }
    for (int doc : best.sorted()) {
      refs.add(new DocRef(leaf, doc));
    }
    return count;
  }

  private static void flip(long[] ranks, int count, long flip) {
    for (int i = 0; i < count; i++) {
      ranks[i] ^= flip;
    }
  }

  /** Compares documents by the keys, then by the tie order. */
  private int compare(int leaf1, int doc1, int leaf2, int doc2) {
    for (int i = 0; i < keys.size(); i++) {
      SortValues values1 = values.get(leaf1).get(i);
      SortValues values2 = values.get(leaf2).get(i);
      boolean null1 = values1.isNull(doc1);
      boolean null2 = values2.isNull(doc2);
      int order;
      if (null1 || null2) {
        order = Boolean.compare(null2, null1);
        order = keys.get(i).nullsFirst() ? order : -order;
      } else {
        order = values1.compare(doc1, values2, doc2);
        order = keys.get(i).descending() ? -order : order;
      }
      if (order != 0) {
        return order;
      }
    }
    return tie.compare(leaf1, doc1, leaf2, doc2);
  }
}
