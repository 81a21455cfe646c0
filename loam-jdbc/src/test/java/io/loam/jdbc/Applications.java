package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;

/** Programs of tests that run in JVMs of their own, with the driver jar on their class path. */
final class Applications {
  static final Path JAR = Path.of(System.getProperty("loam.all.jar", ""));
  static final Path JAVA = Path.of(System.getProperty("java.home"));

  /** What a program left. */
  record Run(int status, String out, String err) {
    /** Lines but the warnings of newer JVMs about native libraries. */
    List<String> unexpected() {
      return err.lines().filter(l -> !l.isBlank() && !l.startsWith("WARNING: ")).toList();
    }
  }

  private Applications() {}

  /** Compiles texts among the test's resources, into a folder. */
  static void compile(Path classes, String classPath, List<String> names) throws IOException {
    Path sources = Files.createDirectories(classes.resolveSibling("sources"));
    Files.createDirectories(classes);
    List<String> arguments =
        new ArrayList<>(
            List.of("--release", "17", "-nowarn", "-d", classes.toString(), "-cp", classPath));
    for (String name : names) {
      Path source = sources.resolve(name);
      Files.createDirectories(source.getParent());
      try (var in = Applications.class.getResourceAsStream("/jar/" + name + ".txt")) {
        Files.copy(in, source);
      }
      arguments.add(source.toString());
    }
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, System.out, System.err, arguments.toArray(String[]::new));
    assertThat(status).isZero();
  }

  /**
   * Runs a program.
   *
   * @param java the home of the Java to run it with
   * @param options of the JVM, the class path among them
   * @param call class and arguments
   */
  static Run run(Path java, Path workingFolder, List<String> options, List<String> call)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                java.resolve("bin/java").toString(),
                "-Xmx512m",
                "-Dloam.cache=" + System.getProperty("loam.cache"),
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir")));
    command.addAll(options);
    command.addAll(call);
    Path out = Files.createTempFile("out", "");
    Path err = Files.createTempFile("err", "");
    Process process =
        new ProcessBuilder(command)
            .directory(workingFolder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
      return new Run(
          process.exitValue(),
          Files.readString(out, StandardCharsets.UTF_8),
          Files.readString(err, StandardCharsets.UTF_8));
    } finally {
      process.destroyForcibly();
      Files.delete(out);
      Files.delete(err);
    }
  }
}
