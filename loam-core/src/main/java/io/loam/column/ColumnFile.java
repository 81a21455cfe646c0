package io.loam.column;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The typed columns of one split by doc id. All integers are little-endian.
 *
 * <pre>
 * header    magic "LCOL" (4), u16 format version (1)
 * blocks    one per column, without gaps
 * footer    u32 document count, then for each block in file order:
 *           u32 field number, u8 kind, u64 offset, u64 length, u32 CRC32C of the block
 * trailer   u32 length of the footer, u32 CRC32C of footer and that length, magic "LCOL" (4)
 * </pre>
 *
 * <p>A block is one Arrow IPC stream, or two that follow each other, with record batches of 65,536
 * rows (the last may have fewer), zstd-compressed buffers and one field named {@code value}:
 *
 * <pre>
 * kind                 Arrow type of value
 *  1 BIGINT            Int64
 *  2 INTEGER           Int32
 *  3 BOOLEAN           Bool
 *  4 DATE              Date32
 *  5 TIMESTAMP         Timestamp(microseconds, UTC)
 *  6 DOUBLE            Float64
 *  7 REAL              Float32
 *  8 DECIMAL           Decimal128(38, scale)
 *  9 UUID              FixedSizeBinary(16), the most significant byte first
 * 10 VARCHAR           Int8, Int16 or Int32: codes, without Arrow nulls
 * 11 VARCHAR ARRAY     List of such codes
 * </pre>
 *
 * <p>For kinds 10 and 11 a stream with one Utf8 field {@code dictionary} comes first: different
 * strings in ascending order of their UTF-16 units. Code 0 stands for a missing value, code c for
 * the dictionary's c-th string counted from 1. Codes have 8 bits up to 127 strings, 16 up to
 * 32,767, else 32.
 *
 * <p>An instance keeps the footer and no open file. Safe for use by several threads.
 */
public final class ColumnFile implements ColumnSource {
  private static final int MAGIC = 'L' | 'C' << 8 | 'O' << 16 | 'L' << 24;
  private static final short VERSION = 1;
  private static final int HEADER_BYTES = 6;
  private static final int ENTRY_BYTES = 25;
  private static final int TRAILER_BYTES = 12;

  private final Path file;
  private final String name;
  private final int documentCount;
  private final Map<Integer, Entry> entries;

  private ColumnFile(Path file, String name, int documentCount, Map<Integer, Entry> entries) {
    this.file = file;
    this.name = name;
    this.documentCount = documentCount;
    this.entries = entries;
  }

  private record Entry(BlockKind kind, long offset, int length, int checksum) {}

  /**
   * Writes a file that must not exist yet; it is not forced to disk. Fails with {@code
   * INVALID_TEXT} for strings that are not well-formed UTF-16.
   *
   * @param columns by field number, each of {@code documentCount} values
   */
  public static void write(Path file, int documentCount, SortedMap<Integer, Column> columns) {
    ByteBuffer footer =
        ByteBuffer.allocate(4 + ENTRY_BYTES * columns.size() + TRAILER_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(documentCount);
    try (OutputStream stream = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW);
        ChecksummedOutput out = new ChecksummedOutput(new BufferedOutputStream(stream, 1 << 16));
        BufferAllocator allocator = ArrowMemory.newAllocator()) {
      out.write(header());
      ColumnEncoder encoder = new ColumnEncoder(allocator, out);
      for (Map.Entry<Integer, Column> entry : columns.entrySet()) {
        Column column = entry.getValue();
        if (column.size() != documentCount) {
          throw new IllegalArgumentException(
              "field=" + entry.getKey() + ", values=" + column.size());
        }
        long offset = out.position();
        out.startChecksum();
        encoder.write(column);
        footer
            .putInt(entry.getKey())
            .put((byte) BlockKind.of(column).number())
            .putLong(offset)
            .putLong(out.position() - offset)
            .putInt(out.checksum());
      }
      footer.putInt(footer.position());
      out.write(footer.putInt(crc(footer.array(), footer.position())).putInt(MAGIC).array());
    } catch (IOException e) {
      throw new LoamException(
          ErrorCode.STORE_UNAVAILABLE,
          "cannot write a column file: file=" + file + "; check space and permissions",
          e);
    }
  }

  /** Reads the footer. {@code nameForErrors} is the object's name in errors. */
  public static ColumnFile open(Path file, String nameForErrors) {
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      long length = in.length();
      if (length < HEADER_BYTES + 4 + TRAILER_BYTES) {
        throw corrupt(nameForErrors, "too short");
      }
      if (!ByteBuffer.wrap(read(in, 0, HEADER_BYTES)).equals(ByteBuffer.wrap(header()))) {
        throw corrupt(nameForErrors, "header");
      }
      ByteBuffer trailer = littleEndian(read(in, length - TRAILER_BYTES, TRAILER_BYTES));
      long footerLength = Integer.toUnsignedLong(trailer.getInt());
      int checksum = trailer.getInt();
      long footerStart = length - TRAILER_BYTES - footerLength;
      if (trailer.getInt() != MAGIC || footerStart < HEADER_BYTES) {
        throw corrupt(nameForErrors, "trailer");
      }
      byte[] footer = read(in, footerStart, Math.toIntExact(footerLength + 4));
      if (crc(footer, footer.length) != checksum) {
        throw corrupt(nameForErrors, "footer");
      }
      return parse(file, nameForErrors, littleEndian(footer).limit(footer.length - 4));
    } catch (IOException e) {
      throw unreadable(nameForErrors, e);
    }
  }

  private static ColumnFile parse(Path file, String name, ByteBuffer footer) {
    int documentCount = footer.getInt();
    Map<Integer, Entry> entries = new TreeMap<>();
    while (footer.hasRemaining()) {
      int fieldNumber = footer.getInt();
      BlockKind kind =
          BlockKind.ofNumber(footer.get()).orElseThrow(() -> corrupt(name, "kind of block"));
      long offset = footer.getLong();
      int length = Math.toIntExact(footer.getLong());
      entries.put(fieldNumber, new Entry(kind, offset, length, footer.getInt()));
    }
    return new ColumnFile(file, name, documentCount, Collections.unmodifiableMap(entries));
  }

  public int documentCount() {
    return documentCount;
  }

  /** The fields that have a column here. */
  public Set<Integer> fieldNumbers() {
    return entries.keySet();
  }

  /**
   * Reads, checks and decodes one column; empty for a field that the file does not have. Fails with
   * {@code CORRUPT_OBJECT} if its bytes are damaged and with {@code MISSING_OBJECT} if the file is
   * gone.
   */
  public Optional<Column> read(int fieldNumber) {
    Entry entry = entries.get(fieldNumber);
    if (entry == null) {
      return Optional.empty();
    }
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r");
        BufferAllocator allocator = ArrowMemory.newAllocator()) {
      byte[] block = read(in, entry.offset, entry.length);
      if (crc(block, block.length) != entry.checksum) {
        throw corrupt(name, "field " + fieldNumber);
      }
      return Optional.of(new ColumnDecoder(allocator, block, documentCount).read(entry.kind));
    } catch (IOException e) {
      throw unreadable(name, e);
    }
  }

  /** The same as {@link #read}; decodes at every call. */
  @Override
  public Optional<Column> column(int fieldNumber) {
    return read(fieldNumber);
  }

  private static byte[] header() {
    return ByteBuffer.allocate(HEADER_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(MAGIC)
        .putShort(VERSION)
        .array();
  }

  private static byte[] read(RandomAccessFile in, long offset, int length) throws IOException {
    byte[] bytes = new byte[length];
    in.seek(offset);
    in.readFully(bytes);
    return bytes;
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  private static LoamException corrupt(String name, String part) {
    return new LoamException(
        ErrorCode.CORRUPT_OBJECT,
        "a column file is damaged: object=" + name + ", part=" + part + "; restore it from a copy");
  }

  private static LoamException unreadable(String name, IOException e) {
    if (e instanceof EOFException) {
      return corrupt(name, "end of file");
    }
    return e instanceof FileNotFoundException
        ? new LoamException(
            ErrorCode.MISSING_OBJECT,
            "a column file is missing: object=" + name + "; restore it from a copy",
            e)
        : new LoamException(
            ErrorCode.STORE_UNAVAILABLE,
            "cannot read a column file: object=" + name + "; try again",
            e);
  }
}
