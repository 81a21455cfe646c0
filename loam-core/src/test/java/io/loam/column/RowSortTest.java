package io.loam.column;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.doc.DocSet;
import io.loam.doc.KeyOrder;
import io.loam.schema.Field;
import io.loam.schema.TypeKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RowSortTest {
  /** Values of each field of each leaf. */
  private final List<Map<Integer, List<@Nullable Object>>> values = new ArrayList<>();

  private final List<ColumnSource> leaves = new ArrayList<>();
  private final List<DocSet> allowed = new ArrayList<>();

  @Test
  void agreesWithSortingAList() {
    for (long seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      makeLeaves(random);
      List<SortKey> keys = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        int field = 1 + random.nextInt(RandomValues.FIELDS.size());
        if (RandomValues.FIELDS.get(field - 1).kind() != TypeKind.VARCHAR_ARRAY) {
          keys.add(new SortKey(field, random.nextBoolean(), random.nextBoolean()));
        }
      }
      List<DocRef> all = new ArrayList<>();
      for (int leaf = 0; leaf < leaves.size(); leaf++) {
        int at = leaf;
        allowed.get(leaf).forEach(doc -> all.add(new DocRef(at, doc)));
      }
      KeyOrder tie = (l1, d1, l2, d2) -> Integer.compare(key(l1, d1), key(l2, d2));
      all.sort(order(keys).thenComparing(r -> key(r.leaf(), r.doc())));
      long offset = random.nextInt(3) == 0 ? random.nextInt(200) : 0;
      long limit = List.of(0L, 1L, 10L, 700L, 5000L, Long.MAX_VALUE).get(random.nextInt(6));
      List<DocRef> expected = all.stream().skip(offset).limit(limit).toList();
      assertThat(RowSort.top(leaves, allowed, keys, tie, offset, limit))
          .as("seed=%d keys=%s offset=%d limit=%d", seed, keys, offset, limit)
          .isEqualTo(expected);
    }
  }

  private void makeLeaves(Random random) {
    values.clear();
    leaves.clear();
    allowed.clear();
    for (int leaf = 1 + random.nextInt(4); leaf > 0; leaf--) {
      int size = random.nextInt(6000);
      double nullShare = random.nextInt(3) * 0.4;
      Map<Integer, List<@Nullable Object>> lists = new HashMap<>();
      Map<Integer, Column> columns = new HashMap<>();
      for (Field field : RandomValues.FIELDS) {
        if (random.nextInt(8) > 0) {
          lists.put(field.number(), RandomValues.list(random, field, size, nullShare));
          columns.put(field.number(), RandomValues.column(field, lists.get(field.number())));
        }
      }
      values.add(lists);
      leaves.add(n -> Optional.ofNullable(columns.get(n)));
      long[] words = new long[DocSet.wordCount(size)];
      int skip = random.nextInt(3);
      IntStream.range(0, size)
          .filter(doc -> skip == 0 || random.nextInt(skip + 1) == 0)
          .forEach(doc -> words[doc >>> 6] |= 1L << doc);
      allowed.add(DocSet.ofWords(words, size));
    }
  }

  /** A number for each document, the same for no two, and in no order. */
  private static int key(int leaf, int doc) {
    return (leaf * 100_003 + doc) * 0x9E3779B1;
  }

  private Comparator<DocRef> order(List<SortKey> keys) {
    return (a, b) -> {
      int order = 0;
      for (int i = 0; i < keys.size() && order == 0; i++) {
        int field = keys.get(i).fieldNumber();
        order = byValue(keys.get(i)).compare(value(a, field), value(b, field));
      }
      return order;
    };
  }

  private static Comparator<@Nullable Object> byValue(SortKey key) {
    Comparator<Object> present = key.descending() ? byValue().reversed() : byValue();
    return key.nullsFirst() ? Comparator.nullsFirst(present) : Comparator.nullsLast(present);
  }

  @SuppressWarnings("unchecked") // values of one field compare with each other
  private static Comparator<Object> byValue() {
    return (a, b) -> ((Comparable<Object>) a).compareTo(b);
  }

  private @Nullable Object value(DocRef ref, int field) {
    List<@Nullable Object> list = values.get(ref.leaf()).get(field);
    return list == null ? null : list.get(ref.doc());
  }
}
