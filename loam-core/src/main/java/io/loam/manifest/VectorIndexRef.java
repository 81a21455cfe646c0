package io.loam.manifest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An index of a vector field, as one version has it.
 *
 * @param name unique in the collection, in any letter case
 * @param kind such as {@code ivf_sq}
 * @param metric such as {@code cosine}
 * @param options as they were declared, by name
 * @param segments in order of first row id; no two of them cover the same row
 */
public record VectorIndexRef(
    String name,
    int fieldNumber,
    String kind,
    String metric,
    int dimension,
    Map<String, String> options,
    List<SegmentRef> segments) {
  public VectorIndexRef {
    options = Map.copyOf(options);
    segments =
        segments.stream().sorted(Comparator.comparingLong(s -> s.rowIds().get(0).start())).toList();
  }

  /** Options in order of name. */
  public SortedMap<String, String> sortedOptions() {
    return new TreeMap<>(options);
  }

  public VectorIndexRef withSegments(List<SegmentRef> others) {
    return new VectorIndexRef(name, fieldNumber, kind, metric, dimension, options, others);
  }

  /** Whether the other is the same index, with any segments. */
  public boolean isSameAs(VectorIndexRef other) {
    return withSegments(List.of()).equals(other.withSegments(List.of()));
  }

  /** Ranges of all covered rows, ascending. */
  public List<RowIdRange> covered() {
    List<RowIdRange> covered = new ArrayList<>();
    segments.forEach(segment -> covered.addAll(segment.rowIds()));
    covered.sort(Comparator.comparingLong(RowIdRange::start));
    return covered;
  }
}
