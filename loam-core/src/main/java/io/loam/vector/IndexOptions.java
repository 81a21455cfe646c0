package io.loam.vector;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * How a vector index is built and used.
 *
 * @param partitions lists of a build; nothing: about the square root of its rows
 * @param subVectors parts of a vector that {@link IndexKind#IVF_PQ} makes a byte of; nothing: one
 *     for each four components, if that works out
 * @param probes lists that a search looks at, or 0 for a sixteenth, at least 20, fewer if they are
 *     crowded
 * @param maxSegmentBytes what a segment's file should take at most
 * @param minRows rows that a search may look at from which on the index is used
 */
public record IndexOptions(
    OptionalInt partitions,
    OptionalInt subVectors,
    int probes,
    long maxSegmentBytes,
    long minRows) {
  private static final int MAX_PARTITIONS = 65_536;
  private static final long DEFAULT_SEGMENT_BYTES = 1L << 30;
  private static final long LEAST_SEGMENT_BYTES = 1L << 16;
  private static final long MOST_SEGMENT_BYTES = 3L << 29;

  /** Up to this, codes beside splits are about as fast, and find more; see the benchmarks. */
  private static final long DEFAULT_MIN_ROWS = 100_000;

  private enum Option {
    PARTITIONS(1, MAX_PARTITIONS),
    SUB_VECTORS(1, MAX_PARTITIONS),
    NPROBES(1, MAX_PARTITIONS),
    MAX_SEGMENT_BYTES(LEAST_SEGMENT_BYTES, MOST_SEGMENT_BYTES),
    MIN_ROWS(0, Long.MAX_VALUE);

    private final long least;
    private final long most;

    Option(long least, long most) {
      this.least = least;
      this.most = most;
    }

    private String text() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }

    private OptionalLong in(Map<String, String> options) {
      String value = options.get(text());
      if (value == null) {
        return OptionalLong.empty();
      }
      Optional<Long> number = number(value);
      if (number.isEmpty() || number.get() < least || number.get() > most) {
        throw new LoamException(
            ErrorCode.INVALID_ARGUMENT,
            "invalid option of an index: option=%s, value=%s; give a whole number from %d to %d"
                .formatted(text(), value, least, most));
      }
      return OptionalLong.of(number.get());
    }

    private static Optional<Long> number(String value) {
      try {
        return Optional.of(Long.parseLong(value.trim()));
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }

    private OptionalInt intIn(Map<String, String> options) {
      OptionalLong value = in(options);
      return value.isPresent() ? OptionalInt.of((int) value.getAsLong()) : OptionalInt.empty();
    }
  }

  /** Options by name; fails with {@code INVALID_ARGUMENT} at unknown ones and invalid values. */
  public static IndexOptions of(Map<String, String> options) {
    for (String name : options.keySet()) {
      if (Arrays.stream(Option.values()).noneMatch(option -> option.text().equals(name))) {
        throw new LoamException(
            ErrorCode.INVALID_ARGUMENT,
            "no such option of an index: option=%s; use %s"
                .formatted(
                    name,
                    Arrays.stream(Option.values())
                        .map(Option::text)
                        .collect(Collectors.joining(", "))));
      }
    }
    return new IndexOptions(
        Option.PARTITIONS.intIn(options),
        Option.SUB_VECTORS.intIn(options),
        Option.NPROBES.intIn(options).orElse(0),
        Option.MAX_SEGMENT_BYTES.in(options).orElse(DEFAULT_SEGMENT_BYTES),
        Option.MIN_ROWS.in(options).orElse(DEFAULT_MIN_ROWS));
  }

  /**
   * Checks whether an index of these options can be. Fails with {@code INVALID_ARGUMENT} or {@code
   * UNSUPPORTED}.
   */
  public void check(IndexKind kind, Metric metric, int dimension) {
    if (kind == IndexKind.IVF_SQ && metric == Metric.DOT) {
      throw new LoamException(
          ErrorCode.UNSUPPORTED,
          "ivf_sq does not serve the metric dot: its steps are fitted to the longest vectors,"
              + " which leaves too few for the others; use ivf_flat or ivf_pq");
    }
    if (kind != IndexKind.IVF_PQ && subVectors.isPresent()) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          "option is for ivf_pq only: option=sub_vectors, kind=" + kind.text() + "; leave it out");
    }
    if (subVectors.isPresent()
        && (subVectors.getAsInt() > dimension || dimension % subVectors.getAsInt() != 0)) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          "invalid option of an index: option=sub_vectors, value=%d; give a divisor of the dimension %d"
              .formatted(subVectors.getAsInt(), dimension));
    }
  }

  /** Parts that a vector has for {@link IndexKind#IVF_PQ}. */
  public int subVectors(int dimension) {
    for (int width = 4; width > 1 && subVectors.isEmpty(); width--) {
      if (dimension % width == 0) {
        return dimension / width;
      }
    }
    return subVectors.orElse(dimension);
  }
}
