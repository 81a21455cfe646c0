package io.loam;

import io.loam.store.TracedStore;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A process that runs a {@link CrashScript} and notes in a file which statements it began and which
 * were acknowledged; it may die at a step of the store.
 */
final class CrashChild {
  private final Map<String, Integer> met = new HashMap<>();
  private final Set<String> steps = new LinkedHashSet<>();
  private final String deadly;

  private CrashChild(String deadly) {
    this.deadly = deadly;
  }

  /**
   * Starts a child that runs the short script and dies at a step.
   *
   * @param step as {@code name#occurrence}, or a name of none to live and print all steps
   */
  static Process startShort(Path folder, Path root, Path notes, String step) throws IOException {
    return start(folder, List.of("short", root.toString(), folder + "/cache", notes + "", step));
  }

  /** Starts a child that runs the random script from a statement on until it is killed. */
  static Process startRandom(Path folder, Path root, Path notes, long seed, int first)
      throws IOException {
    return start(
        folder,
        List.of("random", root.toString(), folder + "/cache", notes + "", seed + "", first + ""));
  }

  private static Process start(Path folder, List<String> arguments) throws IOException {
    List<String> flags =
        List.of(
            "-Xmx512m", "-XX:TieredStopAtLevel=1", "--add-opens=java.base/java.nio=ALL-UNNAMED");
    return ChildJvm.start(folder, output(folder), flags, CrashChild.class, arguments);
  }

  static Path output(Path folder) {
    return folder.resolve("child.txt");
  }

  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[1]);
    WarehouseOptions options = new WarehouseOptions(root, Path.of(args[2]), 0);
    try (OutputStream notes =
        Files.newOutputStream(
            Path.of(args[3]), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      if (args[0].equals("short")) {
        CrashChild child = new CrashChild(args[4]);
        try (Warehouse warehouse =
            new LoamWarehouse(options, TracedStore.open(root, child::step))) {
          run(CrashScript.short_(), 0, CrashScript.SHORT_STATEMENTS, warehouse, notes);
        }
        child.steps.forEach(step -> System.out.println("step " + step));
      } else {
        CrashScript script = CrashScript.random(Long.parseLong(args[4]));
        try (Warehouse warehouse = Warehouse.open(options.withAutoOptimize())) {
          run(script, Integer.parseInt(args[5]), Integer.MAX_VALUE, warehouse, notes);
        }
      }
    }
  }

  private static void run(
      CrashScript script, int first, int end, Warehouse warehouse, OutputStream notes)
      throws IOException {
    Map<Long, String> model = script.model(first);
    for (int number = first; number < end; number++) {
      note(notes, "begin " + number);
      script.run(number, model, warehouse);
      note(notes, "done " + number);
      if (number > 0) {
        script.apply(number, model);
      }
    }
  }

  private static void note(OutputStream notes, String line) throws IOException {
    notes.write((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private synchronized void step(String name) {
    String step = name + "#" + met.merge(name, 1, Integer::sum);
    steps.add(step);
    if (step.equals(deadly)) {
      Runtime.getRuntime().halt(137);
    }
  }

  /**
   * How many statements a child, or several after each other, ran.
   *
   * @param begun whether one more may have been
   */
  record Progress(int done, boolean begun) {
    static Progress of(Path notes) {
      int done = 0;
      int begun = 0;
      for (String line : lines(notes)) {
        int number = Integer.parseInt(line.substring(line.indexOf(' ') + 1));
        if (line.startsWith("done")) {
          done = number + 1;
        } else {
          begun = number + 1;
        }
      }
      return new Progress(done, begun > done);
    }

    private static List<String> lines(Path notes) {
      try {
        String text = Files.exists(notes) ? Files.readString(notes) : "";
        // A line that was not written to its end says nothing.
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
