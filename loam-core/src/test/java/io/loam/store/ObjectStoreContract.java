package io.loam.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.store.ObjectStore.ObjectInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every object store must do. */
abstract class ObjectStoreContract {
  private static final int THREADS = 8;
  private static final int ROUNDS = 20;

  ObjectStore store;

  /** A store over an empty warehouse. */
  abstract ObjectStore open();

  @BeforeEach
  void openStore() {
    store = open();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  String content(String path) {
    return new String(store.get(path).orElseThrow().content(), StandardCharsets.UTF_8);
  }

  @Test
  void createdObjectIsReadBack() {
    String tag = store.putIfAbsent("a/b/c", utf8("one")).orElseThrow();
    assertThat(content("a/b/c")).isEqualTo("one");
    assertThat(store.get("a/b/c").orElseThrow().tag()).isEqualTo(tag);
    assertThat(store.size("a/b/c")).hasValue(3);
  }

  @Test
  void emptyObjectIsAnObject() {
    assertThat(store.putIfAbsent("empty", new byte[0])).isPresent();
    assertThat(store.get("empty").orElseThrow().content()).isEmpty();
    assertThat(store.putIfAbsent("empty", new byte[0])).isEmpty();
  }

  @Test
  void missingObjectsAreNothing() {
    store.putIfAbsent("folder/object", utf8("x"));
    for (String path : List.of("none", "none/below", "folder")) {
      assertThat(store.get(path)).isEmpty();
      assertThat(store.size(path)).isEmpty();
      assertThatThrownBy(() -> store.getRange(path, 0, 1))
          .isInstanceOfSatisfying(
              LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MISSING_OBJECT))
          .hasMessageContaining(path);
    }
    assertThat(store.putIfMatch("none", utf8("x"), "tag")).isEmpty();
    store.delete("none");
  }

  @Test
  void takenNameKeepsItsContent() {
    store.putIfAbsent("x", utf8("first"));
    assertThat(store.putIfAbsent("x", utf8("second"))).isEmpty();
    assertThat(store.putIfAbsent("x", utf8("first"))).isEmpty();
    assertThat(content("x")).isEqualTo("first");
  }

  @Test
  void swapNeedsTheTagOfTheContent() {
    String one = store.putIfAbsent("x", utf8("1")).orElseThrow();
    String two = store.putIfMatch("x", utf8("2"), one).orElseThrow();
    assertThat(two).isNotEqualTo(one);
    assertThat(store.putIfMatch("x", utf8("3"), one)).isEmpty();
    assertThat(content("x")).isEqualTo("2");
    assertThat(store.get("x").orElseThrow().tag()).isEqualTo(two);
    store.delete("x");
    assertThat(store.putIfMatch("x", utf8("4"), two)).isEmpty();
    assertThat(store.get("x")).isEmpty();
  }

  @Test
  void fileBecomesAnObject(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("file"), utf8("content"));
    String tag = store.putFileIfAbsent("x/y", file).orElseThrow();
    assertThat(store.get("x/y").orElseThrow().tag()).isEqualTo(tag);
    Files.write(file, utf8("changed later"));
    assertThat(content("x/y")).isEqualTo("content");
    assertThat(store.putFileIfAbsent("x/y", file)).isEmpty();
  }

  @Test
  void rangesAreExact() {
    store.putIfAbsent("x", utf8("0123456789"));
    assertThat(store.getRange("x", 3, 4)).isEqualTo(utf8("3456"));
    assertThat(store.getRange("x", 10, 0)).isEmpty();
    assertThatThrownBy(() -> store.getRange("x", 8, 3))
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_OBJECT))
        .hasMessageContaining("path=x")
        .hasMessageContaining("size=10");
  }

  @Test
  void listIsByPrefixAndInOrder() {
    List<String> paths = List.of("a/1", "a/10", "a/2", "a/b/c", "ab/1", "b");
    paths.forEach(path -> store.putIfAbsent(path, utf8(path)));
    assertThat(paths("")).isEqualTo(paths);
    assertThat(paths("a/")).containsExactly("a/1", "a/10", "a/2", "a/b/c");
    assertThat(paths("a")).containsExactly("a/1", "a/10", "a/2", "a/b/c", "ab/1");
    assertThat(paths("a/1")).containsExactly("a/1", "a/10");
    assertThat(paths("none/")).isEmpty();
    ObjectInfo info = store.list("a/b/").get(0);
    assertThat(info.size()).isEqualTo(5);
    assertThat(info.modifiedMillis()).isPositive();
    store.delete("a/10");
    assertThat(paths("a/1")).containsExactly("a/1");
  }

  private List<String> paths(String prefix) {
    return store.list(prefix).stream().map(ObjectInfo::path).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/etc/passwd",
        "..",
        "../x",
        "a/../../x",
        "a/..",
        ".",
        "a/./b",
        "a//b",
        "a/",
        ".x",
        "a/.x",
        "a\\b",
        "a\0b",
        "ü",
        "a\nb"
      })
  void pathsOutsideAreRefused(String path) {
    for (Callable<?> use :
        List.<Callable<?>>of(
            () -> store.get(path),
            () -> store.putIfAbsent(path, utf8("x")),
            () -> store.putIfMatch(path, utf8("x"), "tag"),
            () -> store.size(path),
            () -> store.uri(path))) {
      assertThatThrownBy(use::call)
          .isInstanceOfSatisfying(
              LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "%2e%2e", "a%2fb", "x?y#z", "'\"$(ls)", "~", "CON", "-rf", "a..b"})
  void oddNamesAreNames(String name) {
    String path = "odd/" + name;
    assertThat(store.putIfAbsent(path, utf8(name))).isPresent();
    assertThat(content(path)).isEqualTo(name);
    assertThat(paths("odd/")).containsExactly(path);
  }

  @Test
  void oneOfManyCreatesAnObject() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      String path = "create/" + round;
      List<Optional<String>> results = race(i -> store.putIfAbsent(path, utf8("by " + i)));
      assertThat(results.stream().filter(Optional::isPresent)).hasSize(1);
      int winner = results.indexOf(results.stream().filter(Optional::isPresent).findAny().get());
      assertThat(content(path)).isEqualTo("by " + winner);
    }
  }

  @Test
  void oneOfManySwapsAnObject() throws Exception {
    String tag = store.putIfAbsent("swap", utf8("start")).orElseThrow();
    for (int round = 0; round < ROUNDS; round++) {
      String expected = tag;
      String prefix = round + " by ";
      List<Optional<String>> results =
          race(i -> store.putIfMatch("swap", utf8(prefix + i), expected));
      assertThat(results.stream().filter(Optional::isPresent)).hasSize(1);
      tag = results.stream().flatMap(Optional::stream).findAny().orElseThrow();
      assertThat(content("swap")).isEqualTo(prefix + results.indexOf(Optional.of(tag)));
    }
  }

  /** One thread's part in a race. */
  @FunctionalInterface
  interface Racer {
    Optional<String> run(int thread);
  }

  private static List<Optional<String>> race(Racer racer) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      CyclicBarrier start = new CyclicBarrier(THREADS);
      List<Future<Optional<String>>> futures = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        futures.add(
            threads.submit(
                () -> {
                  start.await();
                  return racer.run(thread);
                }));
      }
      List<Optional<String>> results = new ArrayList<>();
      for (Future<Optional<String>> future : futures) {
        results.add(future.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }
}
