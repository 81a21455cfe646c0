package io.loam.text;

import java.util.Arrays;

/** Walks forward through a posting list. Not safe for use by several threads. */
final class PostingCursor {
  /** The document past the last. */
  static final int END = Integer.MAX_VALUE;

  private final PostingList list;
  private final int blockCount;
  private final PostingBlock read = new PostingBlock();
  private final int[] docs = read.docs;

  /** The block that was read, or -1. */
  private int block = -1;

  private int blockSize;
  private int at;
  private int doc = -1;

  /** The block that {@link #seekBlock} found. */
  private int sought;

  PostingCursor(PostingList list) {
    this.list = list;
    this.blockCount = list.blockCount();
  }

  int size() {
    return list.size();
  }

  /** The document at hand: -1 before the first, {@link #END} after the last. */
  int doc() {
    return doc;
  }

  /** How often the document at hand has the term. */
  int frequency() {
    return read.frequency(at);
  }

  /** The document after the one at hand. */
  int next() {
    return at + 1 < blockSize ? setAt(at + 1) : advance(doc + 1);
  }

  /** Moves to the first document at or after {@code target}, unless it is there or past it. */
  int advance(int target) {
    if (doc >= target) {
      return doc;
    }
    if (block < 0 || docs[blockSize - 1] < target) {
      seekBlock(target);
      if (sought == blockCount) {
        doc = END;
        return doc;
      }
      block = sought;
      blockSize = list.blockSize(block);
      list.read(block, read);
      at = -1;
    }
    if (docs[at + 1] >= target) {
      return setAt(at + 1);
    }
    int found = Arrays.binarySearch(docs, at + 2, blockSize, target);
    return setAt(found >= 0 ? found : -found - 1);
  }

  private int setAt(int place) {
    at = place;
    doc = docs[place];
    return doc;
  }

  /** Adds all documents to a set; the cursor is at its start. */
  void addTo(long[] words) {
    for (int next = advance(0); next != END; next = next()) {
      words[next >>> 6] |= 1L << next;
    }
  }

  /** Finds the block with the first document at or after {@code target}, which never falls. */
  private void seekBlock(int target) {
    while (sought < blockCount && list.lastDoc(sought) < target) {
      sought++;
    }
  }

  /**
   * The end of the block with the first document at or after {@code target}; {@link #END} if none.
   */
  int blockEnd(int target) {
    seekBlock(target);
    return sought == blockCount ? END : list.lastDoc(sought);
  }

  /**
   * The greatest {@link PostingList#bound} of blocks with documents from {@code start} to {@code
   * end}, or 0 if there are none.
   *
   * @param start no less than in the calls before
   */
  float bound(int start, int end) {
    seekBlock(start);
    float greatest = 0;
    for (int b = sought; b < blockCount; b++) {
      greatest = Math.max(greatest, list.bound(b));
      if (list.lastDoc(b) >= end) {
        break;
      }
    }
    return greatest;
  }
}
