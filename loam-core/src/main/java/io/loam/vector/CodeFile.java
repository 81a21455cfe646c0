package io.loam.vector;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * The codes of one vector field of one split. All numbers are little-endian; for what they mean see
 * {@link VectorCodes}.
 *
 * <pre>
 * header    magic "LVCF" (4), u16 format version (1), u16 zero, u32 document count, u32 dimension D
 * centroid  D × f32
 * codes     for each document: ⌈D / 64⌉ × u64 bits, component i in bit i mod 64 of word i / 64;
 *           f32 spread, f32 factor (NaN: no vector), f32 number of set bits, f32 squared norm
 * checksum  u32 CRC32C of all before
 * </pre>
 */
public final class CodeFile {
  private static final int MAGIC = 'L' | 'V' << 8 | 'C' << 16 | 'F' << 24;
  private static final int VERSION = 1;
  private static final int HEADER_BYTES = 16;
  private static final int BUFFER_BYTES = 1 << 16;

  private CodeFile() {}

  /** Writes a file that must not exist yet; it is not forced to disk. */
  public static void write(VectorCodes codes, Path file) {
    CRC32C crc = new CRC32C();
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      buffer.putInt(MAGIC).putInt(VERSION);
      buffer.putInt(codes.documentCount()).putInt(codes.dimension());
      for (float component : codes.centroid()) {
        flushFull(buffer, channel, crc);
        buffer.putFloat(component);
      }
      long[] record = codes.newRecord();
      for (int doc = 0; doc < codes.documentCount(); doc++) {
        codes.get(doc, record);
        for (long word : record) {
          flushFull(buffer, channel, crc);
          buffer.putLong(word);
        }
      }
      flush(buffer, channel, crc);
      buffer.putInt((int) crc.getValue());
      flush(buffer, channel, crc);
    } catch (IOException e) {
      throw new LoamException(
          ErrorCode.STORE_UNAVAILABLE,
          "cannot write a code file: file=" + file + "; check space and permissions",
          e);
    }
  }

  private static void flushFull(ByteBuffer buffer, FileChannel channel, CRC32C crc)
      throws IOException {
    if (buffer.remaining() < Long.BYTES) {
      flush(buffer, channel, crc);
    }
  }

  private static void flush(ByteBuffer buffer, FileChannel channel, CRC32C crc) throws IOException {
    buffer.flip();
    crc.update(buffer.duplicate());
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
    buffer.clear();
  }

  /** Reads a file. Fails with {@code CORRUPT_OBJECT}, naming {@code nameForErrors}. */
  public static VectorCodes read(Path file, String nameForErrors) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.size() < HEADER_BYTES + 4 || channel.size() > Integer.MAX_VALUE) {
        throw corrupt(nameForErrors, "length");
      }
      ByteBuffer bytes =
          channel
              .map(FileChannel.MapMode.READ_ONLY, 0, channel.size())
              .order(ByteOrder.LITTLE_ENDIAN);
      int end = bytes.limit() - 4;
      CRC32C crc = new CRC32C();
      crc.update(bytes.duplicate().limit(end));
      if ((int) crc.getValue() != bytes.getInt(end)) {
        throw corrupt(nameForErrors, "checksum");
      }
      return decode(bytes.limit(end), nameForErrors);
    } catch (NoSuchFileException e) {
      throw new LoamException(
          ErrorCode.MISSING_OBJECT,
          "a code file is missing: object=" + nameForErrors + "; restore it from a copy",
          e);
    } catch (IOException e) {
      throw new LoamException(
          ErrorCode.STORE_UNAVAILABLE,
          "cannot read a code file: object=" + nameForErrors + "; try again",
          e);
    }
  }

  private static VectorCodes decode(ByteBuffer bytes, String name) {
    if (bytes.getInt() != MAGIC || bytes.getInt() != VERSION) {
      throw corrupt(name, "header");
    }
    long documents = bytes.getInt();
    int dimension = bytes.getInt();
    long stride = VectorCodes.words(Math.max(1, dimension)) + (long) VectorCodes.EXTRA_WORDS;
    if (documents < 0
        || dimension < 1
        || bytes.remaining() != 4L * dimension + Long.BYTES * stride * documents) {
      throw corrupt(name, "header");
    }
    float[] centroid = new float[dimension];
    bytes.asFloatBuffer().get(centroid);
    LongBuffer words =
        bytes
            .position(bytes.position() + 4 * dimension)
            .slice()
            .order(ByteOrder.LITTLE_ENDIAN)
            .asLongBuffer();
    VectorCodes codes = new VectorCodes(dimension, (int) documents, centroid);
    long[] record = codes.newRecord();
    for (int doc = 0; doc < documents; doc++) {
      words.get(record);
      codes.put(doc, record);
    }
    return codes;
  }

  private static LoamException corrupt(String name, String part) {
    return new LoamException(
        ErrorCode.CORRUPT_OBJECT,
        "a code file is damaged: object=" + name + ", part=" + part + "; restore it from a copy");
  }
}
