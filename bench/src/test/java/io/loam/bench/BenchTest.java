package io.loam.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchTest {
  @TempDir private Path folder;

  @Test
  void peersRunAtATinyScale() throws Exception {
    Path table = folder.resolve("table.md");
    int status =
        Bench.run(
            "wordnet",
            "--engines=lucene,sqlite",
            "--docs=2000",
            "--queries=20",
            "--rounds=1",
            "--only=load,search,get,group,add",
            "--folder=" + folder,
            "--markdown=" + table);
    assertThat(status).isZero();
    assertThat(Files.readString(table))
        .startsWith("| median (p99) ≥least | Loam | Lucene | SQLite |")
        .contains("| bulk INSERT, documents/s |")
        .contains("| bm25 PHRASE, top 10, ms |")
        .contains("| one-row INSERT, committed, ms |");
    try (var left = Files.list(folder)) {
      assertThat(left).containsExactly(table);
    }
  }

  @Test
  void peersOfSearchRunAtATinyScale() {
    String common = "--folder=" + folder;
    assertThat(
            Bench.run(
                "text", common, "--engines=Lucene", "--docs=2000", "--questions=20", "--seconds=0"))
        .isZero();
    assertThat(
            Bench.run(
                "vectors",
                common,
                "--engines=Java loop,Lucene HNSW",
                "--rows=1500",
                "--questions=20",
                "--seconds=0"))
        .isZero();
    assertThat(
            Bench.run(
                "sparse",
                common,
                "--engines=Java lists",
                "--rows=500",
                "--questions=20",
                "--seconds=0",
                "--memory"))
        .isZero();
    assertThat(
            Bench.run(
                "columns",
                common,
                "--engines=DuckDB",
                "--rows=2000",
                "--questions=20",
                "--seconds=0"))
        .isZero();
  }

  @Test
  void questionsAreTheSameEachTimeAndStandInTheDocuments() {
    Corpus corpus = Corpus.read(1_000, 50);
    assertThat(Corpus.read(1_000, 50)).isEqualTo(corpus);
    assertThat(corpus.docs()).hasSize(1_000);
    assertThat(corpus.questions()).hasSize(50).allMatch(q -> !q.isEmpty() && q.size() <= 10);
    assertThat(corpus.phrases())
        .hasSize(50)
        .allMatch(p -> p.size() >= 2 && p.size() <= 4)
        .allMatch(p -> corpus.docs().stream().anyMatch(d -> holds(d, p)));
  }

  private static boolean holds(Doc doc, List<String> phrase) {
    return doc.body()
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^a-z]+", " ")
        .contains(String.join(" ", phrase));
  }

  @Test
  void keysAreFoundBesideRocksDb() {
    assertThat(KeyBench.run("--keys=2000", "--splits=1,3")).isZero();
  }

  @Test
  void quantiles() {
    Timings timings = new Timings();
    for (int i = 100; i >= 1; i--) {
      timings.add(i * 1_000_000L);
    }
    assertThat(timings.quantileMillis(0.5)).isEqualTo(50);
    assertThat(timings.quantileMillis(0.99)).isEqualTo(99);
    assertThat(timings.quantileMillis(1)).isEqualTo(100);
  }

  @Test
  void ratiosAreLoamToPeer() {
    Report report = new Report(List.of("Peer"));
    report.value("work", "Loam", 3);
    report.value("work", "Peer", 2);
    report.value("other work", "Peer", 1234);
    assertThat(report.markdown())
        .contains("| median (p99) ≥least | Loam | Peer | Loam ÷ Peer |\n|---|---:|---:|---:|\n")
        .contains("| work | 3.00 | 2.00 | 1.50 |\n")
        .contains("| other work |  | 1,234 |  |\n");
  }
}
