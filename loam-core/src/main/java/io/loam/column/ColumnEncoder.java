package io.loam.column;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.channels.Channels;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** Writes the block of one column: one or two Arrow IPC streams. */
final class ColumnEncoder {
  /** Rows of a record batch; a multiple of 64, so that null words never straddle batches. */
  static final int BATCH_ROWS = 65_536;

  private static final int DECIMAL_DIGITS = 38;

  private final BufferAllocator allocator;
  private final OutputStream out;

  ColumnEncoder(BufferAllocator allocator, OutputStream out) {
    this.allocator = allocator;
    this.out = out;
  }

  /** Puts the rows from {@code from} on, {@code count} of them, into an empty vector. */
  private interface Batch<V extends ValueVector> {
    void fill(V vector, int from, int count);
  }

  void write(Column column) throws IOException {
    if (column instanceof Column.Longs c) {
      writeLongs(c);
    } else if (column instanceof Column.Doubles c) {
      writeDoubles(c);
    } else if (column instanceof Column.Decimals c) {
      writeDecimals(c);
    } else if (column instanceof Column.Uuids c) {
      writeUuids(c);
    } else if (column instanceof Column.Keywords c) {
      writeDictionary(c.dictionary());
      writeFixed(
          codeType(c.dictionary()),
          c.size(),
          null,
          (data, from, count) -> putCodes(c.dictionary(), c.codes(), from, count, data));
    } else if (column instanceof Column.KeywordLists c) {
      writeDictionary(c.dictionary());
      writeLists(c);
    }
  }

  private void writeLongs(Column.Longs c) throws IOException {
    long[] values = c.values();
    switch (c.kind()) {
      case BIGINT -> writeFixed(new ArrowType.Int(64, true), c.size(), c.nulls(), longs(values));
      case TIMESTAMP ->
          writeFixed(
              new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC"),
              c.size(),
              c.nulls(),
              longs(values));
      case INTEGER -> writeFixed(new ArrowType.Int(32, true), c.size(), c.nulls(), ints(values));
      case DATE -> writeFixed(new ArrowType.Date(DateUnit.DAY), c.size(), c.nulls(), ints(values));
      case BOOLEAN ->
          writeFixed(
              ArrowType.Bool.INSTANCE,
              c.size(),
              c.nulls(),
              (data, from, count) -> putBits(values, from, count, data));
    }
  }

  private static Data longs(long[] values) {
    return (data, from, count) -> bytes(data, 8L * count).asLongBuffer().put(values, from, count);
  }

  private static Data ints(long[] values) {
    return (data, from, count) -> {
      ByteBuffer bytes = bytes(data, 4L * count);
      for (int i = 0; i < count; i++) {
        bytes.putInt((int) values[from + i]);
      }
    };
  }

  private static void putBits(long[] values, int from, int count, ArrowBuf data) {
    for (int i = 0; i < count; i += 8) {
      int bits = 0;
      for (int j = i; j < Math.min(count, i + 8); j++) {
        bits |= (int) values[from + j] << (j - i);
      }
      data.setByte(i >>> 3, bits);
    }
  }

  private void writeDoubles(Column.Doubles c) throws IOException {
    double[] values = c.values();
    if (!c.real()) {
      writeFixed(
          new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE),
          c.size(),
          c.nulls(),
          (data, from, count) -> bytes(data, 8L * count).asDoubleBuffer().put(values, from, count));
      return;
    }
    writeFixed(
        new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE),
        c.size(),
        c.nulls(),
        (data, from, count) -> {
          ByteBuffer bytes = bytes(data, 4L * count);
          for (int i = 0; i < count; i++) {
            bytes.putFloat((float) values[from + i]);
          }
        });
  }

  private void writeDecimals(Column.Decimals c) throws IOException {
    long[] high = c.high();
    writeFixed(
        new ArrowType.Decimal(DECIMAL_DIGITS, c.scale(), 128),
        c.size(),
        c.nulls(),
        (data, from, count) -> {
          ByteBuffer bytes = bytes(data, 16L * count);
          for (int i = from; i < from + count; i++) {
            bytes.putLong(c.low()[i]).putLong(high == null ? c.low()[i] >> 63 : high[i]);
          }
        });
  }

  private void writeUuids(Column.Uuids c) throws IOException {
    writeFixed(
        new ArrowType.FixedSizeBinary(16),
        c.size(),
        c.nulls(),
        (data, from, count) -> {
          ByteBuffer bytes = bytes(data, 16L * count).order(ByteOrder.BIG_ENDIAN);
          for (int i = from; i < from + count; i++) {
            bytes.putLong(c.most()[i]).putLong(c.least()[i]);
          }
        });
  }

  private void writeLists(Column.KeywordLists c) throws IOException {
    Field item = new Field("item", FieldType.notNullable(codeType(c.dictionary())), null);
    Field lists = new Field("value", FieldType.nullable(ArrowType.List.INSTANCE), List.of(item));
    this.<ListVector>writeStream(
        lists,
        c.size(),
        (vector, from, count) -> {
          int first = c.offsets()[from];
          int items = c.offsets()[from + count] - first;
          vector.setInitialCapacity(count);
          vector.allocateNew();
          BaseFixedWidthVector codes = (BaseFixedWidthVector) vector.getDataVector();
          codes.allocateNew(items);
          putCodes(c.dictionary(), c.codes(), first, items, codes.getDataBuffer());
          putValidity(codes, null, 0, items);
          codes.setValueCount(items);
          for (int i = 0; i <= count; i++) {
            vector.getOffsetBuffer().setInt(4L * i, c.offsets()[from + i] - first);
          }
          putValidity(vector, c.nulls(), from, count);
          vector.setLastSet(count - 1);
          vector.setValueCount(count);
        });
  }

  private void writeDictionary(String[] dictionary) throws IOException {
    Field field = new Field("dictionary", FieldType.notNullable(ArrowType.Utf8.INSTANCE), null);
    CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
    this.<VarCharVector>writeStream(
        field,
        dictionary.length,
        (vector, from, count) -> {
          vector.allocateNew(count);
          for (int i = 0; i < count; i++) {
            ByteBuffer utf8 = utf8(encoder, dictionary[from + i]);
            vector.setSafe(i, utf8, utf8.position(), utf8.remaining());
          }
          vector.setValueCount(count);
        });
  }

  private static ByteBuffer utf8(CharsetEncoder encoder, String value) {
    try {
      return encoder.encode(CharBuffer.wrap(value));
    } catch (CharacterCodingException e) {
      throw new LoamException(
          ErrorCode.INVALID_TEXT,
          "text has half of a surrogate pair: value=" + value + "; remove it",
          e);
    }
  }

  /** The narrowest type for codes 0 to the dictionary's length. */
  private static ArrowType codeType(String[] dictionary) {
    int bits =
        dictionary.length <= Byte.MAX_VALUE ? 8 : dictionary.length <= Short.MAX_VALUE ? 16 : 32;
    return new ArrowType.Int(bits, true);
  }

  private static void putCodes(
      String[] dictionary, int[] codes, int from, int count, ArrowBuf data) {
    if (dictionary.length <= Byte.MAX_VALUE) {
      ByteBuffer bytes = bytes(data, count);
      for (int i = from; i < from + count; i++) {
        bytes.put((byte) codes[i]);
      }
    } else if (dictionary.length <= Short.MAX_VALUE) {
      ByteBuffer bytes = bytes(data, 2L * count);
      for (int i = from; i < from + count; i++) {
        bytes.putShort((short) codes[i]);
      }
    } else {
      bytes(data, 4L * count).asIntBuffer().put(codes, from, count);
    }
  }

  /** Puts values into the data buffer of a vector. */
  private interface Data {
    void put(ArrowBuf data, int from, int count);
  }

  private void writeFixed(ArrowType type, int rows, long @Nullable [] nulls, Data data)
      throws IOException {
    this.<BaseFixedWidthVector>writeStream(
        new Field("value", FieldType.nullable(type), null),
        rows,
        (vector, from, count) -> {
          vector.allocateNew(count);
          data.put(vector.getDataBuffer(), from, count);
          putValidity(vector, nulls, from, count);
          vector.setValueCount(count);
        });
  }

  private static void putValidity(
      FieldVector vector, long @Nullable [] nulls, int from, int count) {
    ArrowBuf validity = vector.getValidityBuffer();
    for (int i = 0; i < count; i += 8) {
      int doc = from + i;
      validity.setByte(i >>> 3, nulls == null ? -1 : ~(int) (nulls[doc >>> 6] >>> doc));
    }
  }

  private static ByteBuffer bytes(ArrowBuf buffer, long length) {
    return buffer.nioBuffer(0, Math.toIntExact(length)).order(ByteOrder.LITTLE_ENDIAN);
  }

  @SuppressWarnings("unchecked") // callers name the vector class that Arrow makes for the field
  private <V extends ValueVector> void writeStream(Field field, int rows, Batch<V> batch)
      throws IOException {
    try (VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(List.of(field)), allocator);
        ArrowStreamWriter writer =
            new ArrowStreamWriter(
                root,
                null,
                Channels.newChannel(new Unclosed(out)),
                IpcOption.DEFAULT,
                new ZstdCodec.Factory(),
                CodecType.ZSTD)) {
      writer.start();
      for (int from = 0; from < rows; from += BATCH_ROWS) {
        int count = Math.min(BATCH_ROWS, rows - from);
        root.getVector(0).clear();
        batch.fill((V) root.getVector(0), from, count);
        root.setRowCount(count);
        writer.writeBatch();
      }
      writer.end();
    }
  }

  /** Arrow's writer closes its channel, but the file goes on. */
  private static final class Unclosed extends OutputStream {
    private final OutputStream out;

    Unclosed(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      out.write(b);
    }

    @Override
    public void write(byte[] b, int offset, int length) throws IOException {
      out.write(b, offset, length);
    }
  }
}
