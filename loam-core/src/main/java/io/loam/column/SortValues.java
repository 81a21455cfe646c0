package io.loam.column;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One column as something to sort by, in ascending order, missing values apart. */
abstract sealed class SortValues {

  static SortValues of(Optional<Column> column) {
    if (column.isEmpty()) {
      return new Absent();
    }
    Column c = column.get();
    if (c instanceof Column.Longs longs) {
      return new OfLongs(longs);
    }
    if (c instanceof Column.Doubles doubles) {
      return new OfDoubles(doubles);
    }
    if (c instanceof Column.Decimals decimals) {
      return new OfDecimals(decimals);
    }
    if (c instanceof Column.Uuids uuids) {
      return new OfUuids(uuids);
    }
    if (c instanceof Column.Keywords keywords) {
      return new OfKeywords(keywords);
    }
    throw new LoamException(
        ErrorCode.UNSUPPORTED,
        "rows cannot be sorted by an array: type=VARCHAR ARRAY; sort by another field");
  }

  abstract boolean isNull(int doc);

  /**
   * Puts a number for each of the documents {@code from} to before {@code to} at {@code out[0]} on.
   * Within this leaf, a smaller number means a smaller value; equal numbers leave it to {@link
   * #compare}. Numbers of missing values mean nothing.
   */
  abstract void ranks(int from, int to, long[] out);

  /** Compares two values that are there, the second one of the same field in some leaf. */
  abstract int compare(int doc, SortValues other, int otherDoc);

  private static boolean bit(long @Nullable [] nulls, int doc) {
    return nulls != null && (nulls[doc >>> 6] & (1L << doc)) != 0;
  }

  private static final class Absent extends SortValues {
    @Override
    boolean isNull(int doc) {
      return true;
    }

    @Override
    void ranks(int from, int to, long[] out) {}

    @Override
    int compare(int doc, SortValues other, int otherDoc) {
      throw new IllegalStateException("no value is there");
    }
  }

  private static final class OfLongs extends SortValues {
    private final long[] values;
    private final long @Nullable [] nulls;

    OfLongs(Column.Longs column) {
      this.values = column.values();
      this.nulls = column.nulls();
    }

    @Override
    boolean isNull(int doc) {
      return bit(nulls, doc);
    }

    @Override
    void ranks(int from, int to, long[] out) {
      System.arraycopy(values, from, out, 0, to - from);
    }

    @Override
    int compare(int doc, SortValues other, int otherDoc) {
      return Long.compare(values[doc], ((OfLongs) other).values[otherDoc]);
    }
  }

  private static final class OfDoubles extends SortValues {
    private final double[] values;
    private final long @Nullable [] nulls;

    OfDoubles(Column.Doubles column) {
      this.values = column.values();
      this.nulls = column.nulls();
    }

    @Override
    boolean isNull(int doc) {
      return bit(nulls, doc);
    }

    @Override
    void ranks(int from, int to, long[] out) {
      for (int i = from; i < to; i++) {
        out[i - from] = Numbers.sortable(Double.doubleToLongBits(values[i]));
      }
    }

    @Override
    int compare(int doc, SortValues other, int otherDoc) {
      return Double.compare(values[doc], ((OfDoubles) other).values[otherDoc]);
    }
  }

  private static final class OfDecimals extends SortValues {
    private final Column.Decimals column;

    OfDecimals(Column.Decimals column) {
      this.column = column;
    }

    @Override
    boolean isNull(int doc) {
      return bit(column.nulls(), doc);
    }

    @Override
    void ranks(int from, int to, long[] out) {
      long[] leading = column.high() == null ? column.low() : column.high();
      System.arraycopy(leading, from, out, 0, to - from);
    }

    @Override
    int compare(int doc, SortValues other, int otherDoc) {
      OfDecimals that = (OfDecimals) other;
      return Kernels.comparePairs(
          high(doc), column.low()[doc], that.high(otherDoc), that.column.low()[otherDoc]);
    }

    private long high(int doc) {
      long[] high = column.high();
      return high == null ? column.low()[doc] >> 63 : high[doc];
    }
  }

  private static final class OfUuids extends SortValues {
    private final Column.Uuids column;

    OfUuids(Column.Uuids column) {
      this.column = column;
    }

    @Override
    boolean isNull(int doc) {
      return bit(column.nulls(), doc);
    }

    @Override
    void ranks(int from, int to, long[] out) {
      System.arraycopy(column.most(), from, out, 0, to - from);
    }

    @Override
    int compare(int doc, SortValues other, int otherDoc) {
      Column.Uuids that = ((OfUuids) other).column;
      int byMost = Long.compare(column.most()[doc], that.most()[otherDoc]);
      return byMost != 0 ? byMost : Long.compare(column.least()[doc], that.least()[otherDoc]);
    }
  }

  private static final class OfKeywords extends SortValues {
    private final int[] codes;
    private final String[] dictionary;

    OfKeywords(Column.Keywords column) {
      this.codes = column.codes();
      this.dictionary = column.dictionary();
    }

    @Override
    boolean isNull(int doc) {
      return codes[doc] == 0;
    }

    @Override
    void ranks(int from, int to, long[] out) {
      for (int i = from; i < to; i++) {
        out[i - from] = codes[i];
      }
    }

    @Override
    int compare(int doc, SortValues other, int otherDoc) {
      OfKeywords that = (OfKeywords) other;
      return this == that
          ? Integer.compare(codes[doc], codes[otherDoc])
          : dictionary[codes[doc] - 1].compareTo(that.dictionary[that.codes[otherDoc] - 1]);
    }
  }
}
