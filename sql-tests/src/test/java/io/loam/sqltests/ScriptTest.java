package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import net.hydromatic.quidem.Quidem;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Scripts of statements and what they give, each on a warehouse of its own. The results were worked
 * out by hand.
 */
class ScriptTest {
  private static final Path SCRIPTS = Path.of("src", "test", "resources", "scripts");

  @TempDir Path folder;

  static List<String> scripts() throws IOException {
    try (Stream<Path> files = Files.list(SCRIPTS)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void scriptsGiveWhatTheySay(String script) throws IOException {
    String expected = Files.readString(SCRIPTS.resolve(script));
    StringWriter given = new StringWriter();
    Quidem.Config config =
        Quidem.configBuilder()
            .withReader(new StringReader(expected))
            .withWriter(given)
            .withConnectionFactory((name, reference) -> Sql.connect(folder))
            .build();
    new Quidem(config).execute();
    assertThat(given.toString()).isEqualTo(expected);
  }
}
