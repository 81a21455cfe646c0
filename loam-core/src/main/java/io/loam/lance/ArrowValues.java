package io.loam.lance;

import io.loam.schema.SparseVector;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.jspecify.annotations.Nullable;

/** Copies values out of Arrow vectors, many at a time. */
final class ArrowValues {
  private static final int COPY_FLOATS = 16 << 20;

  private ArrowValues() {}

  /** Copies the vectors of {@code count} rows, null or not, from row {@code first} on. */
  static void copyDense(FixedSizeListVector column, int first, int count, float[] to, int at) {
    ArrowBuf data = column.getDataVector().getDataBuffer();
    long from = (long) first * column.getListSize();
    int left = count * column.getListSize();
    while (left > 0) {
      int floats = Math.min(left, COPY_FLOATS);
      bytes(data, from, floats).asFloatBuffer().get(to, at, floats);
      from += floats;
      at += floats;
      left -= floats;
    }
  }

  static float @Nullable [] dense(FixedSizeListVector column, int row) {
    if (column.isNull(row)) {
      return null;
    }
    float[] vector = new float[column.getListSize()];
    copyDense(column, row, 1, vector, 0);
    return vector;
  }

  static @Nullable SparseVector sparse(StructVector column, int row) {
    if (column.isNull(row)) {
      return null;
    }
    ListVector indices = (ListVector) column.getChild(LanceColumns.INDICES);
    ListVector values = (ListVector) column.getChild(LanceColumns.VALUES);
    int size = indices.getElementEndIndex(row) - indices.getElementStartIndex(row);
    int[] indexItems = new int[size];
    float[] valueItems = new float[size];
    items(indices, row, size).asIntBuffer().get(indexItems);
    items(values, row, size).asFloatBuffer().get(valueItems);
    return new SparseVector(indexItems, valueItems);
  }

  private static ByteBuffer items(ListVector list, int row, int size) {
    BaseFixedWidthVector items = (BaseFixedWidthVector) list.getDataVector();
    return bytes(items.getDataBuffer(), list.getElementStartIndex(row), size);
  }

  /** Four-byte items of a buffer. */
  private static ByteBuffer bytes(ArrowBuf buffer, long first, int count) {
    return buffer.nioBuffer(first * 4, count * 4).order(ByteOrder.nativeOrder());
  }
}
