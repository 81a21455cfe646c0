package io.loam;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a main class of the tests in a JVM of its own. */
public final class ChildJvm {
  private ChildJvm() {}

  /**
   * What the main class printed; fails if it does not end well in time.
   *
   * @param folder for its output and its temporary files
   */
  public static String run(
      Path folder, List<String> flags, Class<?> main, List<String> arguments, int seconds)
      throws IOException, InterruptedException {
    return run(folder, flags, main, arguments, seconds, Map.of());
  }

  /** The same with more in its environment. */
  public static String run(
      Path folder,
      List<String> flags,
      Class<?> main,
      List<String> arguments,
      int seconds,
      Map<String, String> environment)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "output", ".txt");
    ProcessBuilder builder = command(folder, output, flags, main, arguments);
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
      String printed = Files.readString(output, StandardCharsets.UTF_8);
      assertThat(ended).as(printed).isTrue();
      assertThat(process.exitValue()).as(printed).isZero();
      return printed;
    } finally {
      process.destroyForcibly();
    }
  }

  /** Starts the main class; the caller ends the process. */
  public static Process start(
      Path folder, Path output, List<String> flags, Class<?> main, List<String> arguments)
      throws IOException {
    return command(folder, output, flags, main, arguments).start();
  }

  private static ProcessBuilder command(
      Path folder, Path output, List<String> flags, Class<?> main, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.add("-XX:ErrorFile=" + folder.resolve("crash.log"));
    command.add("-XX:+UseSerialGC");
    command.add("-Djava.io.tmpdir=" + Files.createTempDirectory(folder, "tmp"));
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(arguments);
    return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
  }
}
