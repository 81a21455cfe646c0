package io.loam.column;

import io.loam.column.Numbers.Range;
import io.loam.column.Predicate.Op;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Turns predicates on the values of one column into kernels. What the kernels say of missing values
 * means nothing. Null stands for a predicate that no value passes.
 */
abstract sealed class ColumnTests {
  private final BlockKind kind;

  private ColumnTests(Column column) {
    this.kind = BlockKind.of(column);
  }

  static ColumnTests of(Column column) {
    if (column instanceof Column.Longs c) {
      return new OfLongs(c);
    }
    if (column instanceof Column.Doubles c) {
      return new OfDoubles(c);
    }
    if (column instanceof Column.Decimals c) {
      return new OfDecimals(c);
    }
    if (column instanceof Column.Uuids c) {
      return new OfUuids(c);
    }
    if (column instanceof Column.Keywords c) {
      return new OfKeywords(c);
    }
    return new OfLists((Column.KeywordLists) column);
  }

  /** Tests that all of some comparisons hold, of which there is at least one; not for NE. */
  Kernels.@Nullable Block compare(List<Predicate.Compare> all) {
    throw unsupported("comparison");
  }

  private static <T extends Comparable<T>> Range<T> intersection(
      List<Predicate.Compare> all, Function<Predicate.Compare, Range<T>> range) {
    return all.stream().map(range).reduce(Range::and).orElseThrow();
  }

  Kernels.@Nullable Block in(InValues values) {
    throw unsupported("IN");
  }

  Kernels.@Nullable Block like(LikePattern pattern) {
    throw unsupported("LIKE");
  }

  Kernels.@Nullable Block contains(String item) {
    throw unsupported("a test of array items");
  }

  private LoamException unsupported(String what) {
    return new LoamException(
        ErrorCode.TYPE_MISMATCH,
        "a field's type does not allow this: predicate="
            + what
            + ", type="
            + kind
            + "; use another predicate");
  }

  private static final class OfLongs extends ColumnTests {
    private final Column.Longs column;

    OfLongs(Column.Longs column) {
      super(column);
      this.column = column;
    }

    @Override
    Kernels.@Nullable Block compare(List<Predicate.Compare> all) {
      return longsInRange(
          column.values(),
          intersection(
              all,
              c -> Numbers.longs(Numbers.wholes(c.op(), Numbers.exact(column.kind(), c.value())))));
    }

    @Override
    Kernels.@Nullable Block in(InValues values) {
      PairSet wanted = values.set(column.kind(), this::wanted);
      return (from, to, out) -> Kernels.longsInSet(column.values(), wanted, from, to, out);
    }

    private PairSet wanted(Collection<?> values) {
      PairSet wanted = new PairSet(values.size());
      for (Object value : values) {
        Numbers.exactLong(column.kind(), value).ifPresent(v -> wanted.add(v, 0));
      }
      return wanted;
    }
  }

  private static Kernels.@Nullable Block longsInRange(long[] values, Range<Long> range) {
    long low = range.low();
    long high = range.high();
    return range.isEmpty()
        ? null
        : (from, to, out) -> Kernels.longsInRange(values, low, high, from, to, out);
  }

  private static final class OfDoubles extends ColumnTests {
    private final double[] values;

    OfDoubles(Column.Doubles column) {
      super(column);
      this.values = column.values();
    }

    @Override
    Kernels.@Nullable Block compare(List<Predicate.Compare> all) {
      Range<Long> range =
          intersection(all, c -> Numbers.doubles(c.op(), Numbers.cast(Number.class, c.value())));
      long low = range.low();
      long high = range.high();
      return range.isEmpty()
          ? null
          : (from, to, out) -> Kernels.doublesInRange(values, low, high, from, to, out);
    }

    @Override
    Kernels.Block in(InValues wantedValues) {
      PairSet wanted = wantedValues.set(Double.class, OfDoubles::wanted);
      return (from, to, out) -> Kernels.doublesInSet(values, wanted, from, to, out);
    }

    private static PairSet wanted(Collection<?> values) {
      PairSet wanted = new PairSet(values.size());
      for (Object value : values) {
        if (!Numbers.doubles(Op.EQ, Numbers.cast(Number.class, value)).isEmpty()) {
          double equal = ((Number) value).doubleValue();
          wanted.add(Double.doubleToLongBits(equal + 0.0), 0);
        }
      }
      return wanted;
    }
  }

  private static final class OfDecimals extends ColumnTests {
    /** How decimals are kept. */
    private record DecimalForm(int scale, boolean wide) {}

    private static final BigInteger MIN = BigInteger.ONE.shiftLeft(127).negate();
    private static final BigInteger MAX = BigInteger.ONE.shiftLeft(127).subtract(BigInteger.ONE);

    private final Column.Decimals column;

    OfDecimals(Column.Decimals column) {
      super(column);
      this.column = column;
    }

    @Override
    Kernels.@Nullable Block compare(List<Predicate.Compare> all) {
      Range<BigInteger> range = intersection(all, c -> Numbers.wholes(c.op(), unscaled(c.value())));
      long[] high = column.high();
      if (high == null) {
        return longsInRange(column.low(), Numbers.longs(range));
      }
      if (range.isEmpty()) {
        return null;
      }
      long[] least = pair(range.low().max(MIN).min(MAX));
      long[] most = pair(range.high().max(MIN).min(MAX));
      return (from, to, out) ->
          Kernels.pairsInRange(high, column.low(), least, most, from, to, out);
    }

    @Override
    Kernels.Block in(InValues values) {
      long[] high = column.high();
      PairSet wanted =
          values.set(new DecimalForm(column.scale(), high != null), v -> wanted(v, high != null));
      return high == null
          ? (from, to, out) -> Kernels.longsInSet(column.low(), wanted, from, to, out)
          : (from, to, out) -> Kernels.pairsInSet(column.low(), high, wanted, from, to, out);
    }

    private PairSet wanted(Collection<?> values, boolean wide) {
      PairSet wanted = new PairSet(values.size());
      for (Object value : values) {
        Range<BigInteger> equal = Numbers.wholes(Op.EQ, unscaled(value));
        if (equal.low().equals(equal.high()) && equal.low().bitLength() <= (wide ? 127 : 63)) {
          long[] pair = pair(equal.low());
          wanted.add(pair[1], wide ? pair[0] : 0);
        }
      }
      return wanted;
    }

    private BigDecimal unscaled(Object value) {
      return Numbers.exact(value).movePointRight(column.scale());
    }

    private static long[] pair(BigInteger value) {
      return new long[] {value.shiftRight(64).longValue(), value.longValue()};
    }
  }

  private static final class OfUuids extends ColumnTests {
    private final Column.Uuids column;

    OfUuids(Column.Uuids column) {
      super(column);
      this.column = column;
    }

    @Override
    Kernels.Block compare(List<Predicate.Compare> all) {
      List<UUID> values = all.stream().map(c -> Numbers.cast(UUID.class, c.value())).toList();
      return (from, to, out) -> {
        for (int i = from; i < to; i++) {
          boolean passes = true;
          for (int c = 0; c < values.size(); c++) {
            passes &= holds(all.get(c).op(), order(i, values.get(c)));
          }
          out[i >>> 6] |= (passes ? 1L : 0L) << i;
        }
      };
    }

    private int order(int doc, UUID value) {
      int byMost = Long.compare(column.most()[doc], value.getMostSignificantBits());
      return byMost != 0
          ? byMost
          : Long.compare(column.least()[doc], value.getLeastSignificantBits());
    }

    private static boolean holds(Op op, int order) {
      return switch (op) {
        case EQ -> order == 0;
        case NE -> order != 0;
        case LT -> order < 0;
        case LE -> order <= 0;
        case GT -> order > 0;
        case GE -> order >= 0;
      };
    }

    @Override
    Kernels.Block in(InValues values) {
      PairSet wanted = values.set(UUID.class, OfUuids::wanted);
      return (from, to, out) ->
          Kernels.pairsInSet(column.most(), column.least(), wanted, from, to, out);
    }

    private static PairSet wanted(Collection<?> values) {
      PairSet wanted = new PairSet(values.size());
      for (Object value : values) {
        UUID uuid = Numbers.cast(UUID.class, value);
        wanted.add(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
      }
      return wanted;
    }
  }

  private static final class OfKeywords extends ColumnTests {
    private final int[] codes;
    private final String[] dictionary;

    OfKeywords(Column.Keywords column) {
      super(column);
      this.codes = column.codes();
      this.dictionary = column.dictionary();
    }

    @Override
    Kernels.@Nullable Block compare(List<Predicate.Compare> all) {
      Range<Integer> codes =
          intersection(all, c -> range(c.op(), Numbers.cast(String.class, c.value())));
      return inRange(codes.low(), codes.high());
    }

    private Range<Integer> range(Op op, String value) {
      int found = Arrays.binarySearch(dictionary, value);
      boolean there = found >= 0;
      int place = there ? found : -found - 1;
      int last = dictionary.length;
      return switch (op) {
        case EQ -> new Range<>(place + 1, there ? place + 1 : place);
        case LT -> new Range<>(1, place);
        case LE -> new Range<>(1, there ? place + 1 : place);
        case GE -> new Range<>(place + 1, last);
        case GT -> new Range<>(there ? place + 2 : place + 1, last);
        case NE -> throw new IllegalArgumentException("NE is the complement of EQ");
      };
    }

    @Override
    Kernels.Block in(InValues values) {
      long[] wanted = new long[(dictionary.length >>> 6) + 1];
      Set<String> texts = values.texts();
      if (texts.size() > dictionary.length) {
        for (int code = 1; code <= dictionary.length; code++) {
          if (texts.contains(dictionary[code - 1])) {
            wanted[code >>> 6] |= 1L << code;
          }
        }
        return inSet(wanted);
      }
      for (String text : texts) {
        int code = Arrays.binarySearch(dictionary, text) + 1;
        if (code > 0) {
          wanted[code >>> 6] |= 1L << code;
        }
      }
      return inSet(wanted);
    }

    @Override
    Kernels.@Nullable Block like(LikePattern pattern) {
      if (pattern.isLiteral()) {
        Range<Integer> equal = range(Op.EQ, pattern.prefix());
        return inRange(equal.low(), equal.high());
      }
      int from = firstAtOrAfter(pattern.prefix());
      int to = firstPast(pattern.prefix(), from);
      if (pattern.isPrefixOnly()) {
        return inRange(from + 1, to);
      }
      long[] wanted = new long[(dictionary.length >>> 6) + 1];
      for (int i = from; i < to; i++) {
        if (pattern.matches(dictionary[i])) {
          wanted[(i + 1) >>> 6] |= 1L << (i + 1);
        }
      }
      return inSet(wanted);
    }

    private int firstAtOrAfter(String text) {
      int found = Arrays.binarySearch(dictionary, text);
      return found >= 0 ? found : -found - 1;
    }

    /** The first place at or after {@code from} whose string does not start with the prefix. */
    private int firstPast(String prefix, int from) {
      int low = from;
      int high = dictionary.length;
      while (low < high) {
        int mid = (low + high) >>> 1;
        if (dictionary[mid].startsWith(prefix)) {
          low = mid + 1;
        } else {
          high = mid;
        }
      }
      return low;
    }

    private Kernels.@Nullable Block inRange(int low, int high) {
      return low > high
          ? null
          : (from, to, out) -> Kernels.codesInRange(codes, low, high, from, to, out);
    }

    private Kernels.Block inSet(long[] wanted) {
      return (from, to, out) -> Kernels.codesInSet(codes, wanted, from, to, out);
    }
  }

  private static final class OfLists extends ColumnTests {
    private final Column.KeywordLists column;

    OfLists(Column.KeywordLists column) {
      super(column);
      this.column = column;
    }

    @Override
    Kernels.@Nullable Block contains(String item) {
      int code = Arrays.binarySearch(column.dictionary(), item) + 1;
      return code <= 0
          ? null
          : (from, to, out) ->
              Kernels.listsWithCode(column.offsets(), column.codes(), code, from, to, out);
    }
  }
}
