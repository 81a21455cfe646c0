package io.loam.index;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Manifest;
import io.loam.manifest.SegmentRef;
import io.loam.manifest.VectorIndexRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A change of a version's indexes, which may be made on top of any version that allows it. */
public sealed interface SegmentChange {

  /** The indexes after the change; nothing where it cannot be made any more. */
  Optional<List<VectorIndexRef>> apply(Manifest base);

  /** A new index; fails with {@code DUPLICATE_INDEX} where there is one of its name. */
  record Create(VectorIndexRef index) implements SegmentChange {
    @Override
    public Optional<List<VectorIndexRef>> apply(Manifest base) {
      checkFree(base, index.name());
      List<VectorIndexRef> indexes = new ArrayList<>(base.indexes());
      indexes.add(index);
      return Optional.of(indexes);
    }

    static void checkFree(Manifest base, String name) {
      if (base.index(name).isPresent()) {
        throw new LoamException(
            ErrorCode.DUPLICATE_INDEX,
            "index exists: name=" + name + "; choose another name, drop it, or use IF NOT EXISTS");
      }
    }
  }

  /** An index less. */
  record Drop(String name) implements SegmentChange {
    @Override
    public Optional<List<VectorIndexRef>> apply(Manifest base) {
      List<VectorIndexRef> indexes = new ArrayList<>(base.indexes());
      return indexes.removeIf(index -> index.name().equalsIgnoreCase(name))
          ? Optional.of(indexes)
          : Optional.empty();
    }
  }

  /**
   * Segments of an index that come and go together. Nothing is done where one that goes is not
   * there any more, or the index is another one now. Of segments that come, those whose rows others
   * cover by now are left out; where segments go, all or none come.
   *
   * @param index without segments
   * @param removed names of segments
   */
  record Replace(VectorIndexRef index, List<SegmentRef> added, Set<String> removed)
      implements SegmentChange {
    public Replace {
      added = List.copyOf(added);
      removed = Set.copyOf(removed);
    }

    @Override
    public Optional<List<VectorIndexRef>> apply(Manifest base) {
      Optional<VectorIndexRef> found = base.index(index.name()).filter(index::isSameAs);
      if (found.isEmpty()) {
        return Optional.empty();
      }
      List<SegmentRef> segments = new ArrayList<>(found.get().segments());
      segments.removeIf(segment -> removed.contains(segment.ulid()));
      if (segments.size() + removed.size() != found.get().segments().size()) {
        return Optional.empty();
      }
      List<SegmentRef> fitting =
          added.stream().filter(a -> segments.stream().noneMatch(a::overlaps)).toList();
      if (removed.isEmpty() ? fitting.isEmpty() : fitting.size() < added.size()) {
        return Optional.empty();
      }
      segments.addAll(fitting);
      List<VectorIndexRef> indexes = new ArrayList<>(base.indexes());
      indexes.replaceAll(i -> i.equals(found.get()) ? i.withSegments(segments) : i);
      return Optional.of(indexes);
    }
  }
}
