package io.loam.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Loam, Lucene and SQLite on the definitions of WordNet, taking turns in one process. */
@Command(
    name = "wordnet",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Loam, Lucene and SQLite on 117,791 definitions of WordNet.")
final class WordNetBench implements Callable<Integer> {
  /** A part of the benchmark. */
  enum Work {
    LOAD,
    SEARCH,
    GET,
    GROUP,
    ADD,
    START,
    MEMORY
  }

  private static final int ADDS = 100;
  private static final int GROUP_REPEATS = 50;
  private static final int START_REPEATS = 7;
  private static final int MEASURED_PASSES = 2;
  private static final List<String> MEMORY_OPTIONS = List.of("-Xmx1g");

  /** Fraction of questions on which Loam and Lucene must find the same rows. */
  private static final double LEAST_AGREEMENT = 0.9;

  @Option(names = "--docs", defaultValue = "117791", description = "Documents; ${DEFAULT-VALUE}.")
  private int docCount;

  @Option(names = "--queries", defaultValue = "1000", description = "Questions; ${DEFAULT-VALUE}.")
  private int queryCount;

  @Option(
      names = "--rounds",
      defaultValue = "2",
      description = "Loads into new folders, the last of which counts; ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(names = "--only", split = ",", description = "Of ${COMPLETION-CANDIDATES}; all.")
  private Set<Work> only = EnumSet.allOf(Work.class);

  @Option(names = "--engines", split = ",", description = "Of ${COMPLETION-CANDIDATES}; all.")
  private Set<EngineKind> engineKinds = EnumSet.allOf(EngineKind.class);

  @Option(names = "--folder", description = "Where to work; ~/.cache/loam/bench.")
  private Path folder = Path.of(System.getProperty("user.home"), ".cache", "loam", "bench");

  @Option(names = "--markdown", description = "File to write the table to as Markdown.")
  private @Nullable Path markdown;

  private final Report report = new Report(List.of(LuceneEngine.NAME, SqliteEngine.NAME));
  private boolean agreed = true;

  /** Work that may fail as engines do. */
  private interface Step {
    Object run() throws IOException, SQLException;
  }

  @Override
  public Integer call() throws IOException, SQLException, InterruptedException {
    // In the order of the enum, so that Loam is what the others are compared with.
    engineKinds = EnumSet.copyOf(engineKinds);
    Files.createDirectories(folder);
    Path work = Files.createTempDirectory(folder, "wordnet");
    try {
      Corpus corpus = Corpus.read(docCount, queryCount);
      measureEngines(work, corpus);
      if (only.contains(Work.MEMORY)) {
        measureMemory(work);
      }
      noteMachine();
    } finally {
      deleteAll(work);
    }
    System.out.print(report.text());
    if (markdown != null) {
      Files.writeString(markdown, report.markdown());
    }
    return agreed ? 0 : 1;
  }

  private void measureEngines(Path work, Corpus corpus)
      throws IOException, SQLException, InterruptedException {
    if (only.equals(EnumSet.of(Work.MEMORY))) {
      return;
    }
    Path last = Files.createDirectory(work.resolve("engines"));
    List<Engine> engines = load(work, last, corpus.docs());
    try {
      if (only.contains(Work.SEARCH)) {
        for (Mode mode : Mode.values()) {
          measureSearch(engines, mode, corpus, "");
        }
      }
      if (only.contains(Work.GET)) {
        measureGet(engines, corpus.docs());
      }
      if (only.contains(Work.GROUP)) {
        measureGroup(engines);
      }
      if (only.contains(Work.ADD)) {
        measureAdd(engines, corpus);
      }
    } finally {
      for (Engine engine : engines) {
        engine.close();
      }
    }
    if (only.contains(Work.START)) {
      Set<String> opened = engines.stream().map(Engine::name).collect(Collectors.toSet());
      measureStart(last, opened, corpus.docs().get(0).id());
    }
  }

  /** The engines of the last round, open. Earlier rounds warm the JVM up. */
  private List<Engine> load(Path work, Path last, List<Doc> docs) throws IOException, SQLException {
    int loads = only.contains(Work.LOAD) ? rounds : 1;
    List<Engine> engines = new ArrayList<>();
    for (int round = 1; round <= loads; round++) {
      for (EngineKind kind : engineKinds) {
        Path target = round == loads ? last : work.resolve(kind + "-" + round);
        Files.createDirectories(target);
        Engine engine = kind.open(target);
        engines.add(engine);
        long start = System.nanoTime();
        engine.load(docs);
        double seconds = (System.nanoTime() - start) / 1e9;
        progress("%s loaded in %.1f s", engine.name(), seconds);
        if (round == loads) {
          if (only.contains(Work.LOAD)) {
            report.value("bulk INSERT, documents/s", engine.name(), docs.size() / seconds);
          }
        } else {
          engine.close();
          engines.remove(engine);
          deleteAll(target);
        }
      }
    }
    return engines;
  }

  private void measureSearch(List<Engine> engines, Mode mode, Corpus corpus, String when)
      throws IOException, SQLException {
    List<List<String>> questions = mode == Mode.PHRASE ? corpus.phrases() : corpus.questions();
    Map<Engine, Timings> timings = timings(engines);
    Map<Engine, Agreement> agreements = new LinkedHashMap<>();
    engines.subList(1, engines.size()).forEach(e -> agreements.put(e, new Agreement()));
    for (int pass = 0; pass <= MEASURED_PASSES; pass++) {
      for (List<String> question : questions) {
        List<List<Long>> found = new ArrayList<>();
        for (Engine engine : engines) {
          long start = System.nanoTime();
          List<Engine.Hit> hits = engine.search(mode, question);
          long time = System.nanoTime() - start;
          if (pass > 0) {
            timings.get(engine).add(time);
          }
          found.add(hits.stream().map(Engine.Hit::id).toList());
        }
        if (pass == 0) {
          for (int e = 1; e < engines.size(); e++) {
            agreements.get(engines.get(e)).add(found.get(0), found.get(e));
          }
        }
      }
    }
    String work = "bm25 " + mode + ", top " + Engine.TOP + when;
    timings.forEach((engine, times) -> report.times(work, engine.name(), times));
    agreements.forEach(
        (engine, agreement) -> {
          // SQLite's idf is another one, so that its order is too.
          boolean must = engines.get(0) instanceof LoamEngine && engine instanceof LuceneEngine;
          agreed &= agreement.holds(must ? LEAST_AGREEMENT : 0);
          report.note(
              work + ", " + engines.get(0).name() + " and " + engine.name() + ": " + agreement);
        });
    progress("%s done", work);
  }

  private void measureGet(List<Engine> engines, List<Doc> docs) throws IOException, SQLException {
    Random random = new Random(7);
    Map<Engine, Timings> timings = timings(engines);
    for (int pass = 0; pass <= MEASURED_PASSES; pass++) {
      for (int i = 0; i < queryCount; i++) {
        Doc doc = docs.get(random.nextInt(docs.size()));
        for (Engine engine : engines) {
          String topic = timed(pass, timings.get(engine), () -> engine.topic(doc.id())).toString();
          check(topic.equals(doc.topic()), engine.name() + " read a wrong topic of " + doc.id());
        }
      }
    }
    timings.forEach((engine, times) -> report.times("SELECT by key", engine.name(), times));
  }

  private void measureGroup(List<Engine> engines) throws IOException, SQLException {
    Map<Engine, Timings> timings = timings(engines);
    for (int i = 0; i < 2 * GROUP_REPEATS; i++) {
      Object expected = engines.get(0).countByTopic();
      for (Engine engine : engines) {
        Object counts = timed(i / GROUP_REPEATS, timings.get(engine), engine::countByTopic);
        check(counts.equals(expected), engine.name() + " counts topics differently");
      }
    }
    timings.forEach(
        (engine, times) -> report.times("GROUP BY keyword, count", engine.name(), times));
  }

  private void measureAdd(List<Engine> engines, Corpus corpus) throws IOException, SQLException {
    long firstFreeId = corpus.docs().stream().mapToLong(Doc::id).max().orElseThrow() + 1;
    Map<Engine, Timings> timings = timings(engines);
    for (int i = 0; i < ADDS; i++) {
      Doc model = corpus.docs().get(i % corpus.docs().size());
      Doc doc = new Doc(firstFreeId + i, model.topic(), model.uses(), model.body());
      for (Engine engine : engines) {
        timed(
            1,
            timings.get(engine),
            () -> {
              engine.add(doc);
              return doc;
            });
      }
    }
    timings.forEach(
        (engine, times) -> report.times("one-row INSERT, committed", engine.name(), times));
    measureSearch(engines, Mode.OR, corpus, " after " + ADDS + " one-row INSERTs");
  }

  private void measureStart(Path last, Set<String> opened, long id)
      throws IOException, SQLException, InterruptedException {
    String sql = "SELECT topic FROM docs WHERE id = " + id;
    Map<String, String> urls =
        Map.of(LoamEngine.NAME, LoamEngine.url(last), SqliteEngine.NAME, SqliteEngine.url(last));
    for (Map.Entry<String, String> engine : urls.entrySet()) {
      if (!opened.contains(engine.getKey())) {
        continue;
      }
      String classPath = ChildJvm.driverClassPath(engine.getValue(), FirstRow.class);
      Timings times = new Timings();
      for (int i = 0; i < START_REPEATS; i++) {
        times.add(
            ChildJvm.run(classPath, List.of(), FirstRow.class, List.of(engine.getValue(), sql))
                .nanos());
      }
      report.value(
          "JVM start to first row, whole process, ms", engine.getKey(), times.quantileMillis(0.5));
    }
  }

  private void measureMemory(Path work) throws IOException, InterruptedException {
    Map<EngineKind, String> names =
        Map.of(
            EngineKind.LOAM, LoamEngine.NAME,
            EngineKind.LUCENE, LuceneEngine.NAME,
            EngineKind.SQLITE, SqliteEngine.NAME);
    for (EngineKind kind : engineKinds) {
      Path target = Files.createDirectories(work.resolve("memory-" + kind));
      ChildJvm child =
          ChildJvm.run(
              ChildJvm.classPath(),
              MEMORY_OPTIONS,
              PeakMemory.class,
              List.of(
                  kind.name(),
                  target.toString(),
                  Integer.toString(docCount),
                  Integer.toString(queryCount)));
      report.value(
          "largest resident size of load and OR search, MB",
          names.get(kind),
          Double.parseDouble(child.output().strip()));
      deleteAll(target);
    }
    report.note("memory: child JVMs with " + MEMORY_OPTIONS + ", corpus and questions included");
  }

  private void noteMachine() {
    report.note(
        String.format(
            Locale.ROOT,
            "%,d documents, %,d questions; Java %s, %d processors, %s %s",
            docCount,
            queryCount,
            System.getProperty("java.version"),
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name"),
            System.getProperty("os.arch")));
  }

  private static Map<Engine, Timings> timings(List<Engine> engines) {
    Map<Engine, Timings> timings = new LinkedHashMap<>();
    engines.forEach(engine -> timings.put(engine, new Timings()));
    return timings;
  }

  /** Runs a step; the time counts unless the pass is 0, which warms up. */
  private static Object timed(int pass, Timings timings, Step step)
      throws IOException, SQLException {
    long start = System.nanoTime();
    Object result = step.run();
    long time = System.nanoTime() - start;
    if (pass > 0) {
      timings.add(time);
    }
    return result;
  }

  private void check(boolean holds, String problem) {
    if (!holds && agreed) {
      agreed = false;
      report.note("WRONG: " + problem);
    }
  }

  private static void progress(String format, Object... arguments) {
    System.err.println(String.format(Locale.ROOT, format, arguments));
  }

  static void deleteAll(Path root) throws IOException {
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(root)) {
      paths = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : paths) {
      Files.delete(path);
    }
  }
}
