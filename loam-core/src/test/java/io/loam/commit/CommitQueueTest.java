package io.loam.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.FileRef;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Versioned;
import io.loam.schema.CollectionSchema;
import io.loam.schema.FieldType;
import io.loam.schema.Key;
import io.loam.schema.SchemaBuilder;
import io.loam.schema.TypeKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CommitQueueTest {
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final List<Integer> groups = Collections.synchronizedList(new ArrayList<>());
  private final CommitQueue queue = new CommitQueue();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void close() {
    released.countDown();
    threads.shutdownNow();
  }

  private static PreparedBatch batch(long... ids) {
    CollectionSchema schema =
        new SchemaBuilder()
            .add("id", FieldType.of(TypeKind.BIGINT), false, "", "")
            .primaryKey("id")
            .build();
    List<ResolvedBatch.Addition> added = new ArrayList<>();
    for (long id : ids) {
      Object[] values = {id};
      added.add(new ResolvedBatch.Addition(Key.of(id), values, values));
    }
    ResolvedBatch resolved = new ResolvedBatch(added, Map.of(), ids.length, 0, 0);
    Manifest base =
        new Manifest(
            1,
            0,
            "",
            1,
            "schema",
            1,
            Manifest.CommitKind.SCHEMA,
            1,
            new FileRef("lance", 1, 1),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            1,
            1,
            0,
            Optional.empty());
    return new PreparedBatch(
        resolved,
        resolved.keys(),
        schema,
        new Versioned<>(Head.first("m"), "tag"),
        base,
        List.of(),
        Optional.empty());
  }

  /** Lands each group in a version of its own, but none before the test says so. */
  private IdentityHashMap<PreparedBatch, Long> land(List<PreparedBatch> batches) {
    entered.countDown();
    awaitQuietly(released);
    groups.add(batches.size());
    IdentityHashMap<PreparedBatch, Long> landed = new IdentityHashMap<>();
    batches.forEach(batch -> landed.put(batch, (long) groups.size()));
    return landed;
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Future<Optional<Long>> submit(PreparedBatch batch, CommitQueue.Lander lander)
      throws InterruptedException {
    boolean isFirst = entered.getCount() == 1;
    int waiting = queue.waiting();
    Future<Optional<Long>> future = threads.submit(() -> queue.land(batch, lander));
    if (isFirst) {
      awaitQuietly(entered);
    } else {
      awaitWaiting(waiting + 1);
    }
    return future;
  }

  private void awaitWaiting(int count) throws InterruptedException {
    for (int i = 0; i < 30_000 && queue.waiting() != count; i++) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    assertThat(queue.waiting()).isEqualTo(count);
  }

  @Test
  void batchesThatWaitLandTogetherButNotThoseOfOneKey() throws Exception {
    Future<Optional<Long>> first = submit(batch(1), this::land);
    Future<Optional<Long>> second = submit(batch(2, 3), this::land);
    Future<Optional<Long>> third = submit(batch(3, 4), this::land);
    Future<Optional<Long>> fourth = submit(batch(4, 5), this::land);
    released.countDown();
    assertThat(first.get()).contains(1L);
    assertThat(second.get()).contains(2L);
    assertThat(third.get()).as("shares 3 with the second").contains(3L);
    assertThat(fourth.get()).as("shares 4 with the third alone").contains(2L);
    assertThat(groups).containsExactly(1, 2, 1);
  }

  @Test
  void workThatIsAloneSeparatesBatches() throws Exception {
    Future<Optional<Long>> first = submit(batch(1), this::land);
    Future<Optional<Long>> second = submit(batch(2), this::land);
    Future<Integer> alone = threads.submit(() -> queue.alone(groups::size));
    awaitWaiting(2);
    Future<Optional<Long>> third = submit(batch(3), this::land);
    released.countDown();
    assertThat(first.get()).contains(1L);
    assertThat(second.get()).contains(2L);
    assertThat(alone.get()).isEqualTo(2);
    assertThat(third.get()).contains(3L);
  }

  @Test
  void failureIsToldToAllOfTheGroupAndTheQueueGoesOn() throws Exception {
    CommitQueue.Lander failing =
        batches -> {
          land(batches);
          if (batches.size() > 1) {
            throw new LoamException(ErrorCode.COMMIT_UNKNOWN, "no answer; look");
          }
          return new IdentityHashMap<>();
        };
    Future<Optional<Long>> first = submit(batch(1), failing);
    Future<Optional<Long>> second = submit(batch(2), failing);
    Future<Optional<Long>> third = submit(batch(3), failing);
    released.countDown();
    assertThat(first.get()).isEmpty();
    for (Future<Optional<Long>> future : List.of(second, third)) {
      ExecutionException e = catchThrowableOfType(ExecutionException.class, future::get);
      assertThat(e.getCause()).hasMessage("no answer; look");
      assertThat(((LoamException) e.getCause()).code()).isEqualTo(ErrorCode.COMMIT_UNKNOWN);
    }
    assertThat(queue.land(batch(4), this::land)).isPresent();
  }

  @Test
  void errorOfTheThreadThatLandsLeavesTheOutcomeUnknownToOthers() throws Exception {
    CommitQueue.Lander dying =
        batches -> {
          land(batches);
          throw new OutOfMemoryError("of the test");
        };
    Future<Optional<Long>> first = submit(batch(1), this::land);
    Future<Optional<Long>> second = submit(batch(2), dying);
    Future<Optional<Long>> third = submit(batch(3), dying);
    released.countDown();
    assertThat(first.get()).isPresent();
    ExecutionException own = catchThrowableOfType(ExecutionException.class, second::get);
    assertThat(own.getCause()).isInstanceOf(OutOfMemoryError.class);
    ExecutionException other = catchThrowableOfType(ExecutionException.class, third::get);
    assertThat(((LoamException) other.getCause()).code()).isEqualTo(ErrorCode.COMMIT_UNKNOWN);
    assertThat(queue.land(batch(4), this::land)).isPresent();
  }

  @Test
  void cancelOfTheThreadThatLandsIsNotThatOfOthers() throws Exception {
    CommitQueue.Lander cancelled =
        batches -> {
          land(batches);
          throw new LoamException(ErrorCode.CANCELLED, "interrupted; try again");
        };
    Future<Optional<Long>> first = submit(batch(1), this::land);
    Future<Optional<Long>> second = submit(batch(2), cancelled);
    Future<Optional<Long>> third = submit(batch(3), cancelled);
    released.countDown();
    assertThat(first.get()).isPresent();
    ExecutionException own = catchThrowableOfType(ExecutionException.class, second::get);
    assertThat(((LoamException) own.getCause()).code()).isEqualTo(ErrorCode.CANCELLED);
    assertThat(third.get()).as("to be resolved again").isEmpty();
  }

  @Test
  void interruptedThreadLeavesTheQueue() throws Exception {
    Future<Optional<Long>> first = submit(batch(1), this::land);
    Future<Optional<Long>> second = submit(batch(2), this::land);
    second.cancel(true);
    awaitWaiting(0);
    released.countDown();
    assertThat(first.get()).contains(1L);
    assertThat(queue.land(batch(2), this::land)).contains(2L);
    assertThat(groups).containsExactly(1, 1);
  }

  @Test
  void batchesThatDoNotLandAreToldSo() throws Exception {
    PreparedBatch landing = batch(2);
    CommitQueue.Lander lander =
        batches -> {
          IdentityHashMap<PreparedBatch, Long> landed = land(batches);
          landed.keySet().retainAll(Set.of(landing));
          return landed;
        };
    Future<Optional<Long>> first = submit(batch(1), this::land);
    Future<Optional<Long>> second = submit(landing, lander);
    Future<Optional<Long>> third = submit(batch(3), lander);
    released.countDown();
    assertThat(first.get()).contains(1L);
    assertThat(second.get()).contains(2L);
    assertThat(third.get()).isEmpty();
  }
}
