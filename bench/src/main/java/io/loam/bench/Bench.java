package io.loam.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Side-by-side benchmarks. */
@Command(
    name = "loam bench",
    mixinStandardHelpOptions = true,
    description = "Measures Loam beside what else one might use.",
    subcommands = {
      WordNetBench.class,
      TextBench.class,
      VectorBench.class,
      SparseBench.class,
      HybridBench.class,
      ColumnBench.class,
      CommitBench.class,
      IndexBench.class,
      UpkeepBench.class
    })
public final class Bench {
  private Bench() {}

  public static void main(String[] args) {
    System.exit(run(args));
  }

  /** The exit status: 0 only if the engines agreed. */
  static int run(String... args) {
    return new CommandLine(new Bench()).setCaseInsensitiveEnumValuesAllowed(true).execute(args);
  }
}
