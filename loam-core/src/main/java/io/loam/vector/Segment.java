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
import java.util.Arrays;

/**
 * A segment's file, mapped. Safe for use by several threads.
 *
 * @param format of the file
 * @param starts the first row of each list, and the number of all
 * @param scanned bytes that are scanned, row by row
 * @param scannedWords the same as numbers
 * @param others bytes of the most promising rows
 * @param olderCorrections by row, the {@link ProductCorrection} that files of older formats do not
 *     have; none otherwise
 * @param file all of it
 */
public record Segment(
    Training training,
    int format,
    int[] starts,
    LongBuffer rowIds,
    ByteBuffer scanned,
    LongBuffer scannedWords,
    ByteBuffer others,
    float[] olderCorrections,
    ByteBuffer file) {

  /**
   * Opens a file whose bytes were checked. Fails with {@code CORRUPT_OBJECT}, naming {@code
   * nameForErrors}, where it is not one of this training.
   */
  public static Segment open(Path file, Training training, String nameForErrors) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.size() < headerBytes(1) + 4 || channel.size() > Integer.MAX_VALUE) {
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

  private static int headerBytes(int format) {
    return SegmentFile.HEADER_BYTES - (format == 1 ? SegmentFile.DIGEST_BYTES : 0);
  }

  private static Segment decode(ByteBuffer bytes, Training training, String name) {
    RowCode code = RowCode.of(training);
    boolean fits = bytes.getInt() == SegmentFile.MAGIC;
    int format = bytes.getShort();
    fits &=
        format >= 1
            && format <= SegmentFile.VERSION
            && bytes.getShort() == training.kind().code()
            && bytes.getInt() == training.dimension()
            && bytes.getInt() == training.lists();
    int rows = bytes.getInt();
    int scanBytes = bytes.getInt();
    int otherBytes = bytes.getInt();
    long rowStart = headerBytes(format) + 4L * (training.lists() + 1);
    long rowBytes = (long) Long.BYTES + scanBytes + otherBytes;
    if (!fits
        || rows < 0
        || scanBytes != code.scanBytes()
        || otherBytes != code.refineBytes()
        || rowStart + rows * rowBytes + Integer.BYTES != bytes.limit()) {
      throw corrupt(name, "header");
    }
    if (format > 1) {
      checkTraining(bytes, training, name);
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
        format,
        starts,
        part(bytes, (int) rowStart, Long.BYTES * rows).asLongBuffer(),
        scanned,
        scanned.asLongBuffer(),
        part(bytes, otherStart, otherBytes * rows),
        training.kind() == IndexKind.IVF_PQ && !SegmentFile.hasCorrections(format)
            ? corrections(training, starts, scanned)
            : new float[0],
        part(bytes, 0, bytes.limit()));
  }

  private static float[] corrections(Training training, int[] starts, ByteBuffer scanned) {
    ProductCorrection correction = new ProductCorrection(training);
    byte[] codes = new byte[training.subVectors()];
    float[] corrections = new float[starts[training.lists()]];
    for (int list = 0; list < training.lists(); list++) {
      for (int row = starts[list]; row < starts[list + 1]; row++) {
        scanned.get(row * (codes.length + Float.BYTES), codes);
        corrections[row] = correction.ofCodes(list, codes);
      }
    }
    return corrections;
  }

  /** Codes of another training of the same shape would look sound, and find little. */
  private static void checkTraining(ByteBuffer bytes, Training training, String name) {
    byte[] digest = new byte[SegmentFile.DIGEST_BYTES];
    bytes.get(digest);
    if (!Arrays.equals(digest, training.digest())) {
      throw new LoamException(
          ErrorCode.CORRUPT_OBJECT,
          "a segment was built with another training: object=" + name + "; build the index anew");
    }
  }

  /** Whether the file says which training it was built with; files of format 1 do not. */
  public boolean namesTraining() {
    return format > 1;
  }

  private static ByteBuffer part(ByteBuffer bytes, int from, int length) {
    return bytes.slice(from, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The number of vectors. */
  public int rows() {
    return starts[training.lists()];
  }

  /** Bytes of memory that it takes beside the mapped file. */
  public long sizeInBytes() {
    return 4L * (starts.length + olderCorrections.length);
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
