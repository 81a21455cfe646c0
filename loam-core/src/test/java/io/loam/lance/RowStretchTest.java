package io.loam.lance;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.manifest.FileRef;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.RowIdRange;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RowStretchTest {
  /** Rows 100 to 109, then 20 to 29, then 500. */
  private static final List<RowIdRange> ROW_IDS =
      List.of(new RowIdRange(100, 10), new RowIdRange(20, 10), new RowIdRange(500, 1));

  private static RowStretch of(RowIdRange... wanted) {
    return RowStretch.of(
        new FragmentRef(1, 21, ROW_IDS, List.of(), Optional.empty()), List.of(wanted));
  }

  @Test
  void stretchHoldsAllThatIsWantedAndHardlyMore() {
    assertThat(of(new RowIdRange(0, 1_000))).isEqualTo(new RowStretch(0, 21));
    assertThat(of(new RowIdRange(103, 2))).isEqualTo(new RowStretch(3, 2));
    assertThat(of(new RowIdRange(0, 22))).isEqualTo(new RowStretch(10, 2));
    assertThat(of(new RowIdRange(28, 80))).isEqualTo(new RowStretch(0, 20));
    assertThat(of(new RowIdRange(25, 1), new RowIdRange(400, 200)))
        .isEqualTo(new RowStretch(15, 6));
    assertThat(of(new RowIdRange(600, 1)).count()).isZero();
  }

  @Test
  void fragmentWithDeletedRowsIsReadWhole() {
    FileRef deletion = FileRef.of("deletions", new byte[0]);
    FragmentRef fragment = new FragmentRef(1, 21, ROW_IDS, List.of(), Optional.of(deletion));
    assertThat(RowStretch.of(fragment, List.of(new RowIdRange(103, 2))))
        .isEqualTo(new RowStretch(0, 21));
  }
}
