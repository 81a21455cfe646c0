package io.loam.store;

import static java.util.Comparator.comparing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.s3testing.Fault;
import io.loam.s3testing.S3Server;
import io.loam.s3testing.SeenRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** P3: what a bucket's store says about writes whose requests fail. */
class S3FaultsTest {
  private static final int PART_BYTES = 5 << 20;
  private static final S3Pace QUICK = new S3Pace(4, 1, 5, Duration.ofMillis(700));

  /** Faults of a write that is applied each time; a torn answer to one has nothing to lose. */
  private static final Set<Fault> APPLIED =
      EnumSet.of(
          Fault.NONE, Fault.ERROR_AFTER, Fault.LOST_REPLY, Fault.TORN_ANSWER, Fault.CUT_HEADERS);

  @TempDir static Path folder;
  private static S3Server server;
  private static final AtomicInteger PREFIX = new AtomicInteger();
  private S3ObjectStore store;

  @BeforeAll
  static void startServer() {
    server = S3Server.start(folder);
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void open() {
    store =
        new S3ObjectStore(
            S3ObjectStoreTest.settings(server.endpoint(), "f/" + PREFIX.incrementAndGet()),
            QUICK,
            PART_BYTES);
  }

  /** Large requests take their time on a busy machine. */
  private void bePatient(Duration timeout) {
    store.close();
    store =
        new S3ObjectStore(
            S3ObjectStoreTest.settings(server.endpoint(), "f/" + PREFIX.get()),
            new S3Pace(4, 1, 5, timeout),
            PART_BYTES);
  }

  @AfterEach
  void close() {
    server.plan(request -> Fault.NONE);
    store.close();
  }

  private static byte[] utf8(String text) {
    return ObjectStoreContract.utf8(text);
  }

  /** From now on the first requests that match fail so. */
  private static void failFirst(int count, Fault fault, Predicate<SeenRequest> which) {
    AtomicInteger left = new AtomicInteger(count);
    server.plan(r -> which.test(r) && left.getAndDecrement() > 0 ? fault : Fault.NONE);
  }

  private static boolean isPut(SeenRequest request) {
    return request.method().equals("PUT");
  }

  private static void assertFails(ErrorCode code, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(LoamException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private String content(String path) {
    return new String(store.get(path).orElseThrow().content(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "REFUSED_WITH_KEYS")
  void p3_aCreationWithOneFaultSucceedsOnce(Fault fault) {
    failFirst(1, fault, S3FaultsTest::isPut);
    String tag = store.putIfAbsent("x", utf8("mine")).orElseThrow();
    assertThat(store.get("x").orElseThrow().tag()).isEqualTo(tag);
    assertThat(content("x")).isEqualTo("mine");
  }

  @ParameterizedTest
  @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "REFUSED_WITH_KEYS")
  void p3_aSwapWithOneFaultSucceedsOnce(Fault fault) {
    String first = store.putIfAbsent("x", utf8("1")).orElseThrow();
    failFirst(1, fault, S3FaultsTest::isPut);
    String second = store.putIfMatch("x", utf8("2"), first).orElseThrow();
    assertThat(content("x")).isEqualTo("2");
    assertThat(store.putIfMatch("x", utf8("3"), first)).isEmpty();
    assertThat(store.putIfMatch("x", utf8("3"), second)).isPresent();
  }

  @ParameterizedTest
  @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "REFUSED_WITH_KEYS")
  void p3_aFileWithOneFaultIsCreatedOnce(Fault fault, @TempDir Path files) throws IOException {
    Path file = Files.write(files.resolve("file"), utf8("content"));
    failFirst(1, fault, S3FaultsTest::isPut);
    assertThat(store.putFileIfAbsent("x", file)).isPresent();
    assertThat(content("x")).isEqualTo("content");
  }

  @ParameterizedTest
  @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "REFUSED_WITH_KEYS")
  void p3_aFileInPartsWithOneFaultInEachStepIsCreatedOnce(Fault fault, @TempDir Path files)
      throws IOException {
    byte[] content = new byte[PART_BYTES * 2 + 17];
    new Random(7).nextBytes(content);
    // Only what hangs has to be given up soon.
    bePatient(Duration.ofSeconds(fault == Fault.HANG ? 3 : 30));
    Path file = Files.write(files.resolve("file"), content);
    int step = 0;
    for (Predicate<SeenRequest> which :
        List.<Predicate<SeenRequest>>of(
            r -> r.query().contains("uploads"),
            r -> r.query().contains("partNumber=2"),
            r -> r.method().equals("POST") && r.query().contains("uploadId"))) {
      failFirst(1, fault, which);
      String path = "big/" + ++step;
      assertThat(store.putFileIfAbsent(path, file)).isPresent();
      assertThat(store.get(path).orElseThrow().content()).isEqualTo(content);
      assertThat(store.putFileIfAbsent(path, file)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "REFUSED_WITH_KEYS")
  void p3_writesThatAlwaysFailAreNeverCalledFailedIfTheyMayHaveLanded(Fault fault) {
    String first = store.putIfAbsent("x", utf8("1")).orElseThrow();
    server.plan(r -> isPut(r) ? fault : Fault.NONE);
    if (APPLIED.contains(fault)) {
      assertThat(store.putIfMatch("x", utf8("2"), first)).isPresent();
      assertThat(store.putIfAbsent("y", utf8("1"))).isPresent();
      return;
    }
    boolean nothingHappened = fault == Fault.THROTTLED || fault == Fault.CONFLICT;
    ErrorCode code = nothingHappened ? ErrorCode.STORE_UNAVAILABLE : ErrorCode.OUTCOME_UNKNOWN;
    assertFails(code, () -> store.putIfMatch("x", utf8("2"), first));
    assertFails(code, () -> store.putIfAbsent("y", utf8("1")));
  }

  @Test
  void p3_aSwapThatAnothersContentMayHideIsUnknown() {
    String first = store.putIfAbsent("x", utf8("1")).orElseThrow();
    assertThat(store.putIfMatch("x", utf8("theirs"), first)).isPresent();
    failFirst(1, Fault.RESET, S3FaultsTest::isPut);
    assertFails(ErrorCode.OUTCOME_UNKNOWN, () -> store.putIfMatch("x", utf8("mine"), first));
    assertThat(store.putIfMatch("x", utf8("mine"), first)).isEmpty();
  }

  @Test
  void p3_aNameThatAnotherTookDuringALostCreationIsUnknown() {
    store.putIfAbsent("x", utf8("theirs"));
    failFirst(1, Fault.RESET, S3FaultsTest::isPut);
    assertFails(ErrorCode.OUTCOME_UNKNOWN, () -> store.putIfAbsent("x", utf8("mine")));
    assertThat(content("x")).isEqualTo("theirs");
  }

  @Test
  void p3_aWriteThatLandsLateIsNotCalledFailed() throws InterruptedException {
    String first = store.putIfAbsent("x", utf8("1")).orElseThrow();
    server.plan(r -> isPut(r) ? Fault.LATE : Fault.NONE);
    assertFails(ErrorCode.OUTCOME_UNKNOWN, () -> store.putIfMatch("x", utf8("2"), first));
    assertThat(content("x")).isEqualTo("1");
    Thread.sleep(1_500);
    assertThat(content("x")).isEqualTo("2");
  }

  @ParameterizedTest
  @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "REFUSED_WITH_KEYS")
  void readsWithOneFaultAreMadeAgain(Fault fault) {
    byte[] content = new byte[100_000];
    new Random(3).nextBytes(content);
    store.putIfAbsent("a/x", content);
    failFirst(1, fault, r -> r.method().equals("GET"));
    assertThat(store.get("a/x").orElseThrow().content()).isEqualTo(content);
    failFirst(1, fault, r -> !r.range().isEmpty());
    assertThat(store.getRange("a/x", 99_999, 1)).containsExactly(content[99_999]);
    failFirst(1, fault, r -> r.method().equals("HEAD"));
    assertThat(store.size("a/x")).hasValue(100_000);
    failFirst(1, fault, SeenRequest::isList);
    assertThat(store.list("a/")).hasSize(1);
    failFirst(1, fault, r -> r.method().equals("DELETE"));
    store.delete("a/x");
    assertThat(store.get("a/x")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "REFUSED_WITH_KEYS")
  void objectsAreRemovedTogetherThoughARequestFails(Fault fault) {
    store.putIfAbsent("d/x", utf8("1"));
    store.putIfAbsent("d/y", utf8("2"));
    store.putIfAbsent("e/z", utf8("3"));
    failFirst(1, fault, r -> r.method().equals("POST"));
    store.deleteAll(List.of("d/x", "d/y", "d/none"));
    assertThat(store.list("d/")).isEmpty();
    assertThat(store.list("e/")).hasSize(1);
  }

  @Test
  void removalTogetherThatIsRefusedIsTriedOneByOne() {
    store.putIfAbsent("d/x", utf8("1"));
    server.plan(r -> r.method().equals("POST") ? Fault.REFUSED_WITH_KEYS : Fault.NONE);
    store.deleteAll(List.of("d/x"));
    assertThat(store.list("d/")).isEmpty();
    store.putIfAbsent("d/y", utf8("2"));
    server.plan(r -> r.isWrite() ? Fault.REFUSED_WITH_KEYS : Fault.NONE);
    assertThatThrownBy(() -> store.deleteAll(List.of("d/y")))
        .isInstanceOf(LoamException.class)
        .hasMessageContaining("path=d/y");
  }

  @Test
  void anInterruptedThreadFinishesItsWrite() {
    Thread.currentThread().interrupt();
    String tag = store.putIfAbsent("x", utf8("1")).orElseThrow();
    assertThat(store.putIfMatch("x", utf8("2"), tag)).isPresent();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(content("x")).isEqualTo("2");
  }

  @Test
  void nobodyThereIsUnavailableAndNotUnknown() {
    try (S3ObjectStore nowhere =
        new S3ObjectStore(
            S3ObjectStoreTest.settings("http://127.0.0.1:1", "p"), QUICK, PART_BYTES)) {
      assertFails(ErrorCode.STORE_UNAVAILABLE, () -> nowhere.putIfAbsent("x", utf8("1")));
      assertFails(ErrorCode.STORE_UNAVAILABLE, () -> nowhere.get("x"));
    }
  }

  @Test
  void wrongKeysAreRefusedWithoutShowingThem() {
    S3Settings right = S3ObjectStoreTest.settings(server.endpoint(), "p");
    S3Settings wrong =
        new S3Settings(
            right.bucket(),
            right.prefix(),
            right.endpoint(),
            right.region(),
            right.pathStyle(),
            new S3Keys(S3Server.ACCESS_KEY_ID, "WRONGSECRET", null));
    try (S3ObjectStore refused = new S3ObjectStore(wrong, QUICK, PART_BYTES)) {
      assertThatThrownBy(() -> refused.get("x"))
          .isInstanceOf(LoamException.class)
          .hasMessageContaining("status=403")
          .hasMessageNotContainingAny(S3Server.ACCESS_KEY_ID, "WRONGSECRET");
    }
  }

  @Test
  void anErrorThatRepeatsTheKeysIsCleaned() {
    server.plan(request -> Fault.REFUSED_WITH_KEYS);
    assertThatThrownBy(() -> store.get("x"))
        .isInstanceOf(LoamException.class)
        .hasMessageContaining("key *** and secret ***")
        .hasNoCause();
    assertThatThrownBy(() -> store.putIfAbsent("x", utf8("1")))
        .hasMessageContaining("key *** and secret ***")
        .hasNoCause();
  }

  @Test
  void listingsOfManyPagesAreWholeAndTwoRequestsRemoveThem() throws IOException {
    bePatient(Duration.ofSeconds(30));
    Path bucket = folder.resolve(S3Server.BUCKET).resolve("f/" + PREFIX.get()).resolve("many");
    Files.createDirectories(bucket);
    int objects = 1_005; // a page has 1,000 at most
    for (int i = 0; i < objects; i++) {
      Files.write(bucket.resolve("o" + i), new byte[0]);
    }
    List<ObjectStore.ObjectInfo> found = store.list("many/");
    assertThat(found).hasSize(objects).isSortedAccordingTo(comparing(o -> o.path()));
    server.takeSeen();
    store.deleteAll(found.stream().map(ObjectStore.ObjectInfo::path).toList());
    assertThat(server.takeSeen()).hasSize(2);
    assertThat(store.list("many/")).isEmpty();
  }
}
