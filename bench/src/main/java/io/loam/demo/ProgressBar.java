package io.loam.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Progress of one piece of work: a bar that is redrawn in place on a terminal, a line per quarter
 * elsewhere.
 */
final class ProgressBar {
  private static final int WIDTH = 32;

  private final PrintStream out;
  private final boolean terminal;
  private final String what;
  private final int total;
  private final long start = System.nanoTime();
  private int shownPercent = -1;

  ProgressBar(PrintStream out, boolean terminal, String what, int total) {
    this.out = out;
    this.terminal = terminal;
    this.what = what;
    this.total = total;
  }

  /** Whether standard output is a terminal, as far as Linux tells. */
  static boolean onTerminal() {
    try {
      String target = Path.of("/proc/self/fd/1").toRealPath().toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException e) {
      // A pipe has no path; nor has anything where there is no /proc.
      return false;
    }
  }

  void show(int done) {
    int percent = total == 0 ? 100 : (int) (100L * done / total);
    if (percent == shownPercent || (!terminal && percent / 25 == shownPercent / 25)) {
      return;
    }
    shownPercent = percent;
    int filled = WIDTH * percent / 100;
    String line =
        String.format(
            Locale.ROOT,
            "%-20s [%s%s] %3d %%  %,d of %,d  %.1f s",
            what,
            "#".repeat(filled),
            ".".repeat(WIDTH - filled),
            percent,
            done,
            total,
            (System.nanoTime() - start) / 1e9);
    if (terminal) {
      out.print("\r" + line);
      out.flush();
    } else {
      out.println(line);
    }
  }

  /** Ends the line of the bar. */
  void finish() {
    if (terminal) {
      out.println();
    }
  }
}
