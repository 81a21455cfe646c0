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

/**
 * A segment's file, mapped. Safe for use by several threads.
 *
 * @param starts the first row of each list, and the number of all
 * @param scanned bytes that are scanned, row by row
 * @param scannedWords the same as numbers
 * @param others bytes of the most promising rows
 * @param file all of it
 */
public record Segment(
    Training training,
    int[] starts,
    LongBuffer rowIds,
    ByteBuffer scanned,
    LongBuffer scannedWords,
    ByteBuffer others,
    ByteBuffer file) {

  /**
   * Opens a file whose bytes were checked. Fails with {@code CORRUPT_OBJECT}, naming {@code
   * nameForErrors}, where it is not one of this training.
   */
  public static Segment open(Path file, Training training, String nameForErrors) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.size() < SegmentFile.HEADER_BYTES + 4 || channel.size() > Integer.MAX_VALUE) {
        throw corrupt(nameForErrors, "length");
      }
      ByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
      return decode(bytes.order(ByteOrder.LITTLE_ENDIAN), training, nameForErrors);
    } catch (NoSuchFileException e) {
      throw new LoamException(
          ErrorCode.MISSING_OBJECT,
          "a segment is missing: object=" + nameForErrors + "; restore it from a copy",
          e);
    } catch (IOException e) {
      throw new LoamException(
          ErrorCode.STORE_UNAVAILABLE,
          "cannot read a segment: object=" + nameForErrors + "; try again",
          e);
    }
  }

  private static Segment decode(ByteBuffer bytes, Training training, String name) {
    RowCode code = RowCode.of(training);
    boolean fits =
        bytes.getInt() == SegmentFile.MAGIC
            && bytes.getShort() == SegmentFile.VERSION
            && bytes.getShort() == training.kind().code()
            && bytes.getInt() == training.dimension()
            && bytes.getInt() == training.lists();
    int rows = bytes.getInt();
    int scanBytes = bytes.getInt();
    int otherBytes = bytes.getInt();
    long rowStart = SegmentFile.HEADER_BYTES + 4L * (training.lists() + 1);
    long rowBytes = (long) Long.BYTES + scanBytes + otherBytes;
    if (!fits
        || rows < 0
        || scanBytes != code.scanBytes()
        || otherBytes != code.refineBytes()
        || rowStart + rows * rowBytes + Integer.BYTES != bytes.limit()) {
      throw corrupt(name, "header");
    }
    int[] starts = new int[training.lists() + 1];
    bytes.asIntBuffer().get(starts);
    for (int list = 0; list < training.lists(); list++) {
      if (starts[list] < 0 || starts[list] > starts[list + 1]) {
        throw corrupt(name, "directory");
      }
    }
    if (starts[0] != 0 || starts[training.lists()] != rows) {
      throw corrupt(name, "directory");
    }
    int scanStart = (int) rowStart + Long.BYTES * rows;
    int otherStart = scanStart + scanBytes * rows;
    ByteBuffer scanned = part(bytes, scanStart, scanBytes * rows);
    return new Segment(
        training,
        starts,
        part(bytes, (int) rowStart, Long.BYTES * rows).asLongBuffer(),
        scanned,
        scanned.asLongBuffer(),
        part(bytes, otherStart, otherBytes * rows),
        part(bytes, 0, bytes.limit()));
  }

  private static ByteBuffer part(ByteBuffer bytes, int from, int length) {
    return bytes.slice(from, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The number of vectors. */
  public int rows() {
    return starts[training.lists()];
  }

  /** Whether the file has the checksum that it was written with. */
  public boolean isSound() {
    int end = file.limit() - Integer.BYTES;
    return SegmentFile.crc(file.slice(0, end)) == file.getInt(end);
  }

  private static LoamException corrupt(String name, String part) {
    return new LoamException(
        ErrorCode.CORRUPT_OBJECT,
        "a segment is damaged: object=" + name + ", part=" + part + "; restore it from a copy");
  }
}
