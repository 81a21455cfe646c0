package io.loam.column;

import io.loam.column.Column.LongKind;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.jspecify.annotations.Nullable;

/** Reads the block that {@link ColumnEncoder} wrote into primitive arrays. */
final class ColumnDecoder {
  private final BufferAllocator allocator;
  private final ByteArrayInputStream in;
  private final int size;
  private long @Nullable [] nulls;

  /**
   * @param block checked bytes
   * @param size the file's document count
   */
  ColumnDecoder(BufferAllocator allocator, byte[] block, int size) {
    this.allocator = allocator;
    this.in = new ByteArrayInputStream(block);
    this.size = size;
  }

  /** Takes the rows of one record batch, the first of which is row {@code from}. */
  private interface Batch {
    void read(FieldVector vector, int from);
  }

  Column read(BlockKind kind) throws IOException {
    return switch (kind) {
      case BIGINT -> longs(LongKind.BIGINT, 8);
      case TIMESTAMP -> longs(LongKind.TIMESTAMP, 8);
      case INTEGER -> longs(LongKind.INTEGER, 4);
      case DATE -> longs(LongKind.DATE, 4);
      case BOOLEAN -> booleans();
      case DOUBLE -> doubles(false);
      case REAL -> doubles(true);
      case DECIMAL -> decimals();
      case UUID -> uuids();
      case VARCHAR -> keywords();
      case VARCHAR_ARRAY -> lists();
    };
  }

  private Column longs(LongKind kind, int width) throws IOException {
    long[] values = new long[size];
    readStream(
        (vector, from) -> {
          ByteBuffer data = data(vector, width);
          if (width == 8) {
            data.asLongBuffer().get(values, from, vector.getValueCount());
          } else {
            int[] narrow = new int[vector.getValueCount()];
            data.asIntBuffer().get(narrow);
            for (int i = 0; i < narrow.length; i++) {
              values[from + i] = narrow[i];
            }
          }
          readNulls(vector, from);
        });
    return new Column.Longs(kind, values, nulls);
  }

  private Column booleans() throws IOException {
    long[] values = new long[size];
    readStream(
        (vector, from) -> {
          int count = vector.getValueCount();
          long[] words = words(vector.getDataBuffer(), count);
          for (int i = 0; i < count; i++) {
            values[from + i] = (words[i >>> 6] >>> i) & 1;
          }
          readNulls(vector, from);
        });
    return new Column.Longs(LongKind.BOOLEAN, values, nulls);
  }

  private Column doubles(boolean real) throws IOException {
    double[] values = new double[size];
    readStream(
        (vector, from) -> {
          int count = vector.getValueCount();
          if (real) {
            float[] narrow = new float[count];
            data(vector, 4).asFloatBuffer().get(narrow);
            for (int i = 0; i < count; i++) {
              values[from + i] = narrow[i];
            }
          } else {
            data(vector, 8).asDoubleBuffer().get(values, from, count);
          }
          readNulls(vector, from);
        });
    return new Column.Doubles(real, values, nulls);
  }

  private Column decimals() throws IOException {
    long[] low = new long[size];
    long[] high = new long[size];
    int[] scale = new int[1];
    boolean[] wide = new boolean[1];
    readStream(
        (vector, from) -> {
          scale[0] = ((ArrowType.Decimal) vector.getField().getType()).getScale();
          wide[0] |= readPairs(data(vector, 16).asLongBuffer(), low, high, from);
          readNulls(vector, from);
        });
    return new Column.Decimals(scale[0], low, wide[0] ? high : null, nulls);
  }

  /** Whether some high word is more than the sign of its low one. */
  private static boolean readPairs(LongBuffer pairs, long[] first, long[] second, int from) {
    long beyond = 0;
    for (int i = from; pairs.hasRemaining(); i++) {
      first[i] = pairs.get();
      second[i] = pairs.get();
      beyond |= second[i] ^ (first[i] >> 63);
    }
    return beyond != 0;
  }

  private Column uuids() throws IOException {
    long[] most = new long[size];
    long[] least = new long[size];
    readStream(
        (vector, from) -> {
          readPairs(data(vector, 16).order(ByteOrder.BIG_ENDIAN).asLongBuffer(), most, least, from);
          readNulls(vector, from);
        });
    return new Column.Uuids(most, least, nulls);
  }

  private Column keywords() throws IOException {
    String[] dictionary = dictionary();
    int[] codes = new int[size];
    readStream((vector, from) -> readCodes(vector, dictionary, codes, from));
    return new Column.Keywords(codes, dictionary);
  }

  private Column lists() throws IOException {
    String[] dictionary = dictionary();
    int[] offsets = new int[size + 1];
    int[][] codes = {new int[size]};
    readStream(
        (vector, from) -> {
          ListVector lists = (ListVector) vector;
          int count = lists.getValueCount();
          int first = offsets[from];
          lists
              .getOffsetBuffer()
              .nioBuffer(4, 4 * count)
              .order(ByteOrder.LITTLE_ENDIAN)
              .asIntBuffer()
              .get(offsets, from + 1, count);
          for (int i = 1; i <= count; i++) {
            offsets[from + i] += first;
          }
          int end = offsets[from + count];
          if (end > codes[0].length) {
            codes[0] = Arrays.copyOf(codes[0], Math.max(end, 2 * codes[0].length));
          }
          readCodes(lists.getDataVector(), dictionary, codes[0], first);
          readNulls(vector, from);
        });
    return new Column.KeywordLists(
        offsets, Arrays.copyOf(codes[0], offsets[size]), dictionary, nulls);
  }

  private String[] dictionary() throws IOException {
    String[][] dictionary = {new String[0]};
    readStream(
        (vector, from) -> {
          VarCharVector strings = (VarCharVector) vector;
          int count = strings.getValueCount();
          String[] target = Arrays.copyOf(dictionary[0], from + count);
          byte[] utf8 = new byte[strings.getOffsetBuffer().getInt(4L * count)];
          strings.getDataBuffer().getBytes(0, utf8);
          int start = 0;
          for (int i = 0; i < count; i++) {
            int end = strings.getOffsetBuffer().getInt(4L * (i + 1));
            target[from + i] = new String(utf8, start, end - start, StandardCharsets.UTF_8);
            start = end;
          }
          dictionary[0] = target;
        });
    return dictionary[0];
  }

  private static void readCodes(FieldVector vector, String[] dictionary, int[] codes, int from) {
    int count = vector.getValueCount();
    if (dictionary.length <= Byte.MAX_VALUE) {
      byte[] narrow = new byte[count];
      data(vector, 1).get(narrow);
      for (int i = 0; i < count; i++) {
        codes[from + i] = narrow[i];
      }
    } else if (dictionary.length <= Short.MAX_VALUE) {
      short[] narrow = new short[count];
      data(vector, 2).asShortBuffer().get(narrow);
      for (int i = 0; i < count; i++) {
        codes[from + i] = narrow[i];
      }
    } else {
      data(vector, 4).asIntBuffer().get(codes, from, count);
    }
  }

  /** Adds the batch's missing values; {@code from} is a multiple of 64. */
  private void readNulls(FieldVector vector, int from) {
    if (vector.getNullCount() == 0) {
      return;
    }
    if (nulls == null) {
      nulls = new long[(size + 63) >>> 6];
    }
    int count = vector.getValueCount();
    long[] present = words(vector.getValidityBuffer(), count);
    for (int w = 0; w < present.length; w++) {
      nulls[(from >>> 6) + w] = ~present[w];
    }
    if ((count & 63) != 0) {
      nulls[(from + count) >>> 6] &= (1L << count) - 1;
    }
  }

  /** The first {@code count} bits. */
  private static long[] words(ArrowBuf bits, int count) {
    byte[] bytes = new byte[((count + 63) >>> 6) * Long.BYTES];
    bits.getBytes(0, bytes, 0, (count + 7) >>> 3);
    long[] words = new long[bytes.length / Long.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(words);
    return words;
  }

  private static ByteBuffer data(FieldVector vector, int width) {
    return vector
        .getDataBuffer()
        .nioBuffer(0, Math.multiplyExact(vector.getValueCount(), width))
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  private void readStream(Batch batch) throws IOException {
    try (ArrowStreamReader reader = new ArrowStreamReader(in, allocator, new ZstdCodec.Factory())) {
      int from = 0;
      while (reader.loadNextBatch()) {
        FieldVector vector = reader.getVectorSchemaRoot().getVector(0);
        if (vector.getValidityBuffer().capacity() < (vector.getValueCount() + 7) >>> 3) {
          throw new EOFException("nulls");
        }
        batch.read(vector, from);
        from += vector.getValueCount();
      }
    }
  }
}
