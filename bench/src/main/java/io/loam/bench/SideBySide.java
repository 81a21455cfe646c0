package io.loam.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A benchmark in which Loam and others answer the same questions in one run. */
abstract class SideBySide implements Callable<Integer> {
  private static final List<String> MEMORY_OPTIONS = List.of("-Xmx3g");

  @Option(
      names = "--questions",
      defaultValue = "300",
      description = "Questions of each kind; ${DEFAULT-VALUE}.")
  private int questions;

  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "1,2",
      description = "Numbers of threads that ask at once; ${DEFAULT-VALUE}.")
  private List<Integer> threads = List.of();

  @Option(names = "--engines", split = ",", description = "Which take part; all.")
  private Set<String> engines = new LinkedHashSet<>();

  @Option(
      names = "--seconds",
      defaultValue = "2",
      description = "How long each work is repeated at least; ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(names = "--folder", description = "Where to work; ~/.cache/loam/bench.")
  private Path folder = Path.of(System.getProperty("user.home"), ".cache", "loam", "bench");

  @Option(names = "--markdown", description = "File to write the table to as Markdown.")
  private @Nullable Path markdown;

  @Option(
      names = "--memory",
      description = "Run each engine once more in a process of its own, for its largest size.")
  private boolean memory;

  @Option(names = "--resident", hidden = true, description = "Print the largest size only.")
  private boolean resident;

  @Spec private @Nullable CommandSpec spec;

  /** Those that can take part, Loam first. */
  abstract List<String> allEngines();

  /** Loads the data and measures all work. */
  abstract void measure(Path work, Race race, Report report)
      throws IOException, SQLException, InterruptedException;

  final int questions() {
    return questions;
  }

  @Override
  public final Integer call() throws IOException, SQLException, InterruptedException {
    if (engines.isEmpty()) {
      engines.addAll(allEngines());
    }
    Files.createDirectories(folder);
    Path work = Files.createTempDirectory(folder, "run");
    Report report = new Report(allEngines().subList(1, allEngines().size()));
    Race race = new Race(report, threads, engines, seconds);
    try {
      measure(work, race, report);
    } finally {
      WordNetBench.deleteAll(work);
    }
    if (resident) {
      System.out.println(PeakMemory.largestResidentMegabytes());
      return 0;
    }
    if (memory) {
      measureMemory(report);
    }
    report.note(machine());
    System.out.print(report.text());
    if (markdown != null) {
      Files.writeString(markdown, report.markdown());
    }
    return race.agreed() ? 0 : 1;
  }

  private void measureMemory(Report report) throws IOException, InterruptedException {
    for (String engine : engines) {
      List<String> arguments = new ArrayList<>();
      if (spec != null) {
        arguments.addAll(spec.commandLine().getParseResult().originalArgs());
      }
      arguments.removeIf(a -> a.startsWith("--engines") || a.startsWith("--markdown"));
      arguments.remove("--memory");
      arguments.addAll(List.of("--resident", "--engines=" + engine));
      ChildJvm child = ChildJvm.run(ChildJvm.classPath(), MEMORY_OPTIONS, Bench.class, arguments);
      report.value(
          "largest resident size of load and search, MB",
          engine,
          Double.parseDouble(child.output().strip()));
    }
    report.note("memory: processes of their own with " + MEMORY_OPTIONS + ", data included");
  }

  private String machine() {
    return String.format(
        Locale.ROOT,
        "%,d questions; Java %s, %d processors, %s %s",
        questions,
        System.getProperty("java.version"),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name"),
        System.getProperty("os.arch"));
  }
}
