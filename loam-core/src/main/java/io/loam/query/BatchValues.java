package io.loam.query;

import io.loam.query.RowBatch.Values;
import org.jspecify.annotations.Nullable;

/** Values of a batch that are at hand as arrays. */
final class BatchValues {
  private BatchValues() {}

  static Values doubles(double[] values) {
    return new Values() {
      @Override
      public boolean isNull(int row) {
        return false;
      }

      @Override
      public long getLong(int row) {
        return (long) values[row];
      }

      @Override
      public double getDouble(int row) {
        return values[row];
      }

      @Override
      public Object get(int row) {
        return values[row];
      }
    };
  }

  static Values longs(long[] values) {
    return new Values() {
      @Override
      public boolean isNull(int row) {
        return false;
      }

      @Override
      public long getLong(int row) {
        return values[row];
      }

      @Override
      public double getDouble(int row) {
        return values[row];
      }

      @Override
      public Object get(int row) {
        return values[row];
      }
    };
  }

  static Values constant(long value) {
    return new Values() {
      @Override
      public boolean isNull(int row) {
        return false;
      }

      @Override
      public long getLong(int row) {
        return value;
      }

      @Override
      public double getDouble(int row) {
        return value;
      }

      @Override
      public Object get(int row) {
        return value;
      }
    };
  }

  /** Numbers among them answer {@code getLong} and {@code getDouble}. */
  static Values objects(@Nullable Object[] values) {
    return new Values() {
      @Override
      public boolean isNull(int row) {
        return values[row] == null;
      }

      @Override
      public long getLong(int row) {
        return ((Number) values[row]).longValue();
      }

      @Override
      public double getDouble(int row) {
        return ((Number) values[row]).doubleValue();
      }

      @Override
      public @Nullable Object get(int row) {
        return values[row];
      }
    };
  }
}
