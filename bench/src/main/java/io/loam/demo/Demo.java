package io.loam.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bin/loam demo}: loads WordNet with real embeddings and shows what SQL can ask of it. */
@Command(
    name = "loam demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Loads part of WordNet into a new warehouse and searches it in SQL.")
public final class Demo implements Callable<Integer> {
  private static final String MARKER = "made-by-loam-demo";

  @Option(
      names = "--folder",
      paramLabel = "<folder>",
      description = "Where the warehouse goes; default: ~/.cache/loam/demo.")
  private Path folder = Path.of(System.getProperty("user.home"), ".cache", "loam", "demo");

  @Option(
      names = "--synsets",
      paramLabel = "<n>",
      defaultValue = "20000",
      description = "Definitions to load; default: ${DEFAULT-VALUE}.")
  private int synsets = 20_000;

  @Option(
      names = "--embed-seconds",
      paramLabel = "<s>",
      defaultValue = "90",
      description =
          "Time for embeddings, after which only half of the definitions are sure to get one;"
              + " default: ${DEFAULT-VALUE}.")
  private int embedSeconds = 90;

  @Option(
      names = "--embeddings",
      paramLabel = "<file>",
      description = "File that keeps embeddings from run to run; default: under ~/.cache/loam.")
  private Path embeddingsFile = SynsetEmbeddings.defaultFile();

  private final PrintStream out;

  private Demo(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.exit(run(out, args));
  }

  /** The exit status: 0 only if every statement gave the rows that it should. */
  static int run(PrintStream out, String... args) {
    return new CommandLine(new Demo(out))
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              if (e instanceof IOException || e instanceof SQLException) {
                command.getErr().println("loam demo: " + e.getMessage());
                return CommandLine.ExitCode.SOFTWARE;
              }
              throw e;
            })
        .execute(args);
  }

  @Override
  public Integer call() throws IOException, SQLException {
    long start = System.nanoTime();
    prepareFolder();
    String url = "jdbc:loam:" + folder.toAbsolutePath().resolve("warehouse");
    out.printf("Warehouse: %s%n%n", url);

    Map<Long, Synset> wordNet = new LinkedHashMap<>();
    try (Stream<Synset> all = WordNet.synsets()) {
      all.forEach(s -> wordNet.put(s.id(), s));
    }
    List<Synset> chosen = WordNet.mostUsed(wordNet.values(), synsets);
    int failures;
    try (Embedder embedder = new Embedder();
        SparseEncoder sparse = new SparseEncoder(wordNet, chosen);
        Connection connection = DriverManager.getConnection(url)) {
      SynsetEmbeddings embeddings = embed(embedder, chosen);
      new Loader(connection, embeddings, sparse).load(chosen, bar("loading", chosen.size()));
      out.printf(
          Locale.ROOT,
          "%,d definitions loaded, %,d of them with embeddings, %.1f s after the start.%n%n",
          chosen.size(),
          embeddings.count(chosen),
          seconds(start));
      failures = new Tour(connection, embedder, sparse, out).run();
    }
    printHowToOpen(url);
    out.printf(Locale.ROOT, "%nThe demo took %.1f s.%n", seconds(start));
    if (failures > 0) {
      out.printf("FAILED: statements without the rows that they should give: %d%n", failures);
    }
    return failures == 0 ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  private SynsetEmbeddings embed(Embedder embedder, List<Synset> chosen) throws IOException {
    SynsetEmbeddings embeddings = SynsetEmbeddings.open(embeddingsFile);
    ProgressBar bar = bar("embedding", chosen.size());
    embeddings.complete(
        embedder,
        chosen,
        Math.max(chosen.size() / 2, Math.min(chosen.size(), 10_000)),
        Duration.ofSeconds(embedSeconds),
        bar::show);
    bar.finish();
    return embeddings;
  }

  private ProgressBar bar(String what, int total) {
    return new ProgressBar(out, ProgressBar.onTerminal(), what, total);
  }

  /** Makes the folder, empty but for a marker. A folder without the marker is somebody else's. */
  private void prepareFolder() throws IOException {
    if (Files.exists(folder)) {
      boolean empty;
      try (Stream<Path> entries = Files.list(folder)) {
        empty = entries.findAny().isEmpty();
      }
      if (!empty && !Files.exists(folder.resolve(MARKER))) {
        throw new IOException(
            "folder was not made by the demo and is not empty: folder="
                + folder
                + "; remove it, or choose another with --folder");
      }
      Path warehouse = folder.resolve("warehouse");
      if (Files.exists(warehouse)) {
        deleteAll(warehouse);
      }
    }
    Files.createDirectories(folder);
    Files.writeString(
        folder.resolve(MARKER),
        "The Loam demo made this folder and empties it when it runs again.\n");
  }

  private static void deleteAll(Path root) throws IOException {
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(root)) {
      paths = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : paths) {
      Files.delete(path);
    }
  }

  private void printHowToOpen(String url) throws SQLException {
    Class<?> driver = DriverManager.getDriver(url).getClass();
    Path jar = Path.of(driver.getProtectionDomain().getCodeSource().getLocation().getPath());
    out.println("The warehouse stays. To open it");
    out.printf("  in the shell   bin/loam sql %s%n", url);
    out.println("  in DBeaver     Database > Driver Manager > New, then a connection with");
    out.printf("                   class name  %s%n", driver.getName());
    out.printf("                   library     %s%n", jar);
    out.printf("                   URL         %s%n", url);
  }

  private static double seconds(long startNanos) {
    return (System.nanoTime() - startNanos) / 1e9;
  }
}
