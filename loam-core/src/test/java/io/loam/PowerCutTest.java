package io.loam;

import static io.loam.GarbageFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.loam.query.VersionSpec;
import io.loam.store.PowerCut;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * P2 where the power fails, which killing a process does not show: what was synced, and it alone,
 * is the table with all that was acknowledged.
 */
class PowerCutTest {
  @TempDir Path folder;
  private Path root;
  private int images;

  @BeforeEach
  void makeRoot() throws IOException {
    root = Files.createDirectory(folder.resolve("warehouse")).toRealPath();
  }

  private Path image(PowerCut disk) {
    Path image = folder.resolve("image" + images++);
    disk.image(image);
    return image;
  }

  private void assertHolds(Path image, Map<Long, String> model, String moment) {
    Path cache = folder.resolve("cache" + images++);
    try (Warehouse warehouse = Warehouse.open(new WarehouseOptions(image, cache, 0))) {
      Collection docs = warehouse.get(DOCS);
      assertThat(docs.verify(new VersionSpec.Latest()).findings()).as(moment).isEmpty();
      assertThat(CrashScript.rows(docs)).as(moment).isEqualTo(model);
    }
  }

  @Test
  void p2_powerCutAfterEachStatement() {
    run(CrashScript.short_(), CrashScript.SHORT_STATEMENTS, number -> true);
  }

  /** Enough small commits to fold the tail. */
  @Test
  void p2_powerCutAfterManyStatements() {
    run(CrashScript.random(5), 75, number -> number % 9 == 0 || number > 64);
  }

  private void run(CrashScript script, int statements, IntPredicate isChecked) {
    PowerCut disk = PowerCut.over(root);
    // What the disk holds at the swap has to do: a file that is synced only later may be lost.
    List<Path> atSwaps = new ArrayList<>();
    int[] current = {0};
    disk.beforeHeadSwap(
        content -> {
          if (isChecked.test(current[0])) {
            atSwaps.add(withHead(image(disk), content));
          }
        });
    WarehouseOptions options = new WarehouseOptions(root, folder.resolve("cache"), 0);
    try (Warehouse warehouse = new LoamWarehouse(options, disk)) {
      for (int number = 0; number < statements; number++) {
        current[0] = number;
        script.run(number, script.model(number), warehouse);
        if (!isChecked.test(number)) {
          continue;
        }
        Map<Long, String> model = script.model(number + 1);
        String moment = "statement " + number;
        assertHolds(image(disk), model, "after " + moment);
        atSwaps.forEach(swapped -> assertHolds(swapped, model, "at the swap of " + moment));
        atSwaps.clear();
      }
    }
  }

  private static Path withHead(Path image, byte[] content) {
    try (Stream<Path> files = Files.walk(image)) {
      Path head = files.filter(f -> f.endsWith("head")).findFirst().orElseThrow();
      Files.write(head, content);
      return image;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
