package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of errors has every one as it is, with a cause and a mend. */
class ErrorsPageTest {
  private static final Pattern ROW =
      Pattern.compile("\\| ([A-Z_]+) \\| (\\d+) \\| (\\w{5}) \\| (.+) \\| (.+) \\|");

  private record Row(String name, int code, String sqlState) {}

  @Test
  void everyErrorIsDocumented() throws IOException {
    List<Row> rows =
        Files.readAllLines(Path.of("../docs/ERRORS.md")).stream()
            .map(ROW::matcher)
            .filter(Matcher::matches)
            .map(m -> new Row(m.group(1), Integer.parseInt(m.group(2)), m.group(3)))
            .toList();
    assertThat(rows)
        .containsExactlyElementsOf(
            Arrays.stream(ErrorCode.values())
                .map(c -> new Row(c.name(), c.vendorCode(), c.sqlState()))
                .toList());
  }
}
