package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.jdbc.Applications.Run;
import io.loam.s3testing.S3Server;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The driver jar alone, in JVMs of their own, as an application meets it. */
@EnabledIfSystemProperty(named = "loam.all.jar", matches = ".+")
class DriverJarTest {
  private static final Path JAR = Applications.JAR;
  private static final long MAX_BYTES = 180L << 20;

  @TempDir static Path folder;

  /** This JVM's Java, and others that Linux distributions put beside it. */
  static List<Path> javas() throws IOException {
    List<Path> homes = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));
    Path others = Path.of("/usr/lib/jvm");
    if (Files.isDirectory(others)) {
      try (Stream<Path> entries = Files.list(others)) {
        entries
            .filter(p -> !Files.isSymbolicLink(p))
            .filter(p -> p.getFileName().toString().matches(".*(17|21|25).*"))
            .filter(p -> Files.isExecutable(p.resolve("bin/java")))
            .filter(p -> !homes.contains(p))
            .sorted()
            .forEach(homes::add);
      }
    }
    return homes;
  }

  @BeforeAll
  static void compileApplications() throws IOException {
    Path classes = Files.createDirectories(folder.resolve("classes"));
    Applications.compile(
        classes,
        "",
        List.of(
            "Tour.java",
            "Clash.java",
            "com/google/common/base/Preconditions.java",
            "com/google/protobuf/ByteString.java",
            "io/netty/buffer/ByteBuf.java",
            "org/apache/arrow/memory/RootAllocator.java",
            "com/fasterxml/jackson/databind/ObjectMapper.java"));
    // Providers that are no subtypes of the driver's own classes of those names.
    Path services = Files.createDirectories(classes.resolve("META-INF/services"));
    for (String service :
        List.of(
            "org.apache.arrow.vector.compression.CompressionCodec$Factory",
            "software.amazon.awssdk.http.SdkHttpService",
            "org.slf4j.spi.SLF4JServiceProvider",
            "org.apache.lucene.codecs.Codec",
            "com.fasterxml.jackson.databind.Module")) {
      Files.writeString(services.resolve(service), "Clash");
    }
  }

  private static Run run(Path java, Path workingFolder, String main, String... arguments)
      throws IOException, InterruptedException {
    List<String> call = new ArrayList<>(List.of(main));
    call.addAll(List.of(arguments));
    String classPath = folder.resolve("classes") + ":" + JAR;
    return Applications.run(java, workingFolder, List.of("-cp", classPath), call);
  }

  @Test
  void isNotTooLarge() throws IOException {
    assertThat(Files.size(JAR)).isLessThan(MAX_BYTES);
  }

  @Test
  void hasTheClassesOfFirstStatementsInTheirOrder() throws IOException {
    List<String> names = new ArrayList<>();
    try (ZipFile jar = new ZipFile(JAR.toFile());
        DataInputStream classes =
            new DataInputStream(new ByteArrayInputStream(bytes(jar, StartupClasses.ENTRY)))) {
      while (classes.available() > 0) {
        names.add(classes.readUTF());
        byte[] file = classes.readNBytes(classes.readInt());
        assertThat(file).isEqualTo(bytes(jar, "loam-inner/" + path(names)));
      }
    }
    assertThat(names)
        .hasSizeGreaterThan(1_000)
        .doesNotHaveDuplicates()
        .containsSubsequence(
            "io.loam.jdbc.EmbeddedDriver",
            "org.apache.calcite.jdbc.LoamConnection",
            StartupClasses.SCHEMA,
            "io.loam.calcite.LoamScan");
  }

  private static String path(List<String> names) {
    return names.get(names.size() - 1).replace('.', '/') + ".class";
  }

  private static byte[] bytes(ZipFile jar, String entry) throws IOException {
    try (InputStream in = jar.getInputStream(jar.getEntry(entry))) {
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @MethodSource("javas")
  void createsLoadsSearchesAndTravelsBack(Path java) throws Exception {
    // A current folder that nobody can write to.
    assertTour(
        run(
            java,
            Path.of("/proc"),
            "Tour",
            folder.resolve("tour-" + java.getFileName()).toString()));
  }

  @Test
  void doesTheSameInABucket() throws Exception {
    try (S3Server server = S3Server.start(folder.resolve("s3"))) {
      String url =
          "s3://%s/tour?pathStyle=true&endpoint=%s&accessKeyId=%s&secretAccessKey=%s"
              .formatted(
                  S3Server.BUCKET,
                  server.endpoint(),
                  S3Server.ACCESS_KEY_ID,
                  S3Server.SECRET_ACCESS_KEY);
      Path java = Path.of(System.getProperty("java.home"));
      assertTour(run(java, Path.of("/proc"), "Tour", url));
    }
  }

  private static void assertTour(Run run) {
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out().lines())
        .containsExactly(
            "batch 1 1 1",
            "bm25 2",
            "vector 3",
            "deleted 1",
            "now 2",
            "then 3",
            "drivers io.loam.jdbc.LoamDriver",
            "error 23505");
    assertThat(run.unexpected()).isEmpty();
  }

  @Test
  void commandLineRunsSql() throws Exception {
    Path script = Path.of(System.getProperty("user.dir")).resolveSibling("bin/loam");
    Process process =
        new ProcessBuilder(
                script.toString(),
                "sql",
                folder.resolve("shell").toString(),
                "-e",
                "CREATE TABLE t (id BIGINT PRIMARY KEY, v VECTOR(2)) ;; INSERT INTO t VALUES (1,"
                    + " '[1,2]')",
                "-e",
                "SELECT * FROM t",
                "-e",
                "SELECT nope FROM t",
                "--format",
                "json")
            .directory(Path.of("/proc").toFile())
            .redirectError(folder.resolve("shell-err").toFile())
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(out).isEqualTo("{\"id\":1,\"v\":[1.0,2.0]}\n");
    assertThat(Files.readString(folder.resolve("shell-err")))
        .startsWith("warning: folder holds no warehouse: url=jdbc:loam:")
        .contains("\nerror 42703: ");
  }

  @Test
  void commandLineTellsItsVersion() throws Exception {
    LoamDriver driver = new LoamDriver();
    String version = driver.getMajorVersion() + "." + driver.getMinorVersion() + ".";
    assertThat(script(Path.of("/dev/null"), "--version")).isZero();
    assertThat(Files.readString(folder.resolve("script-out"))).startsWith("loam " + version);
    assertThat(script(Path.of("/dev/null"))).isZero();
    assertThat(Files.readString(folder.resolve("script-out"))).contains("bin/loam sql");
  }

  /** A part that is built again by hand has the bytes that the statement's own process wrote. */
  @Test
  void commandLineBuildsPartsOfIndexes() throws Exception {
    Path warehouse = folder.resolve("indexed");
    String values =
        IntStream.range(0, 1_200)
            .mapToObj(id -> "(%d,'[%d,%d]')".formatted(id, id % 37, id % 11))
            .collect(Collectors.joining(","));
    Path sql =
        Files.writeString(
            folder.resolve("indexed.sql"),
            String.join(
                ";\n",
                "CREATE TABLE t (id BIGINT PRIMARY KEY, v VECTOR(2))",
                "INSERT INTO t VALUES " + values,
                "CREATE INDEX i ON t (v) USING ivf_flat",
                ""));
    assertThat(script(sql, "sql", warehouse.toString())).isZero();
    Path plan = only(warehouse, ".json", "/plans/");
    Path segment = only(warehouse, ".ivf", "/segments/");
    byte[] built = Files.readAllBytes(segment);
    Files.delete(segment);
    String path = warehouse.relativize(plan).toString();
    Path nothing = Path.of("/dev/null");
    assertThat(script(nothing, "index", "build-part", warehouse.toString(), path, "0")).isZero();
    assertThat(Files.readAllBytes(segment)).isEqualTo(built);
    assertThat(script(nothing, "index", "build-part", warehouse.toString(), path, "1"))
        .isEqualTo(1);
    assertThat(script(nothing, "index", "build-part", warehouse.toString())).isEqualTo(2);
    assertThat(script(nothing, "index", "build-everything")).isEqualTo(2);
  }

  private static Path only(Path warehouse, String suffix, String part) throws IOException {
    try (Stream<Path> files = Files.walk(warehouse)) {
      return files
          .filter(f -> f.toString().endsWith(suffix) && f.toString().contains(part))
          .reduce(
              (a, b) -> {
                throw new AssertionError(a + " and " + b);
              })
          .orElseThrow();
    }
  }

  /** The exit status of the command line. */
  private static int script(Path input, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("user.dir")).resolveSibling("bin/loam").toString());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectInput(input.toFile())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("script-out").toFile())
        .start()
        .waitFor();
  }

  @Test
  void applicationsVersionsOfLibrariesDoNotMatter() throws Exception {
    Path java = Path.of(System.getProperty("java.home"));
    Run run = run(java, folder, "Clash", folder.resolve("clash").toString());
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            row 1 {"a":[1,2]}
            own Preconditions, own ObjectMapper
            own ByteString, own ByteBuf, own RootAllocator
            """);
    assertThat(run.unexpected()).isEmpty();
  }
}
