package io.loam.vector;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The file of one segment. All numbers are little-endian; rows are in order of list, then of row
 * id.
 *
 * <pre>
 * header     magic "LIVF" (4), u16 format version (3), u16 kind, u32 dimension, u32 number of
 *            lists L, u32 number of rows n, u32 bytes of a row that are scanned s, u32 others r,
 *            SHA-256 of the training (32), which format 1 did not have
 * directory  (L + 1) × u32 first row of each list, and n
 * row ids    n × u64
 * scanned    n × s bytes
 * others     n × r bytes
 * checksum   u32 CRC32C of all before
 * </pre>
 */
public final class SegmentFile {
  static final int MAGIC = 'L' | 'I' << 8 | 'V' << 16 | 'F' << 24;
  static final int VERSION = 3;
  static final int DIGEST_BYTES = 32;
  static final int HEADER_BYTES = 28 + DIGEST_BYTES;
  private static final int BATCH = 512;
  private static final int BLOCK_BYTES = 1 << 20;

  private SegmentFile() {}

  /** Whether rows of {@link IndexKind#IVF_PQ} have a {@link ProductCorrection}. */
  static boolean hasCorrections(int format) {
    return format > 2;
  }

  /** Vectors that become a segment. */
  public interface Rows {
    /** Gives each of them in ascending order of row id: always the same. */
    void forEach(Visitor visitor);
  }

  /** Takes one vector. */
  public interface Visitor {
    /** The vector's components start at {@code offset}. */
    void row(long rowId, float[] data, int offset);
  }

  /** Bytes that a row takes in a file. */
  public static int bytesPerRow(Training training) {
    RowCode code = RowCode.of(training);
    return Long.BYTES + code.scanBytes() + code.refineBytes();
  }

  /**
   * Writes a file that must not exist yet; it is not forced to disk. Returns the number of rows.
   *
   * @param checkpoint called now and then; what it throws ends the work
   */
  public static int write(Training training, Rows rows, Path file, Runnable checkpoint) {
    Assignment assignment = new Assignment(training, checkpoint);
    rows.forEach(assignment);
    assignment.finish();
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      new Output(training, assignment, channel, checkpoint).run(rows);
    } catch (IOException e) {
      throw new LoamException(
          ErrorCode.STORE_UNAVAILABLE,
          "cannot write a segment: file=" + file + "; check space and permissions",
          e);
    }
    return assignment.count;
  }

  /** Learns which list each row goes to. */
  private static final class Assignment implements Visitor {
    private final Training training;
    private final NearestCentroid nearest;
    private final Runnable checkpoint;
    private final float[] vector;
    private final float[] batch;
    private int batched;
    private int[] lists = new int[1 << 12];
    private int count;

    Assignment(Training training, Runnable checkpoint) {
      this.training = training;
      this.nearest = training.nearestCentroid();
      this.checkpoint = checkpoint;
      this.vector = new float[training.dimension()];
      this.batch = new float[BATCH * training.dimension()];
    }

    @Override
    public void row(long rowId, float[] data, int offset) {
      System.arraycopy(data, offset, vector, 0, vector.length);
      training.prepare(vector);
      System.arraycopy(vector, 0, batch, batched++ * vector.length, vector.length);
      if (batched == BATCH) {
        finish();
      }
    }

    void finish() {
      checkpoint.run();
      if (count + batched > lists.length) {
        lists = Arrays.copyOf(lists, Math.max(2 * lists.length, count + batched));
      }
      System.arraycopy(nearest.nearest(batch, batched), 0, lists, count, batched);
      count += batched;
      batched = 0;
    }

    /** The first row of each list, and the number of all. */
    int[] starts() {
      int[] starts = new int[training.lists() + 1];
      for (int i = 0; i < count; i++) {
        starts[lists[i] + 1]++;
      }
      for (int list = 0; list < training.lists(); list++) {
        starts[list + 1] += starts[list];
      }
      return starts;
    }
  }

  /** Puts the rows into their places. */
  private static final class Output implements Visitor {
    private final Training training;
    private final Assignment assignment;
    private final Runnable checkpoint;
    private final RowCode code;
    private final int[] starts;
    private final int[] next;
    private final long length;
    private final MappedByteBuffer bytes;
    private final ByteBuffer scan;
    private final ByteBuffer refine;
    private final float[] vector;
    private final float[] prepared;
    private int visited;

    Output(Training training, Assignment assignment, FileChannel channel, Runnable checkpoint)
        throws IOException {
      this.training = training;
      this.assignment = assignment;
      this.checkpoint = checkpoint;
      this.code = RowCode.of(training);
      this.starts = assignment.starts();
      this.next = starts.clone();
      this.vector = new float[training.dimension()];
      this.prepared = new float[training.dimension()];
      this.length =
          HEADER_BYTES
              + 4L * starts.length
              + (long) assignment.count * bytesPerRow(training)
              + Integer.BYTES;
      if (length > Integer.MAX_VALUE) {
        throw new LoamException(
            ErrorCode.LIMIT_EXCEEDED,
            "a segment would be too large: bytes=" + length + "; set max_segment_bytes lower");
      }
      reserve(channel, length);
      this.bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, length);
      bytes.order(ByteOrder.LITTLE_ENDIAN);
      int scanStart = rowIdStart() + Long.BYTES * assignment.count;
      int refineStart = scanStart + code.scanBytes() * assignment.count;
      this.scan = part(scanStart, refineStart);
      this.refine = part(refineStart, (int) length - Integer.BYTES);
    }

    /** Takes the room on disk: where there is none for a mapped page, the process would be hurt. */
    private static void reserve(FileChannel channel, long length) throws IOException {
      ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(length, BLOCK_BYTES));
      for (long at = 0; at < length; ) {
        zeros.limit((int) Math.min(zeros.capacity(), length - at)).position(0);
        at += channel.write(zeros, at);
      }
    }

    private int rowIdStart() {
      return HEADER_BYTES + Integer.BYTES * starts.length;
    }

    private ByteBuffer part(int from, int to) {
      return bytes.slice(from, to - from).order(ByteOrder.LITTLE_ENDIAN);
    }

    void run(Rows rows) {
      bytes.putInt(MAGIC).putShort((short) VERSION).putShort((short) training.kind().code());
      bytes.putInt(training.dimension()).putInt(training.lists()).putInt(assignment.count);
      bytes.putInt(code.scanBytes()).putInt(code.refineBytes()).put(training.digest());
      for (int start : starts) {
        bytes.putInt(start);
      }
      rows.forEach(this);
      if (visited != assignment.count) {
        throw new IllegalStateException("rows=" + assignment.count + ", then " + visited);
      }
      int end = (int) length - Integer.BYTES;
      bytes.putInt(end, crc(bytes.duplicate().limit(end).position(0)));
      bytes.force();
    }

    @Override
    public void row(long rowId, float[] data, int offset) {
      if (visited % BATCH == 0) {
        checkpoint.run();
      }
      int list = assignment.lists[visited++];
      int place = next[list]++;
      System.arraycopy(data, offset, vector, 0, vector.length);
      System.arraycopy(data, offset, prepared, 0, vector.length);
      training.prepare(prepared);
      bytes.putLong(rowIdStart() + Long.BYTES * place, rowId);
      code.encode(
          vector,
          prepared,
          list,
          scan.position(code.scanBytes() * place),
          refine.position(code.refineBytes() * place));
    }
  }

  static int crc(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    while (bytes.hasRemaining()) {
      ByteBuffer part = bytes.slice(bytes.position(), Math.min(BLOCK_BYTES, bytes.remaining()));
      bytes.position(bytes.position() + part.remaining());
      crc.update(part);
    }
    return (int) crc.getValue();
  }
}
