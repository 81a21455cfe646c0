package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page that documents connections has every property as it is. */
class OperationsPageTest {
  @Test
  void everyPropertyIsDocumented() throws IOException {
    List<String> page = Files.readAllLines(Path.of("../docs/OPERATIONS.md"));
    List<String> rows = page.stream().filter(line -> line.startsWith("| `")).toList();
    assertThat(rows)
        .containsExactlyElementsOf(
            Arrays.stream(ConnectionProperty.values())
                .map(
                    p ->
                        "| `%s` | %s | %s |"
                            .formatted(p.propertyName(), p.defaultValue(), p.description()))
                .toList());
  }
}
