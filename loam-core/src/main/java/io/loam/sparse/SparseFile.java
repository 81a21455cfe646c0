package io.loam.sparse;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.zip.CRC32C;

/**
 * The inverted lists of one sparse field of one split. All numbers are little-endian.
 *
 * <pre>
 * header     magic "LSPF" (4), u16 format version (1), u16 zero,
 *            u32 document count, u32 number of lists
 * directory  for each list, in ascending order of its index:
 *            u32 index, u32 number n of documents, u32 CRC32C of the list
 * checksum   u32 CRC32C of header and directory
 * lists      in the same order, without gaps: n × u32 doc id, ascending; n × f32 weight
 * </pre>
 */
public final class SparseFile {
  private static final int MAGIC = 'L' | 'S' << 8 | 'P' << 16 | 'F' << 24;
  private static final int VERSION = 1;
  private static final int HEADER_BYTES = 16;
  private static final int ENTRY_BYTES = 12;
  private static final int POSTING_BYTES = 8;

  /** Bytes of one mapping at most; one list always fits. */
  private static final long MAPPING_BYTES = 1 << 30;

  private SparseFile() {}

  /** Writes a file that must not exist yet; it is not forced to disk. */
  public static void write(SparseIndex index, Path file) {
    try (OutputStream stream = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW);
        OutputStream out = new BufferedOutputStream(stream, 1 << 16)) {
      out.write(directory(index));
      for (int place = 0; place < index.listCount(); place++) {
        out.write(bytes(index.list(place)));
      }
    } catch (IOException e) {
      throw new LoamException(
          ErrorCode.STORE_UNAVAILABLE,
          "cannot write a sparse file: file=" + file + "; check space and permissions",
          e);
    }
  }

  private static byte[] directory(SparseIndex index) {
    int length = Math.addExact(HEADER_BYTES, Math.multiplyExact(ENTRY_BYTES, index.listCount()));
    ByteBuffer directory =
        ByteBuffer.allocate(Math.addExact(length, 4))
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(MAGIC)
            .putInt(VERSION)
            .putInt(index.documentCount())
            .putInt(index.listCount());
    for (int place = 0; place < index.listCount(); place++) {
      Postings list = index.list(place);
      directory
          .putInt(index.index(place))
          .putInt(list.size())
          .putInt(crc(ByteBuffer.wrap(bytes(list))));
    }
    return directory.putInt(crc(ByteBuffer.wrap(directory.array(), 0, length))).array();
  }

  private static byte[] bytes(Postings list) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.multiplyExact(list.size(), POSTING_BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < list.size(); i++) {
      bytes.putInt(list.docs().get(i));
    }
    for (int i = 0; i < list.size(); i++) {
      bytes.putFloat(list.weights().get(i));
    }
    return bytes.array();
  }

  /**
   * Maps the file; a list is checked before its first use, and damage fails that use with {@code
   * CORRUPT_OBJECT}. The mapping goes with the index, which needs no close. {@code nameForErrors}
   * is the object's name in errors.
   */
  public static SparseIndex open(Path file, String nameForErrors) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer header = map(channel, 0, Math.min(channel.size(), HEADER_BYTES));
      if (header.remaining() < HEADER_BYTES
          || header.getInt() != MAGIC
          || header.getInt() != VERSION) {
        throw corrupt(nameForErrors, "header");
      }
      int documentCount = header.getInt();
      long lists = Integer.toUnsignedLong(header.getInt());
      long directoryBytes = HEADER_BYTES + ENTRY_BYTES * lists + 4;
      if (directoryBytes > Math.min(channel.size(), Integer.MAX_VALUE)) {
        throw corrupt(nameForErrors, "header");
      }
      ByteBuffer directory = map(channel, 0, directoryBytes);
      int end = (int) directoryBytes - 4;
      if (crc(directory.duplicate().limit(end)) != directory.getInt(end)) {
        throw corrupt(nameForErrors, "directory");
      }
      return read(
          channel, directory.position(HEADER_BYTES), documentCount, (int) lists, nameForErrors);
    } catch (NoSuchFileException e) {
      throw new LoamException(
          ErrorCode.MISSING_OBJECT,
          "a sparse file is missing: object=" + nameForErrors + "; restore it from a copy",
          e);
    } catch (IOException e) {
      throw new LoamException(
          ErrorCode.STORE_UNAVAILABLE,
          "cannot read a sparse file: object=" + nameForErrors + "; try again",
          e);
    }
  }

  private static SparseIndex read(
      FileChannel channel, ByteBuffer directory, int documentCount, int count, String name)
      throws IOException {
    int[] indices = new int[count];
    int[] sizes = new int[count];
    int[] checksums = new int[count];
    int[] mappingOf = new int[count];
    int[] offsets = new int[count];
    List<ByteBuffer> mappings = new ArrayList<>();
    long start = HEADER_BYTES + (long) ENTRY_BYTES * count + 4;
    long position = start;
    for (int i = 0; i < count; i++) {
      indices[i] = directory.getInt();
      sizes[i] = directory.getInt();
      checksums[i] = directory.getInt();
      long bytes = (long) POSTING_BYTES * sizes[i];
      if (position > start && position + bytes - start > MAPPING_BYTES) {
        mappings.add(map(channel, start, position - start));
        start = position;
      }
      mappingOf[i] = mappings.size();
      offsets[i] = (int) (position - start);
      position += bytes;
    }
    if (position != channel.size()) {
      throw corrupt(name, "length");
    }
    mappings.add(map(channel, start, position - start));
    return new SparseIndex(
        documentCount,
        indices,
        new MappedLists(name, mappings, mappingOf, offsets, sizes, checksums));
  }

  private static ByteBuffer map(FileChannel channel, long offset, long length) throws IOException {
    MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, offset, length);
    return bytes.order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int crc(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  private static LoamException corrupt(String name, String part) {
    return new LoamException(
        ErrorCode.CORRUPT_OBJECT,
        "a sparse file is damaged: object=" + name + ", part=" + part + "; restore it from a copy");
  }

  private static final class MappedLists implements SparseIndex.Lists {
    private final String name;
    private final List<ByteBuffer> mappings;
    private final int[] mappingOf;
    private final int[] offsets;
    private final int[] sizes;
    private final int[] checksums;

    /** 1 for lists whose bytes were found good. */
    private final AtomicIntegerArray checked;

    MappedLists(
        String name,
        List<ByteBuffer> mappings,
        int[] mappingOf,
        int[] offsets,
        int[] sizes,
        int[] checksums) {
      this.name = name;
      this.mappings = mappings;
      this.mappingOf = mappingOf;
      this.offsets = offsets;
      this.sizes = sizes;
      this.checksums = checksums;
      this.checked = new AtomicIntegerArray(sizes.length);
    }

    @Override
    public int size(int place) {
      return sizes[place];
    }

    @Override
    public Postings read(int place) {
      ByteBuffer mapping = mappings.get(mappingOf[place]);
      int half = Integer.BYTES * sizes[place];
      int offset = offsets[place];
      if (checked.getPlain(place) == 0) {
        if (crc(mapping.slice(offset, 2 * half)) != checksums[place]) {
          throw corrupt(name, "list " + place);
        }
        checked.setPlain(place, 1);
      }
      return new Postings(
          mapping.slice(offset, half).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer(),
          mapping.slice(offset + half, half).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer());
    }
  }
}
