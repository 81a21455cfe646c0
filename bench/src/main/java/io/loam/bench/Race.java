package io.loam.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Contestants that take turns with the same questions, so that whatever else the machine does falls
 * on all of them. With several threads, all threads ask one contestant for some questions, then the
 * next.
 */
final class Race {
  /** Questions in a row to one contestant where several threads ask. */
  private static final int TURN = 20;

  private final Report report;
  private final List<Integer> threads;
  private final Set<String> engines;
  private final long leastNanos;
  private boolean agreed = true;

  /**
   * @param engines names of those that take part
   * @param leastSeconds for how long each piece of work is repeated at least
   */
  Race(Report report, List<Integer> threads, Set<String> engines, double leastSeconds) {
    this.report = report;
    this.threads = threads;
    this.engines = engines;
    this.leastNanos = (long) (leastSeconds * 1e9);
  }

  boolean has(String engine) {
    return engines.contains(engine);
  }

  /** Whether all contestants found the same as far as they had to. */
  boolean agreed() {
    return agreed;
  }

  /**
   * Measures a piece of work.
   *
   * @param least fraction of questions on which others must give the same rows as the first
   */
  void run(String work, int questions, double least, List<Contestant> all)
      throws IOException, SQLException, InterruptedException {
    List<Contestant> contestants = all.stream().filter(c -> has(c.name())).toList();
    for (int count : threads) {
      Map<String, Timings> times = new LinkedHashMap<>();
      contestants.forEach(c -> times.put(c.name(), new Timings()));
      List<List<Asker>> askers = new ArrayList<>();
      try {
        for (Contestant contestant : contestants) {
          List<Asker> opened = new ArrayList<>();
          askers.add(opened);
          for (int thread = 0; thread < count; thread++) {
            opened.add(contestant.askers().open());
          }
        }
        if (count == threads.get(0)) {
          compare(work, questions, least, contestants, askers);
        }
        measure(questions, askers, List.copyOf(times.values()));
      } finally {
        for (List<Asker> opened : askers) {
          for (Asker asker : opened) {
            asker.close();
          }
        }
      }
      String where = count == 1 ? "" : ", " + count + " threads";
      times.forEach((name, t) -> report.times(work + where, name, t));
    }
    System.err.println(work + " done");
  }

  /** Warms up, too. */
  private void compare(
      String work,
      int questions,
      double least,
      List<Contestant> contestants,
      List<List<Asker>> askers)
      throws IOException, SQLException {
    for (int c = 1; c < contestants.size(); c++) {
      Agreement agreement = new Agreement();
      for (int question = 0; question < questions; question++) {
        agreement.add(
            list(askers.get(0).get(0).ask(question)), list(askers.get(c).get(0).ask(question)));
      }
      agreed &= agreement.holds(least);
      report.note(
          work
              + ", "
              + contestants.get(0).name()
              + " and "
              + contestants.get(c).name()
              + ": "
              + agreement);
    }
  }

  private static List<Long> list(long[] ids) {
    return Arrays.stream(ids).boxed().toList();
  }

  private void measure(int questions, List<List<Asker>> askers, List<Timings> times)
      throws IOException, SQLException, InterruptedException {
    if (askers.isEmpty()) {
      return;
    }
    int count = askers.get(0).size();
    // The first pass does not count.
    List<Timings> unused = times.stream().map(t -> new Timings()).toList();
    long end = Long.MAX_VALUE;
    for (int pass = 0; pass < 3 || System.nanoTime() < end; pass++) {
      if (pass == 1) {
        end = System.nanoTime() + leastNanos;
      }
      List<Timings> counted = pass == 0 ? unused : times;
      if (count == 1) {
        alone(questions, askers, counted);
      } else {
        together(questions, askers, counted);
      }
    }
  }

  private static void alone(int questions, List<List<Asker>> askers, List<Timings> times)
      throws IOException, SQLException {
    for (int question = 0; question < questions; question++) {
      for (int c = 0; c < askers.size(); c++) {
        long start = System.nanoTime();
        askers.get(c).get(0).ask(question);
        times.get(c).add(System.nanoTime() - start);
      }
    }
  }

  private static void together(int questions, List<List<Asker>> askers, List<Timings> times)
      throws IOException, InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(askers.get(0).size());
    try {
      for (int from = 0; from < questions; from += TURN) {
        for (int c = 0; c < askers.size(); c++) {
          List<Callable<Timings>> turns = new ArrayList<>();
          for (Asker asker : askers.get(c)) {
            int first = from;
            turns.add(() -> turn(asker, first, Math.min(questions, first + TURN)));
          }
          for (Future<Timings> turn : pool.invokeAll(turns)) {
            times.get(c).addAll(turn.get());
          }
        }
      }
    } catch (ExecutionException e) {
      throw new IOException("a thread failed", e);
    } finally {
      pool.shutdownNow();
    }
  }

  private static Timings turn(Asker asker, int from, int to) throws IOException, SQLException {
    Timings times = new Timings();
    for (int question = from; question < to; question++) {
      long start = System.nanoTime();
      asker.ask(question);
      times.add(System.nanoTime() - start);
    }
    return times;
  }

  /** The fraction of the true answers that a contestant gives. */
  static double recall(Asker asker, List<long[]> truth) throws IOException, SQLException {
    long found = 0;
    long wanted = 0;
    for (int question = 0; question < truth.size(); question++) {
      List<Long> answer = list(asker.ask(question));
      for (long id : truth.get(question)) {
        found += answer.contains(id) ? 1 : 0;
        wanted++;
      }
    }
    return found / (double) Math.max(1, wanted);
  }

  /** Tells in the report what fraction of the true answers a contestant gives. */
  void noteRecall(String work, Contestant contestant, List<long[]> truth)
      throws IOException, SQLException {
    if (!has(contestant.name())) {
      return;
    }
    try (Asker asker = contestant.askers().open()) {
      report.note(
          String.format(
              Locale.ROOT,
              "%s, %s: recall %.4f over %,d questions",
              work,
              contestant.name(),
              recall(asker, truth),
              truth.size()));
    }
  }
}
