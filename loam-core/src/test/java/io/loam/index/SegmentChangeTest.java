package io.loam.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.FileRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.SegmentRef;
import io.loam.manifest.VectorIndexRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which segments an index has after a change, on whatever version it is made. */
class SegmentChangeTest {
  private static final FileRef FILE = new FileRef("f", 1, 1);
  private static final SegmentRef A = segment("a", 1, 100);
  private static final SegmentRef B = segment("b", 101, 100);
  private static final SegmentRef C = segment("c", 201, 100);

  private static SegmentRef segment(String ulid, long start, int rows) {
    return new SegmentRef(ulid, FILE, FILE, List.of(new RowIdRange(start, rows)), rows);
  }

  private static VectorIndexRef index(String name, String kind, SegmentRef... segments) {
    return new VectorIndexRef(name, 3, kind, "l2", 8, Map.of(), List.of(segments));
  }

  private static Manifest base(VectorIndexRef... indexes) {
    return new Manifest(
        1,
        0,
        "",
        1,
        "schema",
        5,
        Manifest.CommitKind.WRITE,
        1,
        FILE,
        List.of(),
        List.of(),
        List.of(),
        List.of(indexes),
        1_000,
        2,
        0,
        Optional.empty());
  }

  private static Optional<List<SegmentRef>> replace(
      Manifest base, List<SegmentRef> added, Set<String> removed) {
    return new SegmentChange.Replace(index("i", "ivf_sq"), added, removed)
        .apply(base)
        .map(indexes -> indexes.get(0).segments());
  }

  @Test
  void segmentsAreAddedBesideThoseThatCameMeanwhile() {
    assertThat(replace(base(index("i", "ivf_sq", A)), List.of(B, C), Set.of()))
        .contains(List.of(A, B, C));
  }

  @Test
  void ofSegmentsThatAreAddedThoseWhoseRowsAreFreeStay() {
    SegmentRef half = segment("h", 250, 100);
    assertThat(replace(base(index("i", "ivf_sq", A, half)), List.of(B, C), Set.of()))
        .contains(List.of(A, B, half));
    assertThat(replace(base(index("i", "ivf_sq", A, half)), List.of(C), Set.of())).isEmpty();
  }

  @Test
  void replacedSegmentsGo() {
    SegmentRef union = segment("u", 1, 200);
    assertThat(replace(base(index("i", "ivf_sq", A, B, C)), List.of(union), Set.of("a", "b")))
        .contains(List.of(union, C));
    assertThat(replace(base(index("i", "ivf_sq", A, B, C)), List.of(), Set.of("c")))
        .contains(List.of(A, B));
  }

  /** What replaces is not known to cover the rows of what others put there. */
  @Test
  void nothingIsReplacedWhereOneIsGoneOrRowsAreTaken() {
    SegmentRef union = segment("u", 1, 300);
    assertThat(replace(base(index("i", "ivf_sq", A, C)), List.of(union), Set.of("a", "b")))
        .isEmpty();
    assertThat(replace(base(index("i", "ivf_sq", A, B, C)), List.of(union), Set.of("a", "b")))
        .isEmpty();
  }

  @Test
  void segmentsGoToTheVeryIndexTheyWereBuiltFor() {
    assertThat(replace(base(), List.of(A), Set.of())).isEmpty();
    assertThat(replace(base(index("j", "ivf_sq")), List.of(A), Set.of())).isEmpty();
    assertThat(replace(base(index("i", "ivf_pq")), List.of(A), Set.of())).isEmpty();
    VectorIndexRef other =
        new VectorIndexRef("i", 3, "ivf_sq", "l2", 8, Map.of("partitions", "9"), List.of());
    assertThat(replace(base(other), List.of(A), Set.of())).isEmpty();
    VectorIndexRef field = new VectorIndexRef("i", 4, "ivf_sq", "l2", 8, Map.of(), List.of());
    assertThat(replace(base(field), List.of(A), Set.of())).isEmpty();
    VectorIndexRef metric = new VectorIndexRef("i", 3, "ivf_sq", "dot", 8, Map.of(), List.of());
    assertThat(replace(base(metric), List.of(A), Set.of())).isEmpty();
    assertThat(replace(base(index("i", "ivf_sq")), List.of(A), Set.of())).contains(List.of(A));
  }

  @Test
  void otherIndexesStayAsTheyAre() {
    Manifest base = base(index("j", "ivf_pq", A), index("i", "ivf_sq", A));
    assertThat(new SegmentChange.Replace(index("i", "ivf_sq"), List.of(B), Set.of("a")).apply(base))
        .contains(List.of(index("j", "ivf_pq", A), index("i", "ivf_sq", B)));
    assertThat(new SegmentChange.Drop("J").apply(base)).contains(List.of(index("i", "ivf_sq", A)));
    assertThat(new SegmentChange.Drop("k").apply(base)).isEmpty();
  }

  @Test
  void namesAreTakenInAnyLetterCase() {
    SegmentChange create = new SegmentChange.Create(index("I", "ivf_pq", A));
    assertThat(create.apply(base())).contains(List.of(index("I", "ivf_pq", A)));
    assertThatThrownBy(() -> create.apply(base(index("i", "ivf_sq"))))
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DUPLICATE_INDEX));
  }
}
