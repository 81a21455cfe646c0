package io.loam.text;

import io.loam.text.TokenFile.Layout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * A mapped token file. Every part is checked before it is used: a check that two threads make at
 * once only costs time.
 */
final class MappedTokens implements TokenReader {
  private static final int CHUNK_BYTES = 1 << TokenFile.CHUNK_SHIFT;

  private final String name;
  private final ByteBuffer bytes;
  private final boolean[] checked;
  private final int documentCount;
  private final int termCount;
  private final long totalTokens;
  private final int longestDocument;
  private final int width;
  private final long mask;
  private final Layout layout;
  private final RecentTerms recent = new RecentTerms();
  private volatile byte @Nullable [] lengthCodes;

  private MappedTokens(ByteBuffer bytes, String name, int tableBytes) {
    this.name = name;
    this.bytes = bytes;
    this.checked = new boolean[tableBytes / Integer.BYTES];
    check(0, TokenFile.HEADER_BYTES);
    int version = bytes.getShort(4);
    if (bytes.getInt(0) != TokenFile.MAGIC || version != TokenFile.FORMAT_VERSION) {
      throw TokenFile.corrupt(name, "version=" + version);
    }
    this.width = bytes.getShort(6);
    this.mask = (1L << width) - 1;
    this.documentCount = bytes.getInt(8);
    this.termCount = bytes.getInt(12);
    this.totalTokens = bytes.getLong(16);
    this.longestDocument = bytes.getInt(24);
    this.layout =
        Layout.of(
            documentCount,
            termCount,
            totalTokens,
            width,
            bytes.getInt(40) & 0xFFFF_FFFFL,
            bytes.getInt(28) & 0xFFFF_FFFFL);
    if (layout.length() != bytes.capacity() || bytes.getLong(32) != bytes.capacity()) {
      throw TokenFile.corrupt(name, "bytes=" + bytes.capacity());
    }
  }

  /** Checks the header and the table of checksums. */
  static MappedTokens open(ByteBuffer bytes, String name) {
    // The table has one entry for each chunk of what is before it, which gives its size.
    long size = bytes.capacity() - (long) Integer.BYTES;
    long tableBytes = 0;
    while (Integer.BYTES * Layout.chunks(size - tableBytes) > tableBytes) {
      tableBytes += Integer.BYTES;
    }
    int table = (int) (size - tableBytes);
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().position(table).limit((int) size));
    if ((int) crc.getValue() != bytes.getInt((int) size)) {
      throw TokenFile.corrupt(name, "offset=" + table);
    }
    return new MappedTokens(bytes, name, (int) tableBytes);
  }

  @Override
  public int documentCount() {
    return documentCount;
  }

  @Override
  public int termCount() {
    return termCount;
  }

  @Override
  public int termCode(String term) {
    return recent.code(term, TokenReader.super::termCode);
  }

  @Override
  public int compareTerm(int code, BytesRef other) {
    int start = termStart(code);
    int length = termStart(code + 1) - start;
    int common = Math.min(length, other.length);
    for (int i = 0; i < common; i++) {
      int order = Byte.compareUnsigned(bytes.get(start + i), other.bytes[other.offset + i]);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(length, other.length);
  }

  @Override
  public byte[] termBytes(int code) {
    int start = termStart(code);
    byte[] term = new byte[termStart(code + 1) - start];
    bytes.get(start, term);
    return term;
  }

  /** Where a term's bytes start in the file; they are checked. */
  private int termStart(int code) {
    int at = TokenFile.HEADER_BYTES + Integer.BYTES * code;
    check(at, at + 2 * Integer.BYTES);
    int start = (int) layout.terms() + bytes.getInt(at);
    if (code < termCount) {
      check(start, (int) layout.terms() + bytes.getInt(at + Integer.BYTES));
    }
    return start;
  }

  @Override
  public int documentFrequency(int code) {
    int at = (int) layout.frequencies() + Integer.BYTES * code;
    check(at, at + Integer.BYTES);
    return bytes.getInt(at);
  }

  @Override
  public long totalTokens() {
    return totalTokens;
  }

  @Override
  public int longestDocument() {
    return longestDocument;
  }

  @Override
  public int length(int doc) {
    int at = (int) layout.starts() + Integer.BYTES * doc;
    check(at, at + 2 * Integer.BYTES);
    return bytes.getInt(at + Integer.BYTES) - bytes.getInt(at);
  }

  @Override
  public byte[] lengthCodes() {
    byte[] codes = lengthCodes;
    if (codes == null) {
      codes = Bm25.lengthCodes(this);
      lengthCodes = codes;
    }
    return codes;
  }

  @Override
  public int[] tokens(int doc, int[] buffer) {
    int at = (int) layout.starts() + Integer.BYTES * doc;
    check(at, at + 2 * Integer.BYTES);
    int start = bytes.getInt(at);
    int length = bytes.getInt(at + Integer.BYTES) - start;
    int[] target = buffer.length >= length ? buffer : new int[Math.max(64, length * 2)];
    long bit = layout.codes() * Byte.SIZE + (long) start * width;
    check((int) (bit >>> 3), (int) ((bit + (long) length * width + 7) >>> 3));
    for (int i = 0; i < length; i++, bit += width) {
      target[i] = (int) (bytes.getLong((int) (bit >>> 3)) >>> (bit & 7) & mask);
    }
    return target;
  }

  @Override
  public PostingList postings(int code) {
    int at = (int) layout.postingStarts() + Integer.BYTES * code;
    check(at, at + 2 * Integer.BYTES);
    return new MappedPostings(
        (int) layout.postings() + bytes.getInt(at),
        (int) layout.postings() + bytes.getInt(at + Integer.BYTES),
        documentFrequency(code));
  }

  /** Checks the chunks that hold the bytes from {@code start} to before {@code end}. */
  private void check(int start, int end) {
    int last = (end - 1) >> TokenFile.CHUNK_SHIFT;
    for (int chunk = start >> TokenFile.CHUNK_SHIFT; chunk <= last; chunk++) {
      if (!checked[chunk]) {
        checkChunk(chunk);
      }
    }
  }

  private void checkChunk(int chunk) {
    int table = bytes.capacity() - Integer.BYTES - Integer.BYTES * checked.length;
    int start = chunk << TokenFile.CHUNK_SHIFT;
    int end = (int) Math.min((long) start + CHUNK_BYTES, table);
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(start).limit(end));
    if ((int) crc.getValue() != bytes.getInt(table + Integer.BYTES * chunk)) {
      throw TokenFile.corrupt(name, "offset=" + start);
    }
    checked[chunk] = true;
  }

  /** A posting list in the file, from {@code start} to before {@code end}. */
  private final class MappedPostings implements PostingList {
    private final int start;
    private final int size;
    private final int blocks;

    MappedPostings(int start, int end, int size) {
      check(start, end);
      this.start = start;
      this.size = size;
      this.blocks = start + PostingCodec.ENTRY_BYTES * blockCount();
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public int lastDoc(int block) {
      return bytes.getInt(start + PostingCodec.ENTRY_BYTES * block);
    }

    @Override
    public float bound(int block) {
      return bytes.getFloat(start + PostingCodec.ENTRY_BYTES * block + 4);
    }

    @Override
    public void read(int block, PostingBlock into) {
      int at = blocks + bytes.getInt(start + PostingCodec.ENTRY_BYTES * block + 8);
      int before = block == 0 ? -1 : lastDoc(block - 1);
      PostingCodec.decode(bytes, at, blockSize(block), before, lastDoc(block), into);
    }
  }
}
