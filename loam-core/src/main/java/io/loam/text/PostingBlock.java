package io.loam.text;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A block of a posting list that was read. Frequencies of mapped blocks are read one by one. */
final class PostingBlock {
  /** Only as many as the block has mean anything. */
  final int[] docs = new int[PostingList.BLOCK];

  private final int[] frequencies = new int[PostingList.BLOCK];
  private @Nullable ByteBuffer packed;
  private long firstBit;
  private int width;
  private long mask;

  /** How often the document at a place has the term. */
  int frequency(int place) {
    ByteBuffer bytes = packed;
    if (bytes == null) {
      return frequencies[place];
    }
    long bit = firstBit + (long) place * width;
    return 1 + (int) (bytes.getLong((int) (bit >>> 3)) >>> (bit & 7) & mask);
  }

  /** The frequencies are here; to be filled in. */
  int[] unpacked() {
    packed = null;
    return frequencies;
  }

  /** The frequencies, less 1, are in these bytes from a bit on. */
  void setPacked(ByteBuffer bytes, long bit, int bits) {
    packed = bytes;
    firstBit = bit;
    width = bits;
    mask = (1L << bits) - 1;
  }
}
