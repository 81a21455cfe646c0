package io.loam.query;

import io.loam.column.Column;
import io.loam.doc.DocSet;
import io.loam.leaf.Leaf;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The groups of one leaf's documents, numbered from 0 on; some numbers may have no documents. */
final class LeafGroups {
  /** Products of the columns' value counts up to this are numbers as they are. */
  private static final int MOST_SPARSE = 1 << 16;

  private final Leaf leaf;
  private final DocSet docs;
  private final int[] numbers;
  private final int[] firstDocs;
  private int count = 1;

  LeafGroups(Leaf leaf, DocSet docs, List<Integer> fields) {
    this.leaf = leaf;
    this.docs = docs;
    this.numbers = new int[leaf.documentCount()];
    for (int field : fields) {
      leaf.column(field).ifPresent(this::split);
    }
    this.firstDocs = new int[count];
    Arrays.fill(firstDocs, -1);
    docs.forEach(
        doc -> {
          if (firstDocs[numbers[doc]] < 0) {
            firstDocs[numbers[doc]] = doc;
          }
        });
  }

  /** Splits the groups by the values of one more column. */
  private void split(Column column) {
    if (column instanceof Column.Keywords keywords) {
      split(keywords.codes(), keywords.dictionary().length + 1);
    } else if (column instanceof Column.Longs longs) {
      LongNumbering values = new LongNumbering();
      int[] codes = new int[longs.size()];
      docs.forEach(
          doc -> codes[doc] = longs.isNull(doc) ? 0 : 1 + values.number(longs.values()[doc]));
      split(codes, values.size() + 1);
    } else {
      throw new IllegalArgumentException("column=" + column.getClass());
    }
  }

  private void split(int[] codes, int width) {
    long product = (long) count * width;
    if (product <= MOST_SPARSE) {
      docs.forEach(doc -> numbers[doc] = numbers[doc] * width + codes[doc]);
      count = (int) product;
    } else {
      LongNumbering products = new LongNumbering();
      docs.forEach(doc -> numbers[doc] = products.number((long) numbers[doc] * width + codes[doc]));
      count = products.size();
    }
  }

  int count() {
    return count;
  }

  /** Any document of a group, or -1 for a number without documents. */
  int firstDoc(int group) {
    return firstDocs[group];
  }

  /** A call's value by group: a long for counts, a {@link BigInteger} for sums, null of none. */
  @Nullable Object[] values(Aggregation.Call call) {
    Optional<Column> column =
        call.function() == Aggregation.Function.COUNT_ROWS
            ? Optional.empty()
            : leaf.column(call.fieldNumber());
    return switch (call.function()) {
      case COUNT_ROWS -> boxed(counts(doc -> true));
      case COUNT -> boxed(column.map(c -> counts(doc -> !c.isNull(doc))).orElse(new long[count]));
      case SUM -> column.map(c -> sums((Column.Longs) c)).orElse(new Object[count]);
      case MIN -> column.map(c -> extremes(c, true)).orElse(new Object[count]);
      case MAX -> column.map(c -> extremes(c, false)).orElse(new Object[count]);
    };
  }

  private interface DocTest {
    boolean test(int doc);
  }

  private long[] counts(DocTest counted) {
    long[] counts = new long[count];
    docs.forEach(
        doc -> {
          if (counted.test(doc)) {
            counts[numbers[doc]]++;
          }
        });
    return counts;
  }

  private static Object[] boxed(long[] values) {
    return Arrays.stream(values).boxed().toArray();
  }

  /** Sums in 128 bits, which no number of documents can overflow. */
  private @Nullable Object[] sums(Column.Longs column) {
    long[] low = new long[count];
    long[] high = new long[count];
    docs.forEach(
        doc -> {
          if (!column.isNull(doc)) {
            long value = column.values()[doc];
            int group = numbers[doc];
            long sum = low[group] + value;
            boolean carry = Long.compareUnsigned(sum, value) < 0;
            high[group] += (value >> 63) + (carry ? 1 : 0);
            low[group] = sum;
          }
        });
    long[] counts = counts(doc -> !column.isNull(doc));
    @Nullable Object[] sums = new Object[count];
    for (int group = 0; group < count; group++) {
      if (counts[group] > 0) {
        sums[group] =
            BigInteger.valueOf(high[group])
                .shiftLeft(Long.SIZE)
                .or(new BigInteger(Long.toUnsignedString(low[group])));
      }
    }
    return sums;
  }

  private @Nullable Object[] extremes(Column column, boolean least) {
    @Nullable Object[] found = new Object[count];
    if (column instanceof Column.Keywords keywords) {
      // The dictionary is sorted.
      int[] codes = keywords.codes();
      int[] best = new int[count];
      docs.forEach(
          doc -> {
            int known = best[numbers[doc]];
            if (codes[doc] != 0 && (known == 0 || (codes[doc] < known) == least)) {
              best[numbers[doc]] = codes[doc];
            }
          });
      for (int group = 0; group < count; group++) {
        found[group] = best[group] == 0 ? null : keywords.dictionary()[best[group] - 1];
      }
      return found;
    }
    Column.Longs longs = (Column.Longs) column;
    long[] best = new long[count];
    boolean[] any = new boolean[count];
    docs.forEach(
        doc -> {
          int group = numbers[doc];
          long value = longs.values()[doc];
          if (!longs.isNull(doc) && (!any[group] || (value < best[group]) == least)) {
            best[group] = value;
            any[group] = true;
          }
        });
    for (int group = 0; group < count; group++) {
      found[group] = any[group] ? (Object) best[group] : null;
    }
    return found;
  }
}
