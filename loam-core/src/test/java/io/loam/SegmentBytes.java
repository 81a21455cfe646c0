package io.loam;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.LongToDoubleFunction;
import java.util.zip.CRC32C;

/** Changes of a segment's file that keep its checksum right. */
final class SegmentBytes {
  /** Where the file names its training. */
  private static final int DIGEST = 28;

  private static final int DIGEST_BYTES = 32;

  private SegmentBytes() {}

  /**
   * A file of {@code ivf_pq} as the second format had it, which ended each row with the squared
   * norm of its vector.
   *
   * @param squaredNorm by row id
   */
  static byte[] ofSecondFormat(byte[] file, LongToDoubleFunction squaredNorm) {
    ByteBuffer bytes = ByteBuffer.wrap(file.clone()).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putShort(4, (short) 2);
    int lists = bytes.getInt(12);
    int rows = bytes.getInt(16);
    int scanBytes = bytes.getInt(20);
    int rowIds = DIGEST + DIGEST_BYTES + Integer.BYTES * (lists + 1);
    for (int row = 0; row < rows; row++) {
      long rowId = bytes.getLong(rowIds + Long.BYTES * row);
      int end = rowIds + Long.BYTES * rows + scanBytes * (row + 1);
      bytes.putFloat(end - Float.BYTES, (float) squaredNorm.applyAsDouble(rowId));
    }
    return sealed(bytes.array());
  }

  /** The file as the first format had it, which did not name a training. */
  static byte[] ofFirstFormat(byte[] file) {
    byte[] first = Arrays.copyOf(file, file.length - DIGEST_BYTES);
    first[4] = 1;
    int rest = DIGEST + DIGEST_BYTES;
    System.arraycopy(file, rest, first, DIGEST, file.length - rest);
    return sealed(first);
  }

  /** The file with the training that another one names. */
  static byte[] withTrainingOf(byte[] other, byte[] file) {
    byte[] changed = file.clone();
    System.arraycopy(other, DIGEST, changed, DIGEST, DIGEST_BYTES);
    return sealed(changed);
  }

  private static byte[] sealed(byte[] file) {
    int end = file.length - Integer.BYTES;
    CRC32C crc = new CRC32C();
    crc.update(file, 0, end);
    ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(end, (int) crc.getValue());
    return file;
  }
}
