package io.loam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.commit.WriteBatch;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** P10: a damaged object gives an error that names it, never wrong rows. */
class DamageTest {
  private static final int OBJECTS_PER_KIND = 2;

  @TempDir static Path folder;
  private static Path warehouse;
  private static List<String> objects;

  /** Paths of what the newest version names, relative to the warehouse. */
  private static Set<String> named;

  private static DamageTrials trials;

  @BeforeAll
  static void fill() throws IOException {
    warehouse = folder.resolve("warehouse");
    DamageTrials.fill(warehouse, folder.resolve("cache"));
    try (Stream<Path> files = Files.walk(warehouse)) {
      objects =
          files
              .filter(Files::isRegularFile)
              .map(f -> warehouse.relativize(f).toString())
              .filter(f -> !f.startsWith("."))
              .sorted()
              .toList();
    }
    String collection =
        objects.stream()
            .filter(o -> o.endsWith("/head"))
            .map(o -> o.substring(0, o.length() - "head".length()))
            .findFirst()
            .orElseThrow();
    named = new HashSet<>();
    WarehouseOptions options = new WarehouseOptions(warehouse, folder.resolve("cache"), 0);
    try (Warehouse open = Warehouse.open(options)) {
      Manifest newest = open.get(DamageTrials.DOCS).manifests().get(0);
      named.add(newest.schemaPath());
      newest.files().forEach(f -> named.add(collection + f.path()));
    }
    trials = new DamageTrials(warehouse, folder.resolve("caches"));
  }

  /** Objects of a kind, those that the newest version names first. */
  private static List<String> ofKind(String pattern) {
    List<String> found = new ArrayList<>(objects.stream().filter(o -> o.matches(pattern)).toList());
    found.sort((a, b) -> Boolean.compare(named.contains(b), named.contains(a)));
    assertThat(found).as(pattern).isNotEmpty();
    return found.subList(0, Math.min(OBJECTS_PER_KIND, found.size()));
  }

  @ParameterizedTest
  @CsvSource({
    "head, .*/head",
    "schema, .*/schemas/.*",
    "manifest, .*/manifests/.*",
    "key delta of the newest version, .*/keys/0*6-.*",
    "column file, .*[.]columns",
    "token file, .*[.]tokens",
    "sparse file, .*[.]sparse",
    "code file, .*[.]codes",
    "delete bitmap, .*[.]bitmap",
    "tail file, .*/tail/.*",
  })
  void p10_damagedObjectIsNamed(String kind, String pattern) throws IOException {
    for (String object : ofKind(pattern)) {
      DamageTrials.Outcome outcome = trials.tryAll(object, true);
      assertThat(outcome.faults()).as(kind + " " + object).isEmpty();
      assertThat(outcome.unnoticed()).as(kind + " " + object).isEmpty();
    }
  }

  /** Splits are for other engines. */
  @Test
  void p10_answersDoNotDependOnSplits() throws IOException {
    for (String object : ofKind(".*[.]split")) {
      assertThat(trials.tryAll(object, false).faults()).as(object).isEmpty();
    }
  }

  /** Without its entry a table is unknown, which is another error. */
  @Test
  void p10_damagedCatalogEntryIsNamed() throws IOException {
    DamageTrials.Outcome outcome = trials.tryAll(ofKind("catalog/.*").get(0), false);
    assertThat(outcome.faults()).isEmpty();
    assertThat(outcome.unnoticed()).isEmpty();
  }

  /** Readers need no counters; a writer must not trust damaged ones. */
  @Test
  void p10_damagedIdCountersAreNamed() throws IOException {
    String object = ofKind(".*/ids").get(0);
    Path file = warehouse.resolve(object);
    byte[] content = Files.readAllBytes(file);
    try {
      for (int at = 0; at < content.length; at++) {
        byte[] flipped = content.clone();
        flipped[at] ^= 4;
        Files.write(file, flipped);
        assertInsertFails(ErrorCode.CORRUPT_OBJECT, object);
      }
      Files.write(file, Arrays.copyOf(content, content.length / 2));
      assertInsertFails(ErrorCode.CORRUPT_OBJECT, object);
      Files.delete(file);
      assertInsertFails(ErrorCode.MISSING_OBJECT, object);
    } finally {
      Files.write(file, content);
    }
  }

  private static void assertInsertFails(ErrorCode code, String object) {
    WriteBatch batch = WriteBatch.create().insert(-1L, null, null, null, null, null);
    WarehouseOptions options = new WarehouseOptions(warehouse, folder.resolve("cache"), 0);
    try (Warehouse open = Warehouse.open(options)) {
      Collection docs = open.get(DamageTrials.DOCS);
      assertThatThrownBy(() -> docs.commit(batch))
          .isInstanceOfSatisfying(LoamException.class, e -> assertThat(e.code()).isEqualTo(code))
          .hasMessageContaining(object);
    }
  }

  /** In a JVM of their own, since Lance may end the process on bytes that it did not write. */
  @Test
  void p10_damagedLanceFileIsNamed() throws Exception {
    List<String> damaged = new ArrayList<>();
    damaged.addAll(ofKind(".*/lance/data/.*"));
    damaged.addAll(ofKind(".*/lance/_deletions/.*"));
    damaged.addAll(ofKind(".*/lance/_versions/.*"));
    damaged.addAll(ofKind(".*/lance/_transactions/.*"));
    List<String> arguments = new ArrayList<>();
    arguments.add(warehouse.toString());
    arguments.add(folder.resolve("caches-of-child").toString());
    arguments.addAll(damaged);
    String printed = ChildJvm.run(folder, List.of("-Xmx512m"), DamageTrials.class, arguments, 300);
    assertThat(printed).contains("tried all").doesNotContain("FAULT");
    String object = "";
    for (String line : printed.lines().toList()) {
      if (line.startsWith("trying ")) {
        object = line.substring("trying ".length());
      }
      assertThat(line.startsWith("UNNOTICED") && named.contains(object)).as(printed).isFalse();
    }
  }
}
