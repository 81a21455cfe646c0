package io.loam.history;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whether what was done to one key could have been done one after the other, each between its call
 * and its answer: a search through such orders, after Wing and Gong, that visits no state twice.
 */
final class RegisterCheck {

  /**
   * One access.
   *
   * @param endNanos {@link Long#MAX_VALUE} where the answer never came
   * @param certain whether it has taken place for sure
   */
  private record Access(
      boolean write, long value, long beginNanos, long endNanos, boolean certain) {}

  private record State(BitSet done, long value) {}

  private final List<Access> accesses;
  private final Set<State> visited = new HashSet<>();

  private RegisterCheck(List<Access> accesses) {
    this.accesses = accesses;
  }

  /** A key whose accesses have no such order, if there is one. */
  static Optional<Integer> unordered(List<Operation> history) {
    Set<Integer> keys = new TreeSet<>();
    history.forEach(op -> keys.addAll(op.reads().keySet()));
    history.forEach(op -> keys.addAll(op.writes().keySet()));
    return keys.stream()
        .filter(key -> !new RegisterCheck(accesses(history, key)).search())
        .findFirst();
  }

  private static List<Access> accesses(List<Operation> history, int key) {
    List<Access> accesses = new ArrayList<>();
    for (Operation op : history) {
      Long written = op.writes().get(key);
      if (op.kind() == Operation.Kind.READ && op.outcome() == Operation.Outcome.OK) {
        Long value = op.reads().get(key);
        accesses.add(new Access(false, value, op.beginNanos(), op.endNanos(), true));
      } else if (written != null && op.outcome() != Operation.Outcome.FAILED) {
        boolean certain = op.outcome() == Operation.Outcome.OK;
        accesses.add(
            new Access(
                true,
                written,
                op.commitNanos(),
                certain ? op.endNanos() : Long.MAX_VALUE,
                certain));
      }
    }
    accesses.sort(Comparator.comparingLong(Access::beginNanos));
    return accesses;
  }

  /** Depth first, with a stack of its own, since histories are long. */
  private boolean search() {
    List<State> stack = new ArrayList<>(List.of(new State(new BitSet(), 0)));
    while (!stack.isEmpty()) {
      State state = stack.remove(stack.size() - 1);
      if (isComplete(state)) {
        return true;
      }
      // Nothing can come before what was answered before it was called.
      long firstEnd = Long.MAX_VALUE;
      List<State> next = new ArrayList<>();
      for (int i = state.done.nextClearBit(0);
          i < accesses.size();
          i = state.done.nextClearBit(i + 1)) {
        Access access = accesses.get(i);
        if (access.beginNanos > firstEnd) {
          break;
        }
        firstEnd = Math.min(firstEnd, access.endNanos);
        if (access.write || access.value == state.value) {
          BitSet done = (BitSet) state.done.clone();
          done.set(i);
          next.add(new State(done, access.write ? access.value : state.value));
        }
      }
      next.stream().filter(visited::add).forEach(stack::add);
    }
    return false;
  }

  private boolean isComplete(State state) {
    for (int i = state.done.nextClearBit(0);
        i < accesses.size();
        i = state.done.nextClearBit(i + 1)) {
      if (accesses.get(i).certain) {
        return false;
      }
    }
    return true;
  }
}
