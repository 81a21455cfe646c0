package io.loam.text;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * The token file of one text field of a split: the sorted term dictionary with document
 * frequencies, each document's term codes in position order, and each term's documents. All numbers
 * are little-endian.
 *
 * <pre>
 * header      0  "LTOK"
 *             4  u16  format version, 2
 *             6  u16  width w: bits of a term code, at least 1
 *             8  u32  document count d
 *            12  u32  term count t
 *            16  u64  tokens n of all documents
 *            24  u32  tokens of the longest document
 *            28  u32  bytes b of all terms
 *            32  u64  length of the file
 *            40  u32  bytes p of all posting lists
 * 44          u32 × (t+1)  start of each term in the term bytes, and b
 *             u32 × t      documents that have the term
 *             u32 × (t+1)  start of each term's posting list in the posting bytes, and p
 *             u32 × (d+1)  each document's first token, and n
 *             bits n × w   term codes, lowest bits first, filled up to a whole byte
 *             p bytes      posting lists, each as {@link PostingCodec} has it
 *             b bytes      terms in UTF-8, in the order of their bytes
 *             8 zero bytes
 * table       u32 × ⌈table offset / 65,536⌉  CRC32C of each 64 KiB of all before; the last may be short
 * footer      u32  CRC32C of the table
 * </pre>
 *
 * <p>The table is checked when the file is opened, and 64 KiB of the rest when any of it is first
 * used.
 */
public final class TokenFile {
  static final int MAGIC = 'L' | 'T' << 8 | 'O' << 16 | 'K' << 24;
  static final int FORMAT_VERSION = 2;
  static final int HEADER_BYTES = 44;
  static final int PADDING_BYTES = 8;
  static final int CHUNK_SHIFT = 16;

  /** Places of a file's parts. */
  record Layout(
      long frequencies,
      long postingStarts,
      long starts,
      long codes,
      long postings,
      long terms,
      long table,
      long length) {
    static Layout of(
        long documents, long termCount, long tokens, int width, long postingBytes, long termBytes) {
      long frequencies = HEADER_BYTES + 4 * (termCount + 1);
      long postingStarts = frequencies + 4 * termCount;
      long starts = postingStarts + 4 * (termCount + 1);
      long codes = starts + 4 * (documents + 1);
      long postings = codes + (tokens * width + 7) / 8;
      long terms = postings + postingBytes;
      long table = terms + termBytes + PADDING_BYTES;
      return new Layout(
          frequencies,
          postingStarts,
          starts,
          codes,
          postings,
          terms,
          table,
          table + 4 * chunks(table) + Integer.BYTES);
    }

    static long chunks(long bytes) {
      return (bytes + (1 << CHUNK_SHIFT) - 1) >>> CHUNK_SHIFT;
    }
  }

  /** Writes a new file; its bytes are not forced to stable storage. */
  public static void write(TokenReader tokens, Path file) {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      write(tokens, channel);
    } catch (IOException e) {
      throw new LoamException(
          ErrorCode.STORE_UNAVAILABLE,
          "cannot write a token file: file=" + file + "; check the folder and its free space",
          e);
    }
  }

  private static void write(TokenReader tokens, FileChannel channel) throws IOException {
    int termCount = tokens.termCount();
    long termBytes = 0;
    for (int code = 0; code < termCount; code++) {
      termBytes += tokens.termBytes(code).length;
    }
    PostingCodec codec = new PostingCodec();
    int[] postingStarts = new int[termCount + 1];
    long postingBytes = 0;
    for (int code = 0; code < termCount; code++) {
      postingBytes += codec.encode(tokens.postings(code)).remaining();
      postingStarts[code + 1] = (int) postingBytes;
    }
    int width = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(termCount - 1));
    Layout layout =
        Layout.of(
            tokens.documentCount(),
            termCount,
            tokens.totalTokens(),
            width,
            postingBytes,
            termBytes);
    if (layout.length() > Integer.MAX_VALUE) {
      throw new LoamException(
          ErrorCode.LIMIT_EXCEEDED,
          "text of a split is too large: bytes=" + layout.length() + "; write smaller batches");
    }
    Output out = new Output(channel, (int) Layout.chunks(layout.table()));
    out.putInt(MAGIC);
    out.putInt(FORMAT_VERSION | width << 16);
    out.putInt(tokens.documentCount());
    out.putInt(termCount);
    out.putLong(tokens.totalTokens());
    out.putInt(tokens.longestDocument());
    out.putInt((int) termBytes);
    out.putLong(layout.length());
    out.putInt((int) postingBytes);
    writeTermTables(tokens, out);
    for (int start : postingStarts) {
      out.putInt(start);
    }
    writeDocuments(tokens, width, out);
    for (int code = 0; code < termCount; code++) {
      out.put(codec.encode(tokens.postings(code)));
    }
    for (int code = 0; code < termCount; code++) {
      out.put(ByteBuffer.wrap(tokens.termBytes(code)));
    }
    out.putLong(0);
    out.finish();
  }

  private static void writeTermTables(TokenReader tokens, Output out) throws IOException {
    int start = 0;
    for (int code = 0; code < tokens.termCount(); code++) {
      out.putInt(start);
      start += tokens.termBytes(code).length;
    }
    out.putInt(start);
    for (int code = 0; code < tokens.termCount(); code++) {
      out.putInt(tokens.documentFrequency(code));
    }
  }

  private static void writeDocuments(TokenReader tokens, int width, Output out) throws IOException {
    int start = 0;
    for (int doc = 0; doc < tokens.documentCount(); doc++) {
      out.putInt(start);
      start += tokens.length(doc);
    }
    out.putInt(start);
    int[] buffer = new int[0];
    long pending = 0;
    int pendingBits = 0;
    for (int doc = 0; doc < tokens.documentCount(); doc++) {
      buffer = tokens.tokens(doc, buffer);
      int length = tokens.length(doc);
      for (int i = 0; i < length; i++) {
        pending |= (long) buffer[i] << pendingBits;
        for (pendingBits += width; pendingBits >= Byte.SIZE; pendingBits -= Byte.SIZE) {
          out.put((byte) pending);
          pending >>>= Byte.SIZE;
        }
      }
    }
    if (pendingBits > 0) {
      out.put((byte) pending);
    }
  }

  /**
   * Maps a token file. Damage is found when the damaged part is first used, and gives {@code
   * CORRUPT_OBJECT}.
   *
   * @param nameForErrors names the object in errors
   */
  public static TokenReader open(Path file, String nameForErrors) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      if (size > Integer.MAX_VALUE || size < HEADER_BYTES + PADDING_BYTES + 2 * Integer.BYTES) {
        throw corrupt(nameForErrors, "bytes=" + size);
      }
      ByteBuffer bytes = channel.map(MapMode.READ_ONLY, 0, size).order(ByteOrder.LITTLE_ENDIAN);
      return MappedTokens.open(bytes, nameForErrors);
    } catch (IOException e) {
      boolean missing = !Files.exists(file);
      throw new LoamException(
          missing ? ErrorCode.MISSING_OBJECT : ErrorCode.STORE_UNAVAILABLE,
          "cannot open a token file: object=" + nameForErrors + "; bring it back from a copy",
          e);
    }
  }

  static LoamException corrupt(String name, String found) {
    return new LoamException(
        ErrorCode.CORRUPT_OBJECT,
        "damaged token file: object=" + name + ", " + found + "; bring it back from a copy");
  }

  /** Writes chunks and their checksums. */
  private static final class Output {
    private final FileChannel channel;
    private final ByteBuffer chunk =
        ByteBuffer.allocate(1 << CHUNK_SHIFT).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer table;

    Output(FileChannel channel, int chunks) {
      this.channel = channel;
      this.table = ByteBuffer.allocate(chunks * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    void put(byte value) throws IOException {
      if (!chunk.hasRemaining()) {
        flush();
      }
      chunk.put(value);
    }

    void put(ByteBuffer values) throws IOException {
      while (values.hasRemaining()) {
        if (!chunk.hasRemaining()) {
          flush();
        }
        int length = Math.min(chunk.remaining(), values.remaining());
        chunk.put(chunk.position(), values, values.position(), length);
        chunk.position(chunk.position() + length);
        values.position(values.position() + length);
      }
    }

    void putInt(int value) throws IOException {
      if (chunk.remaining() >= Integer.BYTES) {
        chunk.putInt(value);
        return;
      }
      for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
        put((byte) (value >>> shift));
      }
    }

    void putLong(long value) throws IOException {
      putInt((int) value);
      putInt((int) (value >>> Integer.SIZE));
    }

    void finish() throws IOException {
      flush();
      CRC32C crc = new CRC32C();
      crc.update(table.array());
      write(table.flip());
      write(
          ByteBuffer.allocate(Integer.BYTES)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putInt((int) crc.getValue())
              .flip());
    }

    private void flush() throws IOException {
      CRC32C crc = new CRC32C();
      crc.update(chunk.array(), 0, chunk.position());
      table.putInt((int) crc.getValue());
      write(chunk.flip());
      chunk.clear();
    }

    private void write(ByteBuffer bytes) throws IOException {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
  }

  private TokenFile() {}
}
