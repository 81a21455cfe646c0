package io.loam.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.ChildJvm;
import io.loam.Collection;
import io.loam.Reads;
import io.loam.Warehouse;
import io.loam.WarehouseOptions;
import io.loam.manifest.Manifest;
import io.loam.query.OutputColumn;
import io.loam.query.SearchRequest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.schema.FieldType;
import io.loam.schema.SchemaBuilder;
import io.loam.schema.TypeKind;
import io.loam.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several processes work on one table, and all that they did and saw is what a table with snapshot
 * isolation allows: single keys are linearizable registers, transactions see one version and change
 * none that others changed, and every version has one parent.
 */
abstract class HistoryContract {
  private static final int CLIENTS = 3;
  private static final int SECONDS = 600;

  @TempDir Path folder;

  abstract StoreLocation location();

  /** The location as a client's argument. */
  abstract String argument();

  @Test
  void p1p2p5_shortHistory() throws Exception {
    check(60);
  }

  @Test
  @Tag("long")
  void p1p2p5_longHistory() throws Exception {
    check(1_500);
  }

  private void check(int operations) throws Exception {
    WarehouseOptions options = new WarehouseOptions(location(), folder.resolve("cache"), 0);
    try (Warehouse warehouse = Warehouse.open(options)) {
      Collection registers =
          warehouse.create(
              HistoryClient.REGISTERS,
              new SchemaBuilder()
                  .add("id", FieldType.of(TypeKind.BIGINT), false, "", "")
                  .add("value_", FieldType.of(TypeKind.BIGINT), true, "", "")
                  .primaryKey("id")
                  .build());
      List<Operation> history = run(operations);
      checkChain(registers.manifests());
      TreeMap<Long, Map<Integer, Long>> versions = versions(registers);
      assertThat(SnapshotCheck.problems(history, versions)).isEmpty();
      assertThat(RegisterCheck.unordered(history)).isEmpty();
      assertThat(registers.verify(new VersionSpec.Latest()).findings()).isEmpty();
      long commits = history.stream().filter(op -> op.commitVersion() > 0).count();
      System.out.println("operations=" + history.size() + ", commits=" + commits);
      assertThat(commits).isGreaterThan(10L * CLIENTS);
    }
  }

  private List<Operation> run(int operations) throws IOException, InterruptedException {
    List<Process> clients = new ArrayList<>();
    try {
      for (int number = 1; number <= CLIENTS; number++) {
        Path place = Files.createDirectory(folder.resolve("client" + number));
        List<String> flags =
            List.of(
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.nio=ALL-UNNAMED");
        List<String> arguments =
            List.of(
                argument(), place.toString(), String.valueOf(number), String.valueOf(operations));
        clients.add(
            ChildJvm.start(place, place.resolve("output"), flags, HistoryClient.class, arguments));
      }
      letGo(clients);
      List<Operation> history = new ArrayList<>();
      for (int number = 1; number <= CLIENTS; number++) {
        Path place = folder.resolve("client" + number);
        Process client = clients.get(number - 1);
        assertThat(client.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(client.exitValue()).as(Files.readString(place.resolve("output"))).isZero();
        Files.readAllLines(place.resolve("record"))
            .forEach(line -> history.add(Operation.parse(line)));
      }
      return history;
    } finally {
      clients.forEach(Process::destroyForcibly);
    }
  }

  /** Lets all clients go once all are ready. */
  private void letGo(List<Process> clients) throws IOException, InterruptedException {
    for (int number = 1; number <= CLIENTS; number++) {
      Path place = folder.resolve("client" + number);
      while (!Files.exists(place.resolve("ready"))) {
        assertThat(clients.get(number - 1).isAlive())
            .as(Files.readString(place.resolve("output")))
            .isTrue();
        Thread.sleep(5);
      }
    }
    for (int number = 1; number <= CLIENTS; number++) {
      Files.createFile(folder.resolve("client" + number).resolve("go"));
    }
  }

  private static void checkChain(List<Manifest> manifests) {
    for (int i = 0; i + 1 < manifests.size(); i++) {
      assertThat(manifests.get(i).parentVersion()).isEqualTo(manifests.get(i + 1).version());
      assertThat(manifests.get(i).version()).isEqualTo(manifests.get(i + 1).version() + 1);
    }
    assertThat(manifests.get(manifests.size() - 1).version()).isEqualTo(1);
  }

  /** The rows of every version. */
  private static TreeMap<Long, Map<Integer, Long>> versions(Collection registers) {
    TreeMap<Long, Map<Integer, Long>> versions = new TreeMap<>();
    List<OutputColumn> output = List.of(OutputColumn.field(1), OutputColumn.field(2));
    for (Manifest manifest : registers.manifests()) {
      Map<Integer, Long> rows = new TreeMap<>();
      try (Snapshot snapshot = registers.snapshot(new VersionSpec.At(manifest.version()))) {
        for (Object[] row : Reads.rows(snapshot, SearchRequest.scan(output))) {
          rows.put(Math.toIntExact((Long) row[0]), (Long) row[1]);
        }
      }
      versions.put(manifest.version(), rows);
    }
    return versions;
  }
}
