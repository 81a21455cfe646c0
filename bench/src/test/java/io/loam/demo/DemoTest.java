package io.loam.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoTest {
  @TempDir private Path folder;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void leavesAFolderAloneThatItDidNotMake() throws Exception {
    Path theirs = Files.createDirectories(folder.resolve("warehouse/theirs"));
    assertThat(Demo.run(out, "--folder=" + folder)).isEqualTo(1);
    assertThat(theirs).exists();
    try (var entries = Files.list(folder)) {
      assertThat(entries).containsExactly(theirs.getParent());
    }
  }

  @Test
  void progressIsALineAQuarterWhereThereIsNoTerminal() {
    ProgressBar bar = new ProgressBar(out, false, "loading", 200);
    for (int done = 0; done <= 200; done++) {
      bar.show(done);
    }
    bar.finish();
    assertThat(printed().lines())
        .hasSize(4)
        .noneMatch(line -> line.contains("\r"))
        .last()
        .asString()
        .startsWith("loading              [################################] 100 %  200 of 200  ");
  }

  @Test
  void progressIsOneLineOnATerminal() {
    ProgressBar bar = new ProgressBar(out, true, "loading", 2);
    bar.show(1);
    bar.show(2);
    bar.finish();
    assertThat(printed().split("\r", -1)).hasSize(3);
    assertThat(printed()).endsWith(System.lineSeparator());
  }

  @Test
  void tablesAlignColumns() {
    new ResultTable(
            List.of("lemma", "_score"),
            List.of(Arrays.asList("dog", 1.5), Arrays.asList("anteater", null)))
        .print(out);
    assertThat(printed().lines())
        .containsExactly(
            "  lemma     _score", "  --------  ------", "  dog       1.5000", "  anteater  null");
  }

  private String printed() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
