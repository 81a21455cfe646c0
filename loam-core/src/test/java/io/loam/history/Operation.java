package io.loam.history;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a client did and saw. Keys are small numbers; each value is written once, and 0 stands for
 * no row.
 *
 * @param beginNanos before anything was read, by the machine's monotonic clock
 * @param commitNanos before the commit was asked for; for reads, as {@code beginNanos}
 * @param endNanos after the answer
 * @param snapshotVersion that was read, or 0 where nothing was
 * @param commitVersion that was made, or 0
 */
record Operation(
    Kind kind,
    Outcome outcome,
    long beginNanos,
    long commitNanos,
    long endNanos,
    long snapshotVersion,
    long commitVersion,
    Map<Integer, Long> reads,
    Map<Integer, Long> writes) {

  /** What it was. */
  enum Kind {
    READ,
    WRITE,
    TRANSACTION
  }

  /** What the client was told. */
  enum Outcome {
    OK,
    FAILED,
    UNKNOWN
  }

  /** One line. */
  String format() {
    return String.join(
        "\t",
        kind.name(),
        outcome.name(),
        String.valueOf(beginNanos),
        String.valueOf(commitNanos),
        String.valueOf(endNanos),
        String.valueOf(snapshotVersion),
        String.valueOf(commitVersion),
        format(reads),
        format(writes));
  }

  static Operation parse(String line) {
    String[] parts = line.split("\t", -1);
    return new Operation(
        Kind.valueOf(parts[0]),
        Outcome.valueOf(parts[1]),
        Long.parseLong(parts[2]),
        Long.parseLong(parts[3]),
        Long.parseLong(parts[4]),
        Long.parseLong(parts[5]),
        Long.parseLong(parts[6]),
        map(parts[7]),
        map(parts[8]));
  }

  private static String format(Map<Integer, Long> map) {
    return map.entrySet().stream()
        .map(e -> e.getKey() + "=" + e.getValue())
        .collect(Collectors.joining(","));
  }

  private static Map<Integer, Long> map(String text) {
    Map<Integer, Long> map = new TreeMap<>();
    Arrays.stream(text.split(","))
        .filter(entry -> !entry.isEmpty())
        .map(entry -> entry.split("="))
        .forEach(entry -> map.put(Integer.valueOf(entry[0]), Long.valueOf(entry[1])));
    return map;
  }
}
