package io.loam.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.history.Operation.Kind;
import io.loam.history.Operation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The checks find what is wrong in small histories. */
class ChecksTest {
  private static Operation write(long begin, long end, long value, Outcome outcome) {
    return new Operation(Kind.WRITE, outcome, begin, begin, end, 0, 0, Map.of(), Map.of(1, value));
  }

  private static Operation read(long begin, long end, long value) {
    return new Operation(
        Kind.READ, Outcome.OK, begin, begin, end, 0, 0, Map.of(1, value), Map.of());
  }

  private static boolean isOrdered(Operation... history) {
    return RegisterCheck.unordered(List.of(history)).isEmpty();
  }

  @Test
  void registerThatGoesForthIsOrdered() {
    assertThat(isOrdered(read(0, 1, 0), write(2, 3, 7, Outcome.OK), read(4, 5, 7))).isTrue();
    // While a write goes on, either value may be seen, but not the old one after the new one.
    assertThat(isOrdered(write(0, 9, 7, Outcome.OK), read(1, 2, 0), read(3, 4, 7))).isTrue();
    assertThat(isOrdered(write(0, 9, 7, Outcome.OK), read(1, 2, 7), read(3, 4, 0))).isFalse();
  }

  @Test
  void staleAndLostValuesAreFound() {
    assertThat(isOrdered(write(0, 1, 7, Outcome.OK), read(2, 3, 0))).isFalse();
    assertThat(isOrdered(write(0, 1, 7, Outcome.OK), write(2, 3, 8, Outcome.OK), read(4, 5, 7)))
        .isFalse();
    assertThat(isOrdered(write(0, 1, 7, Outcome.FAILED), read(2, 3, 7))).isFalse();
  }

  @Test
  void unknownWriteMayBeSeenLateOrNever() {
    assertThat(isOrdered(write(0, 1, 7, Outcome.UNKNOWN), read(2, 3, 0), read(4, 5, 7))).isTrue();
    assertThat(isOrdered(write(0, 1, 7, Outcome.UNKNOWN), read(2, 3, 0))).isTrue();
    assertThat(isOrdered(write(0, 1, 7, Outcome.UNKNOWN), read(2, 3, 7), read(4, 5, 0))).isFalse();
  }

  /**
   * Operations of four clients on a true register are in order; with one stale read they are not.
   */
  @Test
  void randomHistories() {
    Random random = new Random(3);
    for (int run = 0; run < 200; run++) {
      List<Operation> history = new ArrayList<>();
      long value = 0;
      long stale = 0;
      for (long time = 100; time < 4_000; time += 10) {
        long begin = time - random.nextInt(40);
        long end = time + 1 + random.nextInt(40);
        if (random.nextInt(3) == 0) {
          stale = value;
          value = time;
          history.add(write(begin, end, value, Outcome.OK));
        } else {
          history.add(read(begin, end, value));
        }
      }
      assertThat(RegisterCheck.unordered(history)).as("run %d", run).isEmpty();
      history.add(write(5_000, 5_001, 5, Outcome.OK));
      history.add(read(5_002, 5_003, random.nextBoolean() ? stale : value));
      assertThat(RegisterCheck.unordered(history)).as("run %d", run).contains(1);
    }
  }

  private static Operation transaction(
      long snapshot, long commit, Map<Integer, Long> reads, Map<Integer, Long> writes) {
    return new Operation(
        Kind.TRANSACTION,
        Outcome.OK,
        commit * 10,
        commit * 10,
        commit * 10 + 1,
        snapshot,
        commit,
        reads,
        writes);
  }

  private static TreeMap<Long, Map<Integer, Long>> versions(List<Map<Integer, Long>> rows) {
    TreeMap<Long, Map<Integer, Long>> versions = new TreeMap<>();
    rows.forEach(r -> versions.put(versions.size() + 1L, r));
    return versions;
  }

  @Test
  void lostUpdateIsFound() {
    TreeMap<Long, Map<Integer, Long>> versions =
        versions(List.of(Map.of(), Map.of(1, 5L), Map.of(1, 6L)));
    Operation first = transaction(1, 2, Map.of(1, 0L), Map.of(1, 5L));
    assertThat(
            SnapshotCheck.problems(
                List.of(first, transaction(2, 3, Map.of(1, 5L), Map.of(1, 6L))), versions))
        .isEmpty();
    assertThat(
            SnapshotCheck.problems(
                List.of(first, transaction(1, 3, Map.of(1, 0L), Map.of(1, 6L))), versions))
        .anyMatch(p -> p.startsWith("version 2 changed key 1"));
  }

  @Test
  void tornSnapshotsAndForeignVersionsAreFound() {
    TreeMap<Long, Map<Integer, Long>> versions =
        versions(List.of(Map.of(), Map.of(1, 5L, 2, 5L), Map.of(1, 6L, 2, 6L)));
    Operation first = transaction(1, 2, Map.of(), Map.of(1, 5L, 2, 5L));
    Operation second = transaction(2, 3, Map.of(1, 5L), Map.of(1, 6L, 2, 6L));
    assertThat(SnapshotCheck.problems(List.of(first, second), versions)).isEmpty();
    Operation torn =
        new Operation(Kind.READ, Outcome.OK, 99, 99, 100, 3, 0, Map.of(1, 6L, 2, 5L), Map.of());
    assertThat(SnapshotCheck.problems(List.of(first, second, torn), versions))
        .anyMatch(p -> p.startsWith("key 2 is not that of the version"));
    Operation old =
        new Operation(Kind.READ, Outcome.OK, 99, 99, 100, 2, 0, Map.of(1, 5L), Map.of());
    assertThat(SnapshotCheck.problems(List.of(first, second, old), versions))
        .anyMatch(p -> p.contains("does not see"));
    assertThat(SnapshotCheck.problems(List.of(first), versions))
        .anyMatch(p -> p.startsWith("version 3 has"));
    assertThat(
            SnapshotCheck.problems(
                List.of(first, second, transaction(3, 4, Map.of(), Map.of(3, 1L))), versions))
        .anyMatch(p -> p.startsWith("acknowledged, but in no version"));
  }
}
