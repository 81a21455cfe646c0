package io.loam.column;

import java.util.Arrays;
import java.util.Collection;
import java.util.UUID;
import java.util.function.IntConsumer;
import org.apache.lucene.util.IntroSorter;
import org.jspecify.annotations.Nullable;

/**
 * Finds documents of one leaf by primary key. Several documents may have the same key: then all but
 * at most one are deleted, which this index does not know. Safe for use by several threads.
 *
 * <p>A column whose keys ascend is searched as it is; for others, documents are sorted by key at
 * the first search.
 */
public abstract sealed class KeyIndex {
  private static final int[] IDENTITY = {};

  private final Column column;

  /** Documents by key, then by doc id; {@link #IDENTITY} where that is doc-id order. */
  private volatile int @Nullable [] order;

  private KeyIndex(Column column) {
    this.column = column;
  }

  /** Takes a document with a wanted key. */
  @FunctionalInterface
  public interface Visitor {
    void visit(Object key, int doc);
  }

  /** Over a column without nulls of kind {@code BIGINT}, {@code VARCHAR} or {@code UUID}. */
  public static KeyIndex of(Column keyColumn) {
    if (keyColumn instanceof Column.Longs c) {
      return new OfLongs(c);
    }
    if (keyColumn instanceof Column.Keywords c) {
      return new OfKeywords(c);
    }
    if (keyColumn instanceof Column.Uuids c) {
      return new OfUuids(c);
    }
    throw new IllegalArgumentException("keys=" + keyColumn.getClass().getSimpleName());
  }

  /** The greatest doc id with this key (Long, String or UUID), or -1. */
  public final int find(Object key) {
    Probe probe = probe(key);
    if (probe == null) {
      return -1;
    }
    int[] docs = order();
    int end = firstPlace(docs, probe, true);
    int doc = end == 0 ? -1 : doc(docs, end - 1);
    return doc >= 0 && probe.compareTo(doc) == 0 ? doc : -1;
  }

  /** Visits all documents with this key in ascending order. */
  public final void find(Object key, IntConsumer visitor) {
    Probe probe = probe(key);
    if (probe == null) {
      return;
    }
    int[] docs = order();
    int size = column.size();
    for (int place = firstPlace(docs, probe, false);
        place < size && probe.compareTo(doc(docs, place)) == 0;
        place++) {
      visitor.accept(doc(docs, place));
    }
  }

  /** Visits all documents with one of these keys: key by key, in ascending order for each. */
  public final void findAll(Collection<?> keys, Visitor visitor) {
    for (Object key : keys) {
      find(key, doc -> visitor.visit(key, doc));
    }
  }

  /**
   * Compares the keys of two documents in the order of {@link io.loam.schema.Key}: longs by value,
   * strings by code points, UUIDs by unsigned bytes.
   */
  public abstract int compare(int doc, KeyIndex other, int otherDoc);

  /** Bytes of heap, the column's included. */
  public final long sizeInBytes() {
    int[] docs = order;
    return column.sizeInBytes() + (docs == null ? 0 : 4L * docs.length);
  }

  /** A wanted key, in a form that compares with documents. */
  @FunctionalInterface
  private interface Probe {
    /** Negative, zero or positive as the wanted key is before, at or after the document's. */
    int compareTo(int doc);
  }

  /** Null where no document can have the key. */
  abstract @Nullable Probe probe(Object key);

  /** A total order of keys within this leaf, the same that probes use. */
  abstract int compareHere(int doc1, int doc2);

  /** The first place whose key is at or after the wanted one, or only after it. */
  private int firstPlace(int[] docs, Probe probe, boolean after) {
    int low = 0;
    int high = column.size();
    while (low < high) {
      int mid = (low + high) >>> 1;
      int order = probe.compareTo(doc(docs, mid));
      if (order > 0 || (after && order == 0)) {
        low = mid + 1;
      } else {
        high = mid;
      }
    }
    return low;
  }

  private static int doc(int[] docs, int place) {
    return docs.length == 0 ? place : docs[place];
  }

  private int[] order() {
    int[] docs = order;
    if (docs == null) {
      docs = isAscending() ? IDENTITY : sortedDocs();
      order = docs;
    }
    return docs;
  }

  private boolean isAscending() {
    for (int doc = 1; doc < column.size(); doc++) {
      if (compareHere(doc - 1, doc) > 0) {
        return false;
      }
    }
    return true;
  }

  private int[] sortedDocs() {
    int[] docs = new int[column.size()];
    Arrays.setAll(docs, i -> i);
    new IntroSorter() {
      private int pivot;

      @Override
      protected void setPivot(int i) {
        pivot = docs[i];
      }

      @Override
      protected int comparePivot(int i) {
        int byKey = compareHere(pivot, docs[i]);
        return byKey != 0 ? byKey : Integer.compare(pivot, docs[i]);
      }

      @Override
      protected void swap(int i, int j) {
        int doc = docs[i];
        docs[i] = docs[j];
        docs[j] = doc;
      }
    }.sort(0, docs.length);
    return docs;
  }

  private static final class OfLongs extends KeyIndex {
    private final long[] values;
    private final long min;
    private final long max;

    OfLongs(Column.Longs column) {
      super(column);
      this.values = column.values();
      this.min = Arrays.stream(values).min().orElse(Long.MAX_VALUE);
      this.max = Arrays.stream(values).max().orElse(Long.MIN_VALUE);
    }

    @Override
    public int compare(int doc, KeyIndex other, int otherDoc) {
      return Long.compare(values[doc], ((OfLongs) other).values[otherDoc]);
    }

    @Override
    @Nullable Probe probe(Object key) {
      long wanted = (Long) key;
      return wanted < min || wanted > max ? null : doc -> Long.compare(wanted, values[doc]);
    }

    @Override
    int compareHere(int doc1, int doc2) {
      return Long.compare(values[doc1], values[doc2]);
    }
  }

  private static final class OfKeywords extends KeyIndex {
    private final int[] codes;
    private final String[] dictionary;

    OfKeywords(Column.Keywords column) {
      super(column);
      this.codes = column.codes();
      this.dictionary = column.dictionary();
    }

    @Override
    public int compare(int doc, KeyIndex other, int otherDoc) {
      OfKeywords that = (OfKeywords) other;
      return compareCodePoints(
          dictionary[codes[doc] - 1], that.dictionary[that.codes[otherDoc] - 1]);
    }

    @Override
    @Nullable Probe probe(Object key) {
      int wanted = Arrays.binarySearch(dictionary, (String) key) + 1;
      return wanted <= 0 ? null : doc -> Integer.compare(wanted, codes[doc]);
    }

    @Override
    int compareHere(int doc1, int doc2) {
      return Integer.compare(codes[doc1], codes[doc2]);
    }

    /** As the bytes of UTF-8 compare: surrogates are above all other UTF-16 units. */
    private static int compareCodePoints(String a, String b) {
      int length = Math.min(a.length(), b.length());
      for (int i = 0; i < length; i++) {
        char x = a.charAt(i);
        char y = b.charAt(i);
        if (x != y) {
          int bySurrogate = Boolean.compare(Character.isSurrogate(x), Character.isSurrogate(y));
          return bySurrogate != 0 ? bySurrogate : Character.compare(x, y);
        }
      }
      return Integer.compare(a.length(), b.length());
    }
  }

  private static final class OfUuids extends KeyIndex {
    private final Column.Uuids uuids;

    OfUuids(Column.Uuids uuids) {
      super(uuids);
      this.uuids = uuids;
    }

    @Override
    public int compare(int doc, KeyIndex other, int otherDoc) {
      Column.Uuids that = ((OfUuids) other).uuids;
      return compare(
          uuids.most()[doc], uuids.least()[doc], that.most()[otherDoc], that.least()[otherDoc]);
    }

    @Override
    @Nullable Probe probe(Object key) {
      long most = ((UUID) key).getMostSignificantBits();
      long least = ((UUID) key).getLeastSignificantBits();
      return doc -> compare(most, least, uuids.most()[doc], uuids.least()[doc]);
    }

    @Override
    int compareHere(int doc1, int doc2) {
      return compare(doc1, this, doc2);
    }

    private static int compare(long most1, long least1, long most2, long least2) {
      int byMost = Long.compareUnsigned(most1, most2);
      return byMost != 0 ? byMost : Long.compareUnsigned(least1, least2);
    }
  }
}
