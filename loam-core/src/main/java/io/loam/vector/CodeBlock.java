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

  /** Takes a record of {@link VectorCodes} over. */
  void put(int i, long[] record) {
    int words = columns.length / 2;
    for (int word = 0; word < words; word++) {
      columns[2 * word][i] = (int) record[word];
      columns[2 * word + 1][i] = (int) (record[word] >>> Integer.SIZE);
    }
    factors[i] = VectorCodes.high(record[words]);
    spreads[i] = VectorCodes.low(record[words]);
    squaredNorms[i] = VectorCodes.high(record[words + 1]);
    setBits[i] = VectorCodes.low(record[words + 1]);
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
