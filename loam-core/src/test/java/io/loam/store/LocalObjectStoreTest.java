package io.loam.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder store: the contract, and what it owes to the disk. */
final class LocalObjectStoreTest extends ObjectStoreContract {
  @TempDir Path folder;

  @Override
  ObjectStore open() {
    return new LocalObjectStore(folder.resolve("new/warehouse"));
  }

  /** Records what is synced, and fails from a chosen call on. */
  private static final class FaultyDisk implements DiskSync {
    final List<Path> synced = new ArrayList<>();
    int failAt = Integer.MAX_VALUE;

    @Override
    public synchronized void sync(Path path) throws IOException {
      synced.add(path);
      if (synced.size() >= failAt) {
        throw new IOException("disk is gone");
      }
    }

    List<Path> take() {
      List<Path> taken = List.copyOf(synced);
      synced.clear();
      return taken;
    }
  }

  @Test
  void readersMakeNothing() throws IOException {
    Path empty = Files.createDirectories(folder.resolve("empty"));
    for (Path root : List.of(empty, empty.resolve("none/of/these"))) {
      try (ObjectStore store = new LocalObjectStore(root)) {
        assertThat(store.get("x")).isEmpty();
        assertThat(store.size("x")).isEmpty();
        assertThat(store.list("")).isEmpty();
        assertThat(store.list("a/")).isEmpty();
        assertThatThrownBy(() -> store.getRange("x", 0, 1))
            .isInstanceOfSatisfying(
                LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MISSING_OBJECT));
        assertThat(empty).isEmptyDirectory();
      }
    }
  }

  @Test
  void aFolderThatIsMadeLaterIsTheSameThroughLinks() throws IOException {
    Path real = Files.createDirectories(folder.resolve("real"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), real);
    try (ObjectStore store = new LocalObjectStore(link.resolve("new"))) {
      assertThat(store.uri("x")).isEqualTo(real.toRealPath().resolve("new/x").toString());
    }
    try (ObjectStore store = new LocalObjectStore(real.resolve("late"))) {
      Files.createSymbolicLink(real.resolve("late"), real);
      assertThatThrownBy(() -> store.putIfAbsent("x", utf8("1")))
          .isInstanceOfSatisfying(
              LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE))
          .hasMessageContaining("the folder was replaced by a link");
    }
  }

  @Test
  void aFileIsNoFolder() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    for (Path root : List.of(file, file.resolve("below"))) {
      assertThatThrownBy(() -> new LocalObjectStore(root))
          .isInstanceOfSatisfying(
              LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE))
          .hasMessageStartingWith("cannot open warehouse folder: path=" + root)
          .hasMessageContaining("NotDirectoryException: " + file);
    }
  }

  /** A folder that cannot be written to can be read. */
  @Test
  void onlyWritersTakeTurns() throws IOException {
    try (ObjectStore store = open()) {
      Path turns = folder.resolve("new/warehouse/.loam/turns");
      assertThat(store.get("x")).isEmpty();
      assertThat(turns).doesNotExist();
      store.turn("x").close();
      assertThat(turns).exists();
    }
  }

  private Path root() throws IOException {
    return folder.toRealPath().resolve("faulty");
  }

  @Test
  void newFoldersAreSyncedOnceAndObjectsTwice() throws IOException {
    FaultyDisk disk = new FaultyDisk();
    Path root = root();
    try (ObjectStore store = new LocalObjectStore(root, disk)) {
      assertThat(disk.take()).isEmpty();
      String tag = store.putIfAbsent("a/b/x", utf8("1")).orElseThrow();
      List<Path> first = disk.take();
      assertThat(first)
          .hasSize(5)
          .startsWith(root.getParent(), root, root.resolve("a"))
          .endsWith(root.resolve("a/b"));
      store.putIfMatch("a/b/x", utf8("2"), tag);
      assertThat(disk.take()).hasSize(2).endsWith(root.resolve("a/b"));
      store.putIfAbsent("a/b/y", utf8("1"));
      assertThat(disk.take()).hasSize(2).endsWith(root.resolve("a/b"));
      assertThat(store.putIfAbsent("a/b/y", utf8("1"))).isEmpty();
      assertThat(disk.take()).endsWith(root.resolve("a/b"));
    }
  }

  @Test
  void forceSyncsEachFileAndEachFolderOnce() throws IOException {
    FaultyDisk disk = new FaultyDisk();
    Path root = root();
    try (ObjectStore store = new LocalObjectStore(root, disk)) {
      store.delete("none");
      Path data = Files.createDirectories(root.resolve("lance/data"));
      Files.writeString(data.resolve("1"), "x");
      Files.writeString(data.resolve("2"), "x");
      disk.take();
      store.force(List.of("lance/data/1", "lance/data/2"));
      assertThat(disk.take())
          .containsExactlyInAnyOrder(
              data.resolve("1"), data.resolve("2"), data, root, root.resolve("lance"));
    }
    try (ObjectStore store = new LocalObjectStore(root)) {
      assertThatThrownBy(() -> store.force(List.of("lance/none")))
          .isInstanceOfSatisfying(
              LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MISSING_OBJECT));
    }
  }

  @Test
  void stagedObjectsAreThereAtOnceAndSyncedByForce() throws IOException {
    FaultyDisk disk = new FaultyDisk();
    Path root = root();
    try (ObjectStore store = new LocalObjectStore(root, disk)) {
      store.delete("none");
      disk.take();
      String tag = store.stage("a/x", utf8("1")).orElseThrow();
      assertThat(store.stage("a/x", utf8("2"))).isEmpty();
      assertThat(store.get("a/x").orElseThrow().tag()).isEqualTo(tag);
      assertThat(disk.take()).isEmpty();
      store.force(List.of("a/x"));
      assertThat(disk.take())
          .containsExactlyInAnyOrder(root.resolve("a/x"), root.resolve("a"), root);
      disk.failAt = 1;
      assertFails(ErrorCode.STORE_UNAVAILABLE, () -> store.force(List.of("a/x")));
      assertNoTemporaryFiles(root);
    }
  }

  @Test
  void failedSyncBeforeTheNameMeansNothingHappened() throws IOException {
    FaultyDisk disk = new FaultyDisk();
    try (ObjectStore store = new LocalObjectStore(root(), disk)) {
      String tag = store.putIfAbsent("x", utf8("1")).orElseThrow();
      disk.take();
      disk.failAt = 1;
      assertFails(ErrorCode.STORE_UNAVAILABLE, () -> store.putIfMatch("x", utf8("2"), tag));
      disk.take();
      assertFails(ErrorCode.STORE_UNAVAILABLE, () -> store.putIfAbsent("y", utf8("2")));
      disk.failAt = Integer.MAX_VALUE;
      assertThat(store.get("x").orElseThrow().content()).isEqualTo(utf8("1"));
      assertThat(store.get("y")).isEmpty();
      assertNoTemporaryFiles(root());
    }
  }

  @Test
  void failedSyncOfTheNameMeansUnknown() throws IOException {
    FaultyDisk disk = new FaultyDisk();
    try (ObjectStore store = new LocalObjectStore(root(), disk)) {
      String tag = store.putIfAbsent("x", utf8("1")).orElseThrow();
      disk.take();
      disk.failAt = 2;
      assertFails(ErrorCode.OUTCOME_UNKNOWN, () -> store.putIfMatch("x", utf8("2"), tag));
      disk.take();
      assertFails(ErrorCode.OUTCOME_UNKNOWN, () -> store.putIfAbsent("y", utf8("2")));
      assertNoTemporaryFiles(root());
    }
  }

  private static void assertFails(ErrorCode code, Runnable write) {
    assertThatThrownBy(write::run)
        .isInstanceOfSatisfying(LoamException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining("disk is gone");
  }

  private static void assertNoTemporaryFiles(Path root) throws IOException {
    try (Stream<Path> files = Files.list(root.resolve(".loam/tmp"))) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void interruptedThreadFinishesItsWrite() {
    Thread.currentThread().interrupt();
    String tag = store.putIfAbsent("x", utf8("1")).orElseThrow();
    assertThat(store.putIfMatch("x", utf8("2"), tag)).isPresent();
    assertThat(content("x")).isEqualTo("2");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void leftoversOfTheDeadAreSweptAndThoseOfTheLivingKept() throws IOException {
    store.putIfAbsent("x", utf8("1"));
    Path temporary = folder.resolve("new/warehouse/.loam/tmp");
    Path old = Files.createFile(temporary.resolve("old"));
    Path fresh = Files.createFile(temporary.resolve("fresh"));
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
    try (ObjectStore writer = open()) {
      writer.putIfAbsent("y", utf8("1"));
    }
    assertThat(old).doesNotExist();
    assertThat(fresh).exists();
  }

  @Test
  void twoProcessesShareAFolder() throws Exception {
    int rounds = 100;
    store.putIfAbsent("counter", utf8("0"));
    List<Process> processes = new ArrayList<>();
    for (String owner : List.of("a", "b")) {
      processes.add(
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  StoreRacer.class.getName(),
                  folder.resolve("new/warehouse").toString(),
                  Integer.toString(rounds),
                  owner)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start());
    }
    int made = 0;
    for (Process process : processes) {
      made +=
          Integer.parseInt(
              new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
      assertThat(process.waitFor()).isZero();
    }
    assertThat(content("counter")).isEqualTo(Integer.toString(2 * rounds));
    assertThat(made).isEqualTo(rounds);
  }
}
