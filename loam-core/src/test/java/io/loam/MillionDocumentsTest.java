package io.loam;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loads and searches many short documents in little memory, in a JVM of its own. */
class MillionDocumentsTest {
  private static final int DOCUMENTS = 1_000_000;

  @TempDir Path folder;

  @Test
  void millionDocumentsIn512MegabytesOfHeap() throws Exception {
    String warehouse = folder.resolve("warehouse").toString();
    String printed =
        ChildJvm.run(
            folder,
            List.of("-Xmx512m", "-Dloam.cache=" + folder.resolve("cache")),
            ManyDocuments.class,
            List.of(warehouse, Integer.toString(DOCUMENTS)),
            600);
    assertThat(printed).contains("all as expected");
  }
}
