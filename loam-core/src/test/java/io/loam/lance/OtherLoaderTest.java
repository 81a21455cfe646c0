package io.loam.lance;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.manifest.RowIdRange;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs Lance in a JVM without flags, behind another class loader, in a host that ends on an
 * uncaught exception, with a cache folder that it cannot write to.
 */
class OtherLoaderTest {
  @TempDir Path folder;

  /** What the host runs; its class path holds only this class's folder. */
  static final class Host {
    private Host() {}

    public static void main(String[] args) throws Exception {
      Thread.setDefaultUncaughtExceptionHandler((t, e) -> Runtime.getRuntime().halt(3));
      URL[] urls =
          Arrays.stream(args[0].split(File.pathSeparator)).map(Host::url).toArray(URL[]::new);
      try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
        loader
            .loadClass("io.loam.lance.OtherLoaderTest$Work")
            .getMethod("run", String.class)
            .invoke(null, args[1]);
      }
      Thread.sleep(300); // the native thread ends by itself
    }

    private static URL url(String path) {
      try {
        return Path.of(path).toUri().toURL();
      } catch (MalformedURLException e) {
        throw new IllegalArgumentException(path, e);
      }
    }
  }

  /** What runs behind the loader. */
  public static final class Work {
    private Work() {}

    public static void run(String uri) {
      try (LanceStore store = LanceStore.open(1 << 20, 1 << 20)) {
        store.create(uri, LanceSamples.SCHEMA);
        WrittenFragment fragment =
            store.write(
                uri,
                LanceSamples.SCHEMA,
                1,
                List.of(new RowIdRange(1, 2)),
                LanceSamples.rows(new Random(1), 2));
        long version = store.commit(uri, 1, List.of(fragment), Map.of()).version();
        try (LanceReader reader = store.open(LanceAddress.local(uri), version)) {
          System.out.println("rows " + reader.sources(new long[] {1, 2}).length);
        }
      }
    }
  }

  @Test
  void worksInAForeignHost() throws IOException, InterruptedException {
    Path unwritable = Files.createFile(folder.resolve("file"));
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    Path output = folder.resolve("output");
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Dloam.cache=" + unwritable,
                "-Duser.home=" + unwritable,
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                hostClassPath().toString(),
                Host.class.getName(),
                classPath,
                folder.resolve("lance").toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String printed = Files.readString(output, StandardCharsets.UTF_8);
    assertThat(process.exitValue()).as(printed).isZero();
    assertThat(printed)
        .contains("rows 2")
        .doesNotContain("NoClassDefFoundError", "Exception in thread");
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left.filter(f -> f.toString().contains("lance"))).isEmpty();
    }
  }

  /** A folder with the host's class alone, so that the system loader does not see Lance. */
  private Path hostClassPath() throws IOException {
    Path classes = folder.resolve("host");
    String file = Host.class.getName().replace('.', '/') + ".class";
    Path copy = classes.resolve(file);
    Files.createDirectories(copy.getParent());
    try (InputStream in = Host.class.getClassLoader().getResourceAsStream(file)) {
      Files.copy(in, copy);
    }
    return classes;
  }
}
