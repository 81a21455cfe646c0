package io.loam;

import io.loam.index.BuildPlan;
import io.loam.index.ChildParts;
import io.loam.store.S3Settings;
import io.loam.store.StoreLocation;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The command line of a JVM that runs {@link BuildPart}, from the classes of this one. */
final class PartJvm implements ChildParts.PartCommand {
  private static final long BASE_BYTES = 384L << 20;

  /** Lance hangs on some machines with its default, which is one thread for a core. */
  private static final String LANCE_THREADS = "4";

  private final StoreLocation location;
  private final Path cache;
  private final List<String> classes;

  private PartJvm(StoreLocation location, Path cache, List<String> classes) {
    this.location = location;
    this.cache = cache;
    this.classes = classes;
  }

  /**
   * A command line, or nothing where another JVM cannot load the classes of this one.
   *
   * @param cache of native libraries and copies, which processes share
   */
  static Optional<PartJvm> of(StoreLocation location, Path cache) {
    return classes().map(classes -> new PartJvm(location, cache, classes));
  }

  private static Optional<List<String>> classes() {
    if (BuildPart.class.getClassLoader() == ClassLoader.getSystemClassLoader()) {
      String path = System.getProperty("java.class.path");
      return Optional.of(List.of("-cp", path, BuildPart.class.getName()));
    }
    // The driver's jar has a main class that finds others inside it.
    CodeSource source = BuildPart.class.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      return Optional.empty();
    }
    try {
      File jar = new File(source.getLocation().toURI());
      return jar.isFile()
          ? Optional.of(List.of("-jar", jar.toString(), BuildPart.class.getName()))
          : Optional.empty();
    } catch (URISyntaxException | IllegalArgumentException e) {
      return Optional.empty(); // a jar within a jar, or a loader of another kind
    }
  }

  @Override
  public ProcessBuilder command(String planPath, BuildPlan plan, int part, Path temporary) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heapBytes(plan, part));
    command.add("-XX:+UseSerialGC");
    command.add("-XX:-CreateCoredumpOnCrash");
    command.add("-XX:ErrorFile=" + temporary.resolve("error-" + part + ".log"));
    command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    command.add("-Djava.io.tmpdir=" + temporary);
    command.add("-Dloam.cache=" + cache);
    command.addAll(classes);
    command.add(BuildPart.CHILD);
    command.add(location.toString());
    command.add(planPath);
    command.add(String.valueOf(part));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putIfAbsent("LANCE_CPU_THREADS", LANCE_THREADS);
    if (location instanceof StoreLocation.Bucket bucket) {
      builder.environment().putAll(environment(bucket.settings()));
    }
    return builder;
  }

  /** Never on a command line, which others can see. */
  private static Map<String, String> environment(S3Settings settings) {
    Map<String, String> environment = new java.util.HashMap<>();
    environment.put(BuildPart.PATH_STYLE, String.valueOf(settings.pathStyle()));
    if (settings.endpoint() != null) {
      environment.put(BuildPart.ENDPOINT, settings.endpoint());
    }
    if (settings.region() != null) {
      environment.put(BuildPart.REGION, settings.region());
    }
    if (settings.keys() != null) {
      environment.put("AWS_ACCESS_KEY_ID", settings.keys().accessKeyId());
      environment.put("AWS_SECRET_ACCESS_KEY", settings.keys().secretAccessKey());
      if (settings.keys().sessionToken() != null) {
        environment.put("AWS_SESSION_TOKEN", settings.keys().sessionToken());
      }
    }
    return environment;
  }

  /** Lists of rows, the training twice over, and something for Lance's batches. */
  private static long heapBytes(BuildPlan plan, int part) {
    return BASE_BYTES + 16 * plan.parts().get(part).rows() + 4 * plan.training().size();
  }
}
