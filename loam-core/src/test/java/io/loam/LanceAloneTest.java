package io.loam;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lance.Dataset;

/** What a program sees that opens a collection's Lance dataset without Loam. */
class LanceAloneTest {
  @TempDir Path folder;

  /** A program that knows Lance only. */
  static final class Reader {
    private Reader() {}

    public static void main(String[] args) {
      try (RootAllocator allocator = new RootAllocator();
          Dataset dataset = Dataset.open().uri(args[0]).allocator(allocator).build()) {
        System.out.printf(
            "rows=%d, version=%d, versions=%d%n",
            dataset.countRows(), dataset.version(), dataset.listVersions().size());
      }
    }
  }

  @Test
  void filledCollectionLooksEmptyRatherThanWrong() throws Exception {
    Path warehouse = folder.resolve("warehouse");
    DamageTrials.fill(warehouse, folder.resolve("cache"));
    Path dataset;
    try (Stream<Path> files = Files.walk(warehouse)) {
      dataset = files.filter(f -> f.endsWith("lance")).findFirst().orElseThrow();
    }
    List<String> flags = List.of("-Xmx256m", "--add-opens=java.base/java.nio=ALL-UNNAMED");
    String printed = ChildJvm.run(folder, flags, Reader.class, List.of(dataset.toString()), 120);
    assertThat(printed).contains("rows=0, version=1, versions=1");
  }
}
