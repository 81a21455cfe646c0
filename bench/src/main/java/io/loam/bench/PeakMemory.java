package io.loam.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/**
 * Loads and searches with one engine and prints the largest resident size of the process, in MB.
 */
final class PeakMemory {
  private PeakMemory() {}

  /** Engine, folder, documents, questions. */
  public static void main(String[] args) throws IOException, SQLException {
    Corpus corpus = Corpus.read(Integer.parseInt(args[2]), Integer.parseInt(args[3]));
    try (Engine engine = EngineKind.valueOf(args[0]).open(Path.of(args[1]))) {
      engine.load(corpus.docs());
      for (List<String> question : corpus.questions()) {
        engine.search(Mode.OR, question);
      }
      System.out.println(largestResidentMegabytes());
    }
  }

  /** Of this process so far. */
  static long largestResidentMegabytes() throws IOException {
    String line =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(l -> l.startsWith("VmHWM:"))
            .findFirst()
            .orElseThrow();
    return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
  }
}
