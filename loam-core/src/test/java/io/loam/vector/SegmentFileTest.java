package io.loam.vector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentFileTest {
  private static final int DIMENSION = 256;
  private static final int ROWS = 4_000;

  @TempDir Path folder;

  /** A full disk is an error of a write; of a page that is mapped it would be a signal. */
  @Test
  void roomIsTakenBeforeRowsAreWritten() throws IOException {
    float[] vector = new float[DIMENSION];
    vector[0] = 1;
    Training training =
        Training.learn(
            IndexKind.IVF_FLAT, Metric.L2, DIMENSION, vector.clone(), 1, DIMENSION, () -> {});
    Path file = folder.resolve("segment.ivf");
    AtomicInteger passes = new AtomicInteger();
    SegmentFile.write(
        training,
        visitor -> {
          if (passes.incrementAndGet() == 2) {
            assertThat(allocatedBytes(file)).isGreaterThan(4L * DIMENSION * ROWS);
          }
          for (int row = 0; row < ROWS; row++) {
            visitor.row(row + 1, vector, 0);
          }
        },
        file,
        () -> {});
    assertThat(passes).hasValue(2);
    Segment segment = Segment.open(file, training, "segment");
    assertThat(segment.rows()).isEqualTo(ROWS);
    assertThat(segment.isSound()).isTrue();
    assertThat(Files.size(file)).isEqualTo(segment.file().limit());
  }

  private static long allocatedBytes(Path file) {
    try {
      Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
      String blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(stat.waitFor(10, TimeUnit.SECONDS)).isTrue();
      return 512 * Long.parseLong(blocks.trim());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
