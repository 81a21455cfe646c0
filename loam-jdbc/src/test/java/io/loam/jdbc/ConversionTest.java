package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs {@link ConversionChecks} in several time zones. */
class ConversionTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"UTC", "Asia/Kolkata", "America/New_York"})
  void everyTypeByEveryGetterAndSetter(String zone) throws IOException, InterruptedException {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Duser.timezone=" + zone,
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                "-cp",
                System.getProperty("java.class.path"),
                ConversionChecks.class.getName(),
                folder.toString(),
                zone)
            .redirectErrorStream(true)
            .start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(child.exitValue()).as(output).isZero();
  }
}
