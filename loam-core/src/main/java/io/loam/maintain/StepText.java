package io.loam.maintain;

import io.loam.manifest.FragmentRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.SegmentRef;
import io.loam.manifest.SplitRef;
import io.loam.manifest.TailRef;
import io.loam.manifest.VectorIndexRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tells what a version did, from its manifest and the one before. */
final class StepText {
  private StepText() {}

  /** The step that made {@code child} of {@code parent}, or nothing if that was no maintenance. */
  static Optional<Step> of(Manifest parent, Manifest child) {
    if (child.kind() == Manifest.CommitKind.INDEX_BUILD) {
      return Optional.of(new Step(Part.INDEXES, indexes(parent, child), child.version()));
    }
    if (child.kind() != Manifest.CommitKind.MAINTENANCE) {
      return Optional.empty();
    }
    Change<TailRef> tail = Change.of(parent.tail(), child.tail(), t -> t.rowIds().start());
    Change<SplitRef> splits = Change.of(parent.splits(), child.splits(), SplitRef::ulid);
    Change<FragmentRef> fragments =
        Change.of(parent.fragments(), child.fragments(), FragmentRef::id);
    Part part = !tail.isEmpty() ? Part.TAIL : !splits.isEmpty() ? Part.SPLITS : Part.FRAGMENTS;
    String detail =
        switch (part) {
          case TAIL -> fold(tail, splits);
          case SPLITS -> splits.text("splits", SplitRef::documentCount);
          case FRAGMENTS, INDEXES, FILES -> fragments.text("fragments", FragmentRef::physicalRows);
        };
    return Optional.of(new Step(part, detail, child.version()));
  }

  private static String indexes(Manifest parent, Manifest child) {
    Set<String> names = new TreeSet<>();
    Stream.of(parent, child).forEach(m -> m.indexes().forEach(index -> names.add(index.name())));
    List<String> texts = new ArrayList<>();
    for (String name : names) {
      Change<SegmentRef> segments =
          Change.of(segments(parent, name), segments(child, name), SegmentRef::ulid);
      if (child.index(name).isEmpty()) {
        texts.add("dropped index " + name);
      } else if (parent.index(name).isEmpty() || !segments.isEmpty()) {
        texts.add(segments.text("segments of " + name, SegmentRef::vectors));
      }
    }
    return String.join("; ", texts);
  }

  private static List<SegmentRef> segments(Manifest manifest, String index) {
    return manifest.index(index).map(VectorIndexRef::segments).orElse(List.of());
  }

  private static String fold(Change<TailRef> tail, Change<SplitRef> splits) {
    if (splits.made().isEmpty()) {
      return "small commits: %d without rows removed".formatted(tail.gone().size());
    }
    return "small commits: %d became %d splits; rows: %d became %d"
        .formatted(
            tail.gone().size(),
            splits.made().size(),
            tail.gone().stream().mapToInt(t -> t.rowIds().count()).sum(),
            splits.made().stream().mapToInt(SplitRef::documentCount).sum());
  }

  private record Change<T>(List<T> gone, List<T> made) {
    static <T> Change<T> of(List<T> before, List<T> after, Function<T, Object> name) {
      return new Change<>(without(before, after, name), without(after, before, name));
    }

    private static <T> List<T> without(List<T> all, List<T> others, Function<T, Object> name) {
      Set<Object> names = others.stream().map(name).collect(Collectors.toSet());
      return all.stream().filter(one -> !names.contains(name.apply(one))).toList();
    }

    boolean isEmpty() {
      return gone.isEmpty() && made.isEmpty();
    }

    /** With deleted rows of inputs, since they went with them. */
    String text(String things, ToLongFunction<T> rows) {
      if (made.isEmpty()) {
        return "%s: %d without rows removed".formatted(things, gone.size());
      }
      if (gone.isEmpty()) {
        return "%s: %d made; rows: %d"
            .formatted(things, made.size(), made.stream().mapToLong(rows).sum());
      }
      long before = gone.stream().mapToLong(rows).sum();
      long after = made.stream().mapToLong(rows).sum();
      return "%s: %d became %d; rows: %d became %d"
          .formatted(things, gone.size(), made.size(), before, after);
    }
  }
}
