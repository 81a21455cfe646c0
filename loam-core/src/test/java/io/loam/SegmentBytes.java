package io.loam;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Changes of a segment's file that keep its checksum right. */
final class SegmentBytes {
  /** Where the file names its training. */
  private static final int DIGEST = 28;

  private static final int DIGEST_BYTES = 32;

  private SegmentBytes() {}

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
