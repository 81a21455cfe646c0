package io.loam.vector;

import java.util.Arrays;

/**
 * Codes of {@link #SIZE} successive documents or rows, column by column. Loops over whole arrays of
 * one length, with no other index than their own, are what the compiler of the JVM turns into
 * vector instructions.
 *
 * @param columns by 32 dimensions, their bits of each document
 * @param factors NaN for a document without a vector
 * @param setBits how many there are
 */
record CodeBlock(
    int[][] columns, float[] factors, float[] spreads, float[] squaredNorms, float[] setBits) {
  static final int SIZE = 512;

  /** Of no documents, for codes with so many words of bits. */
  static CodeBlock ofWords(int words) {
    float[] none = new float[SIZE];
    Arrays.fill(none, Float.NaN);
    return new CodeBlock(
        new int[2 * words][SIZE], none, new float[SIZE], new float[SIZE], new float[SIZE]);
  }

  /**
   * Takes records of {@link VectorCodes} over, one after the other, the first of which becomes the
   * block's at {@code from}.
   */
  void put(long[] records, int from, int count) {
    int words = columns.length / 2;
    int stride = words + VectorCodes.EXTRA_WORDS;
    for (int word = 0; word < words; word++) {
      int[] low = columns[2 * word];
      int[] high = columns[2 * word + 1];
      for (int i = 0, at = word; i < count; i++, at += stride) {
        low[from + i] = (int) records[at];
        high[from + i] = (int) (records[at] >>> Integer.SIZE);
      }
    }
    for (int i = 0, at = words; i < count; i++, at += stride) {
      factors[from + i] = VectorCodes.high(records[at]);
      spreads[from + i] = VectorCodes.low(records[at]);
      squaredNorms[from + i] = VectorCodes.high(records[at + 1]);
      setBits[from + i] = VectorCodes.low(records[at + 1]);
    }
  }

  /** Gives the record that was put there. */
  void get(int i, long[] record) {
    int words = columns.length / 2;
    for (int word = 0; word < words; word++) {
      long upper = (long) columns[2 * word + 1][i] << Integer.SIZE;
      record[word] = upper | Integer.toUnsignedLong(columns[2 * word][i]);
    }
    record[words] = VectorCodes.pair(factors[i], spreads[i]);
    record[words + 1] = VectorCodes.pair(squaredNorms[i], setBits[i]);
  }
}
