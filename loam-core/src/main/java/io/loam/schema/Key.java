package io.loam.schema;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/**
 * Canonical primary-key bytes: a tag, then a form whose unsigned byte order is the order of the
 * values. {@code BIGINT} is big-endian with the sign flipped, {@code VARCHAR} is UTF-8, {@code
 * UUID} is its 16 bytes.
 */
public final class Key implements Comparable<Key> {
  /** Longest key of kind {@code VARCHAR} in UTF-8 bytes. */
  public static final int MAX_BYTES = 512;

  private static final byte BIGINT = 1;
  private static final byte VARCHAR = 2;
  private static final byte UUID_TAG = 3;

  private final byte[] bytes;

  private Key(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Key of(long value) {
    return new Key(ByteBuffer.allocate(9).put(BIGINT).putLong(value ^ Long.MIN_VALUE).array());
  }

  /** Fails with {@code VALUE_TOO_LONG} past {@link #MAX_BYTES}. */
  public static Key of(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    if (utf8.length > MAX_BYTES) {
      throw new LoamException(
          ErrorCode.VALUE_TOO_LONG,
          "key too long: bytes=" + utf8.length + ", limit=" + MAX_BYTES + "; use a shorter key");
    }
    return new Key(ByteBuffer.allocate(1 + utf8.length).put(VARCHAR).put(utf8).array());
  }

  public static Key of(UUID value) {
    return new Key(
        ByteBuffer.allocate(17)
            .put(UUID_TAG)
            .putLong(value.getMostSignificantBits())
            .putLong(value.getLeastSignificantBits())
            .array());
  }

  /** The key of a value of a key field: Long, String or UUID. */
  public static Key ofValue(Object value) {
    if (value instanceof Long l) {
      return of(l.longValue());
    }
    if (value instanceof UUID u) {
      return of(u);
    }
    return of((String) value);
  }

  /** Reads back what {@link #bytes} gave. */
  public static Key fromBytes(byte[] bytes) {
    return new Key(bytes);
  }

  /** The value: Long, String or UUID. */
  public Object value() {
    ByteBuffer b = ByteBuffer.wrap(bytes);
    return switch (b.get()) {
      case BIGINT -> b.getLong() ^ Long.MIN_VALUE;
      case VARCHAR -> new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8);
      case UUID_TAG -> new UUID(b.getLong(), b.getLong());
      default ->
          throw new LoamException(
              ErrorCode.CORRUPT_OBJECT,
              "unknown kind of key: tag=" + bytes[0] + "; restore the object that holds it");
    };
  }

  /** The canonical bytes; not copied, not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public int compareTo(Key other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Key k && Arrays.equals(bytes, k.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return String.valueOf(value());
  }
}
