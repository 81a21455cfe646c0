package io.loam.leaf;

import io.loam.doc.DocSet;
import io.loam.manifest.RowIdRange;
import java.util.List;

/** The documents of a leaf whose row ids are among some. */
public final class CoveredDocs {
  private CoveredDocs() {}

  /**
   * Likewise.
   *
   * @param rows ascending
   */
  public static DocSet of(Leaf leaf, List<RowIdRange> rows) {
    long[] words = new long[DocSet.wordCount(leaf.documentCount())];
    int firstDoc = 0;
    int next = 0;
    for (RowIdRange range : leaf.rowIds()) {
      while (next < rows.size() && rows.get(next).end() <= range.start()) {
        next++;
      }
      for (int i = next; i < rows.size() && rows.get(i).start() < range.end(); i++) {
        long from = Math.max(range.start(), rows.get(i).start());
        long to = Math.min(range.end(), rows.get(i).end());
        int doc = firstDoc + (int) (from - range.start());
        set(words, doc, doc + (int) (to - from));
      }
      firstDoc += range.count();
    }
    return DocSet.ofWords(words, leaf.documentCount());
  }

  private static void set(long[] words, int from, int to) {
    for (int doc = from; doc < to; ) {
      int end = Math.min(to, (doc | 63) + 1);
      words[doc >>> 6] |= -1L >>> (64 - (end - doc)) << doc;
      doc = end;
    }
  }
}
