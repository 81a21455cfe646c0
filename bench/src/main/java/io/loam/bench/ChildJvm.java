package io.loam.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A program run in a JVM of its own. */
record ChildJvm(String output, long nanos) {

  /** Runs a main class to its end; a status other than 0 is an error. */
  static ChildJvm run(
      String classPath, List<String> options, Class<?> mainClass, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, mainClass.getName()));
    command.addAll(arguments);
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    long nanos = System.nanoTime() - start;
    if (status != 0) {
      throw new IOException("child failed: status=" + status + ", command=" + command);
    }
    return new ChildJvm(output, nanos);
  }

  /** This JVM's class path. */
  static String classPath() {
    return System.getProperty("java.class.path");
  }

  /**
   * What a user of one driver has on the class path: its jar and the main class; this JVM's class
   * path where the driver is not in a jar.
   */
  static String driverClassPath(String url, Class<?> mainClass) throws SQLException {
    String driver = codeSource(DriverManager.getDriver(url).getClass());
    return driver.endsWith(".jar")
        ? driver + System.getProperty("path.separator") + codeSource(mainClass)
        : classPath();
  }

  private static String codeSource(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation().getPath();
  }
}
