package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Several versions in one JVM: of the driver, and of the libraries that it carries. */
@EnabledIfSystemProperty(named = "loam.all.jar", matches = ".+")
class VersionsJarTest {
  private static final String VERSION = "0.1.0";
  private static final String OTHER_VERSION = "9.8.7";

  @TempDir Path folder;

  @Test
  void twoVersionsOfTheDriverShareAWarehouse() throws Exception {
    Path classes = folder.resolve("classes");
    Applications.compile(classes, "", List.of("Twice.java"));
    Path other = otherVersion();
    Applications.Run run =
        Applications.run(
            Applications.JAVA,
            folder,
            List.of("-cp", classes.toString()),
            List.of(
                "Twice",
                Applications.JAR.toString(),
                other.toString(),
                folder.resolve("twice").toString()));
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out().lines())
        .containsExactly(
            VERSION,
            "1501",
            "1500",
            "7",
            "a wing 7",
            OTHER_VERSION,
            "1502",
            "1500",
            "7",
            "a wing 7");
    assertThat(run.unexpected()).isEmpty();
  }

  /** The driver's jar, but for the version that its classes and its manifest tell. */
  private Path otherVersion() throws IOException {
    Path jar = Files.copy(Applications.JAR, folder.resolve("other.jar"));
    int changed = 0;
    try (FileSystem files = FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of())) {
      List<Path> entries =
          new ArrayList<>(
              List.of(files.getPath(StartupClasses.ENTRY), files.getPath("META-INF/MANIFEST.MF")));
      try (Stream<Path> own = Files.list(files.getPath("loam-inner/org/apache/calcite/jdbc"))) {
        own.filter(p -> p.getFileName().toString().startsWith("Loam")).forEach(entries::add);
      }
      for (Path entry : entries) {
        String text = Files.readString(entry, StandardCharsets.ISO_8859_1);
        String other = text.replace(VERSION, OTHER_VERSION);
        if (!other.equals(text)) {
          Files.writeString(entry, other, StandardCharsets.ISO_8859_1);
          changed++;
        }
      }
    }
    assertThat(changed).isGreaterThanOrEqualTo(3);
    return jar;
  }

  @Test
  void applicationWorksWithOtherVersionsOfLibraries() throws Exception {
    List<Path> jars;
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("loam.other.libraries")))) {
      jars = files.sorted().toList();
    }
    String classPath = jars.stream().map(Path::toString).collect(Collectors.joining(":"));
    Path classes = folder.resolve("classes");
    Applications.compile(classes, classPath, List.of("Libraries.java"));
    Applications.Run run =
        Applications.run(
            Applications.JAVA,
            folder,
            List.of(
                // What Arrow asks of an application that uses it.
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-cp",
                classes + ":" + classPath + ":" + Applications.JAR),
            List.of("Libraries", folder.resolve("warehouse").toString()));
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out().lines().limit(6))
        .containsExactly(
            "arrow 3", "jackson 2", "protobuf a wing", "netty a wing", "guava {1=1}", "loam 2");
    assertThat(run.out().lines().skip(6))
        .hasSize(7)
        .isSubsetOf(jars.stream().map(jar -> jar.getFileName().toString()).toList());
    assertThat(run.unexpected()).allMatch(line -> line.startsWith("SLF4J: "));
  }
}
