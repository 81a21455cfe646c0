package io.loam.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTurnsTest {
  @TempDir Path folder;

  private Path file() {
    return folder.resolve("turns");
  }

  @Test
  void turnIsNobodyElsesUntilItEnds() throws IOException {
    try (FileTurns one = new FileTurns(file());
        FileTurns other = new FileTurns(file())) {
      ObjectStore.Turn turn = one.take("a");
      assertThat(turn).isNotSameAs(ObjectStore.Turn.NONE);
      assertThat(other.take("a")).as("while it is taken").isSameAs(ObjectStore.Turn.NONE);
      assertThat(one.take("a")).as("while it is taken").isSameAs(ObjectStore.Turn.NONE);
      try (ObjectStore.Turn another = other.take("b")) {
        assertThat(another).as("of another name").isNotSameAs(ObjectStore.Turn.NONE);
      }
      turn.close();
      try (ObjectStore.Turn next = other.take("a")) {
        assertThat(next).isNotSameAs(ObjectStore.Turn.NONE);
      }
    }
  }

  @Test
  void turnPassesToWhoeverWaits() throws Exception {
    try (FileTurns one = new FileTurns(file());
        FileTurns other = new FileTurns(file())) {
      ObjectStore.Turn turn = one.take("a");
      CompletableFuture<ObjectStore.Turn> waiting =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return other.take("a");
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      TimeUnit.MILLISECONDS.sleep(50);
      assertThat(waiting).isNotDone();
      turn.close();
      assertThat(waiting.get(30, TimeUnit.SECONDS)).isNotSameAs(ObjectStore.Turn.NONE);
    }
  }

  @Test
  void interruptedThreadGoesOnWithoutATurn() throws IOException {
    try (FileTurns one = new FileTurns(file());
        FileTurns other = new FileTurns(file());
        ObjectStore.Turn turn = one.take("a")) {
      assertThat(turn).isNotSameAs(ObjectStore.Turn.NONE);
      Thread.currentThread().interrupt();
      assertThat(other.take("a")).isSameAs(ObjectStore.Turn.NONE);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(one.take("b")).as("after an interrupt").isNotSameAs(ObjectStore.Turn.NONE);
    }
  }

  /** A process that takes a turn and keeps it for as long as it lives. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] args) throws Exception {
      try (FileTurns turns = new FileTurns(Path.of(args[0]))) {
        if (turns.take("a") != ObjectStore.Turn.NONE) {
          Files.createFile(Path.of(args[1]));
        }
        TimeUnit.MINUTES.sleep(2);
      }
    }
  }

  @Test
  void turnOfAnotherProcessIsPassedOverAndEndsWithIt() throws Exception {
    Path taken = folder.resolve("taken");
    Process holder =
        ChildJvm.start(
            folder,
            folder.resolve("output"),
            List.of(),
            Holder.class,
            List.of(file().toString(), taken.toString()));
    try (FileTurns turns = new FileTurns(file())) {
      for (int i = 0; i < 6_000 && !Files.exists(taken) && holder.isAlive(); i++) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      assertThat(taken).exists();
      assertThat(turns.take("a")).isSameAs(ObjectStore.Turn.NONE);
      holder.destroyForcibly();
      assertThat(holder.waitFor(30, TimeUnit.SECONDS)).isTrue();
      try (ObjectStore.Turn turn = turns.take("a")) {
        assertThat(turn).isNotSameAs(ObjectStore.Turn.NONE);
      }
    } finally {
      holder.destroyForcibly();
    }
  }
}
