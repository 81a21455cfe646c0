package io.loam;

import static io.loam.GarbageFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.maintain.Garbage;
import io.loam.maintain.GcOptions;
import io.loam.query.VersionSpec;
import io.loam.store.HookedStore;
import io.loam.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests of garbage collection share: a warehouse on a store that tells what it is asked. */
abstract class GarbageCase {
  static final VersionSpec LATEST = new VersionSpec.Latest();

  @TempDir Path folder;

  /** Where objects are as files. */
  Path root;

  volatile HookedStore.Hook hook = (operation, path) -> {};
  Warehouse warehouse;

  /** Where a warehouse is. */
  interface Place {
    StoreLocation location();

    /** Where its objects are as files. */
    Path files();

    /** Waits until the store's clock is past all that was written. */
    void letTimePass();
  }

  Place place;

  /** A place where nothing is. */
  abstract Place newPlace();

  @BeforeEach
  void open() {
    place = newPlace();
    root = place.files();
    warehouse = reopened();
  }

  @AfterEach
  void close() {
    warehouse.close();
  }

  final Warehouse reopened() {
    return new LoamWarehouse(
        options("cache"),
        new HookedStore(
            place.location().open(), (operation, path) -> hook.before(operation, path)));
  }

  final WarehouseOptions options(String cache) {
    return new WarehouseOptions(place.location(), folder.resolve(cache), 0);
  }

  final List<Garbage> collect(Warehouse in, GcOptions options) {
    place.letTimePass();
    return in.collectGarbage(DOCS, options);
  }

  final Collection filled(int minutes, int versions) {
    Collection docs = warehouse.create(DOCS, GarbageFixture.schema(minutes, versions));
    GarbageFixture.fill(docs);
    return docs;
  }

  static LoamException failure(Runnable read) {
    LoamException[] found = new LoamException[1];
    assertThatThrownBy(read::run).isInstanceOfSatisfying(LoamException.class, e -> found[0] = e);
    return found[0];
  }

  static void assertCollected(Collection docs, long version, long oldest) {
    LoamException e = failure(() -> docs.snapshot(new VersionSpec.At(version)).close());
    assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_VERSION);
    assertThat(e)
        .hasMessageContaining("version is not retained any more")
        .hasMessageContaining("version=" + version)
        .hasMessageContaining("oldestRetained=" + oldest);
  }

  /** Of all but pins. */
  final void setAges(Duration age) throws IOException {
    FileTime time = FileTime.from(Instant.now().minus(age));
    for (String object : GarbageFixture.objects(root)) {
      if (!object.contains("/pins/")) {
        Files.setLastModifiedTime(root.resolve(object), time);
      }
    }
  }

  static void waitBeforeSwap(
      String operation, String path, CountDownLatch atSwap, CountDownLatch goOn) {
    if (operation.equals("putIfMatch") && path.endsWith("/head") && atSwap.getCount() > 0) {
      atSwap.countDown();
      await(goOn);
    }
  }

  static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A condition that reads files. */
  interface Condition {
    boolean holds() throws IOException;
  }

  static void waitFor(Condition condition) throws Exception {
    for (int i = 0; i < 300; i++) {
      if (condition.holds()) {
        return;
      }
      Thread.sleep(50);
    }
    throw new AssertionError("not within 15 s");
  }
}
