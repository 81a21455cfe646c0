package io.loam;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loads and searches many short documents in little memory, in a JVM of its own. */
class MillionDocumentsTest {
  @TempDir Path folder;

  @Test
  void hundredThousandDocumentsIn256MegabytesOfHeap() throws Exception {
    run("-Xmx256m", 100_000, 240);
  }

  @Test
  @Tag("long")
  void millionDocumentsIn512MegabytesOfHeap() throws Exception {
    run("-Xmx512m", 1_000_000, 1_200);
  }

  private void run(String heap, int documents, int seconds) throws Exception {
    List<String> arguments =
        List.of(folder.resolve("warehouse").toString(), Integer.toString(documents));
    String printed =
        ChildJvm.run(
            folder,
            List.of(heap, "-Dloam.cache=" + folder.resolve("cache")),
            ManyDocuments.class,
            arguments,
            seconds);
    System.out.print(printed);
    assertThat(printed).contains("all as expected");
  }
}
