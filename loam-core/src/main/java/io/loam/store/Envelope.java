package io.loam.store;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The frame of Loam's own binary objects: {@code magic(4) ‖ u16 LE format version ‖ body ‖ u32 LE
 * CRC32C of all before}. Readers accept the current format version and the one before it.
 */
public final class Envelope {
  private static final int HEADER_BYTES = 6;
  private static final int OVERHEAD_BYTES = HEADER_BYTES + 4;

  private Envelope() {}

  /**
   * Frames a body.
   *
   * @param magic four ASCII characters that name the kind of object
   * @param version format version, 1 to 65,535
   */
  public static byte[] wrap(String magic, int version, byte[] body) {
    byte[] framed = new byte[body.length + OVERHEAD_BYTES];
    ByteBuffer buffer = ByteBuffer.wrap(framed).order(ByteOrder.LITTLE_ENDIAN);
    buffer.put(magicBytes(magic)).putShort((short) version).put(body);
    buffer.putInt(crc32c(framed, framed.length - 4));
    return framed;
  }

  /**
   * The body of what {@link #wrap} framed with {@code currentVersion} or the version before it.
   * Fails with {@code CORRUPT_OBJECT}, naming {@code path}, for anything else.
   */
  public static byte[] unwrap(String magic, int currentVersion, byte[] framed, String path) {
    if (framed.length < OVERHEAD_BYTES) {
      throw corrupt("object too short", path, "bytes=" + framed.length);
    }
    ByteBuffer buffer = ByteBuffer.wrap(framed).order(ByteOrder.LITTLE_ENDIAN);
    if (!Arrays.equals(framed, 0, 4, magicBytes(magic), 0, 4)) {
      throw corrupt("object of another kind", path, "wanted=" + magic);
    }
    int wanted = buffer.getInt(framed.length - 4);
    int found = crc32c(framed, framed.length - 4);
    if (wanted != found) {
      String sums = "wanted=%08x, found=%08x".formatted(wanted, found);
      throw corrupt("object damaged, checksum differs", path, sums);
    }
    int version = Short.toUnsignedInt(buffer.getShort(4));
    if (version > currentVersion) {
      throw new LoamException(
          ErrorCode.CORRUPT_OBJECT,
          "object of a newer format: path=%s, format=%d, supported=%d; upgrade Loam to read it"
              .formatted(path, version, currentVersion));
    }
    if (version < 1 || version < currentVersion - 1) {
      throw new LoamException(
          ErrorCode.CORRUPT_OBJECT,
          "object of an old format: path=%s, format=%d, supported=%d; rewrite it with an older Loam"
              .formatted(path, version, currentVersion));
    }
    return Arrays.copyOfRange(framed, HEADER_BYTES, framed.length - 4);
  }

  private static byte[] magicBytes(String magic) {
    byte[] bytes = magic.getBytes(StandardCharsets.US_ASCII);
    if (bytes.length != 4) {
      throw new IllegalArgumentException("magic=" + magic);
    }
    return bytes;
  }

  private static int crc32c(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  private static LoamException corrupt(String problem, String path, String detail) {
    return new LoamException(
        ErrorCode.CORRUPT_OBJECT,
        "%s: path=%s, %s; restore it from a copy".formatted(problem, path, detail));
  }
}
