package io.loam.column;

import java.util.Arrays;
import java.util.Collection;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Finds documents of one leaf by primary key. Several documents may have the same key: then all but
 * at most one are deleted, which this index does not know. Safe for use by several threads.
 *
 * <p>A column whose keys ascend is searched as it is; for others, documents are put into a hash
 * table at the first search.
 */
public abstract sealed class KeyIndex {
  private static final int[] ASCENDING = {};

  /** Not the same in any two processes, so that nobody can choose keys whose hashes are equal. */
  private static final long SEED = ThreadLocalRandom.current().nextLong() | 1;

  private final Column column;

  /**
   * A hash table with linear probing, in which documents of one key lie in ascending order; {@link
   * #ASCENDING} where none is needed. The low bits of a cell are a doc id + 1. The bits that are
   * left are some of its key's hash, so that other keys are seldom compared: a key that is not
   * there costs one access to memory.
   */
  private volatile int @Nullable [] cells;

  /** Those bits of a cell that are of the hash. */
  private final int tagMask;

  private KeyIndex(Column column) {
    this.column = column;
    this.tagMask = -1 << (Integer.SIZE - Integer.numberOfLeadingZeros(column.size()));
  }

  /** Keys (Long, String or UUID) to look for in several leaves. */
  public static final class Wanted {
    private final Object[] keys;
    private final long[] hashes;

    private Wanted(Object[] keys) {
      this.keys = keys;
      this.hashes = Arrays.stream(keys).mapToLong(KeyIndex::hash).toArray();
    }

    public static Wanted of(Collection<?> keys) {
      return new Wanted(keys.toArray());
    }

    public int size() {
      return keys.length;
    }
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

  /** Visits all documents with one of these keys: key by key, in ascending order for each. */
  public final void find(Wanted wanted, Visitor visitor) {
    int[] table = cells();
    for (int i = 0; i < wanted.keys.length; i++) {
      Object key = wanted.keys[i];
      if (mayHave(key)) {
        if (table.length == 0) {
          findAscending(key, visitor);
        } else {
          find(table, key, wanted.hashes[i], visitor);
        }
      }
    }
  }

  private void find(int[] table, Object key, long hash, Visitor visitor) {
    int mask = table.length - 1;
    int tag = tag(hash);
    int cell = (int) hash & mask;
    for (int content = table[cell]; content != 0; content = table[cell]) {
      if ((content & tagMask) == tag) {
        int doc = (content & ~tagMask) - 1;
        if (compare(key, doc) == 0) {
          visitor.visit(key, doc);
        }
      }
      cell = (cell + 1) & mask;
    }
  }

  private void findAscending(Object key, Visitor visitor) {
    for (int doc = first(key); doc < column.size() && compare(key, doc) == 0; doc++) {
      visitor.visit(key, doc);
    }
  }

  private int tag(long hash) {
    return (int) (hash >>> Integer.SIZE) & tagMask;
  }

  /**
   * Compares the keys of two documents in the order of {@link io.loam.schema.Key}: longs by value,
   * strings by code points, UUIDs by unsigned bytes.
   */
  public abstract int compare(int doc, KeyIndex other, int otherDoc);

  /** Bytes of heap, those of the column and of what the first search adds included. */
  public final long sizeInBytes() {
    return column.sizeInBytes() + (isAscending() ? 0 : 4L * tableSize());
  }

  /** False only where no document has the key; cheap. */
  abstract boolean mayHave(Object key);

  /** Compares a wanted key with a document's, in any total order. */
  abstract int compare(Object key, int doc);

  /** The same order between documents of this leaf. */
  abstract int compareHere(int doc1, int doc2);

  abstract long hashOf(int doc);

  /** Where keys ascend: the first document whose key is at or after the wanted one. */
  private int first(Object key) {
    int low = 0;
    int high = column.size();
    while (low < high) {
      int mid = (low + high) >>> 1;
      if (compare(key, mid) > 0) {
        low = mid + 1;
      } else {
        high = mid;
      }
    }
    return low;
  }

  private int[] cells() {
    int[] table = cells;
    if (table == null) {
      table = isAscending() ? ASCENDING : table();
      cells = table;
    }
    return table;
  }

  private boolean isAscending() {
    for (int doc = 1; doc < column.size(); doc++) {
      if (compareHere(doc - 1, doc) > 0) {
        return false;
      }
    }
    return true;
  }

  /** A power of two that leaves a third of the cells empty at least. */
  private int tableSize() {
    return Integer.highestOneBit(Math.max(1, column.size() + column.size() / 2)) << 1;
  }

  private int[] table() {
    int[] table = new int[tableSize()];
    int mask = table.length - 1;
    for (int doc = 0; doc < column.size(); doc++) {
      long hash = hashOf(doc);
      int cell = (int) hash & mask;
      while (table[cell] != 0) {
        cell = (cell + 1) & mask;
      }
      table[cell] = tag(hash) | (doc + 1);
    }
    return table;
  }

  private static long hash(Object key) {
    if (key instanceof Long value) {
      return mix(value);
    }
    return key instanceof UUID uuid
        ? hash(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits())
        : hash((String) key);
  }

  private static long hash(String key) {
    long h = key.length();
    for (int i = 0; i < key.length(); i++) {
      h = (h + key.charAt(i)) * SEED; // odd, and known to nobody
    }
    return mix(h);
  }

  private static long hash(long most, long least) {
    return mix(most * SEED + least);
  }

  /** Spreads 64 bits over all bits (the finalizer of MurmurHash3). */
  private static long mix(long bits) {
    long h = bits ^ SEED;
    h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL;
    h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return h ^ (h >>> 33);
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
    boolean mayHave(Object key) {
      long wanted = (Long) key;
      return wanted >= min && wanted <= max;
    }

    @Override
    int compare(Object key, int doc) {
      return Long.compare((Long) key, values[doc]);
    }

    @Override
    int compareHere(int doc1, int doc2) {
      return Long.compare(values[doc1], values[doc2]);
    }

    @Override
    long hashOf(int doc) {
      return mix(values[doc]);
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
      return compareCodePoints(string(doc), ((OfKeywords) other).string(otherDoc));
    }

    @Override
    boolean mayHave(Object key) {
      return dictionary.length > 0
          && dictionary[0].compareTo((String) key) <= 0
          && dictionary[dictionary.length - 1].compareTo((String) key) >= 0;
    }

    @Override
    int compare(Object key, int doc) {
      return ((String) key).compareTo(string(doc));
    }

    @Override
    int compareHere(int doc1, int doc2) {
      return Integer.compare(codes[doc1], codes[doc2]);
    }

    @Override
    long hashOf(int doc) {
      return hash(string(doc));
    }

    private String string(int doc) {
      return dictionary[codes[doc] - 1];
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
    boolean mayHave(Object key) {
      return true;
    }

    @Override
    int compare(Object key, int doc) {
      UUID uuid = (UUID) key;
      return compare(
          uuid.getMostSignificantBits(),
          uuid.getLeastSignificantBits(),
          uuids.most()[doc],
          uuids.least()[doc]);
    }

    @Override
    int compareHere(int doc1, int doc2) {
      return compare(doc1, this, doc2);
    }

    @Override
    long hashOf(int doc) {
      return hash(uuids.most()[doc], uuids.least()[doc]);
    }

    private static int compare(long most1, long least1, long most2, long least2) {
      int byMost = Long.compareUnsigned(most1, most2);
      return byMost != 0 ? byMost : Long.compareUnsigned(least1, least2);
    }
  }
}
