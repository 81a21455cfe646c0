package io.loam.text;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One posting list as bytes, little-endian:
 *
 * <pre>
 * by block:  u32  last document
 *            f32  bound of tf / (tf + norm)
 *            u32  where the block starts, from the end of this table
 * by block:  u8   width g of a gap
 *            u8   width f of a frequency
 *            bits g for each document but the last: documents between it and the one before
 *            bits f for each document: occurrences less 1
 *            filled up to a whole byte
 * </pre>
 */
final class PostingCodec {
  static final int ENTRY_BYTES = 12;
  private static final int BLOCK_HEADER_BYTES = 2;

  private final PostingBlock read = new PostingBlock();
  private final int[] docs = read.docs;
  private ByteBuffer bytes = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);
  private long pending;
  private int pendingBits;

  /** The list's bytes, valid until the next call. */
  ByteBuffer encode(PostingList list) {
    int blocks = list.blockCount();
    reserve(blocks * (ENTRY_BYTES + BLOCK_HEADER_BYTES) + 2 * Integer.BYTES * list.size());
    int table = blocks * ENTRY_BYTES;
    bytes.clear().position(table);
    int before = -1;
    for (int block = 0; block < blocks; block++) {
      list.read(block, read);
      int size = list.blockSize(block);
      bytes.putInt(block * ENTRY_BYTES, docs[size - 1]);
      bytes.putFloat(block * ENTRY_BYTES + 4, list.bound(block));
      bytes.putInt(block * ENTRY_BYTES + 8, bytes.position() - table);
      putBlock(size, before);
      before = docs[size - 1];
    }
    return bytes.flip();
  }

  private void reserve(int most) {
    if (bytes.capacity() < most) {
      bytes = ByteBuffer.allocate(most + most / 2).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  private void putBlock(int size, int before) {
    int gaps = 0;
    int counts = 0;
    for (int i = 0; i < size; i++) {
      gaps |= i + 1 < size ? gap(i, before) : 0;
      counts |= read.frequency(i) - 1;
    }
    int gapWidth = Integer.SIZE - Integer.numberOfLeadingZeros(gaps);
    int countWidth = Integer.SIZE - Integer.numberOfLeadingZeros(counts);
    bytes.put((byte) gapWidth).put((byte) countWidth);
    for (int i = 0; i + 1 < size; i++) {
      putBits(gap(i, before), gapWidth);
    }
    for (int i = 0; i < size; i++) {
      putBits(read.frequency(i) - 1, countWidth);
    }
    if (pendingBits > 0) {
      bytes.put((byte) pending);
    }
    pending = 0;
    pendingBits = 0;
  }

  private int gap(int place, int before) {
    return docs[place] - (place == 0 ? before : docs[place - 1]) - 1;
  }

  private void putBits(int value, int width) {
    pending |= (long) value << pendingBits;
    for (pendingBits += width; pendingBits >= Byte.SIZE; pendingBits -= Byte.SIZE) {
      bytes.put((byte) pending);
      pending >>>= Byte.SIZE;
    }
  }

  /**
   * Reads a block. Reads up to 8 bytes past its end.
   *
   * @param before last document of the block before, or -1
   * @param last last document of this block
   */
  static void decode(ByteBuffer bytes, int at, int size, int before, int last, PostingBlock into) {
    int[] docs = into.docs;
    int width = bytes.get(at);
    long mask = (1L << width) - 1;
    long bit = (long) (at + BLOCK_HEADER_BYTES) * Byte.SIZE;
    int doc = before;
    for (int i = 0; i + 1 < size; i++, bit += width) {
      doc += 1 + (int) (bytes.getLong((int) (bit >>> 3)) >>> (bit & 7) & mask);
      docs[i] = doc;
    }
    docs[size - 1] = last;
    into.setPacked(bytes, bit, bytes.get(at + 1));
  }
}
