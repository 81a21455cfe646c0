package io.loam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.maintain.Lease;
import io.loam.maintain.Leases;
import io.loam.maintain.Part;
import io.loam.manifest.Metastore;
import io.loam.store.LocalObjectStore;
import io.loam.store.ObjectStore;
import io.loam.store.StoreLocation;
import io.loam.vector.IndexKind;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** In a folder. */
class LocalIndexRaceTest extends IndexRaceContract {
  @Override
  StoreLocation location() {
    return new StoreLocation.Folder(folder.resolve("warehouse"));
  }

  @Override
  Path files() {
    return folder.resolve("warehouse");
  }

  @Override
  void letTimePass() {}

  @Test
  void p4_upkeepDoesNotBeginWhileOthersHaveTheLease() throws Exception {
    docs.createIndex("by_vector", "embedding", IndexKind.IVF_FLAT, OPTIONS);
    delete(0, 600);
    long version = newest().version();
    String id = docs.manifests().get(0).schemaPath().replaceFirst("collections/([^/]+)/.*", "$1");
    try (ObjectStore store = new LocalObjectStore(files());
        Lease lease =
            new Leases(store, new Metastore(store, id), Clock.systemUTC())
                .acquire("gc", Duration.ofHours(1))) {
      assertThatThrownBy(() -> docs.optimize(Set.of(Part.INDEXES)))
          .isInstanceOfSatisfying(
              LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT))
          .hasMessageContaining("holder=gc ");
      lease.check(new Metastore(store, id).head().value());
    }
    assertThat(newest().version()).isEqualTo(version);
    assertThat(docs.optimize(Set.of(Part.INDEXES))).isNotEmpty();
    check();
  }

  /** Others may be in the middle of the same work by then. */
  @Test
  void p4_upkeepWhoseLeaseWasTakenOverCommitsNoSegments() throws Exception {
    docs.createIndex("by_vector", "embedding", IndexKind.IVF_FLAT, OPTIONS);
    delete(0, 600);
    long version = newest().version();
    assertThatThrownBy(
            () ->
                racing(
                    () -> CrashGateTest.releaseLease(files(), docs),
                    collection -> collection.optimize(Set.of(Part.INDEXES))))
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
    assertThat(newest().version()).isEqualTo(version);
    assertThat(docs.optimize(Set.of(Part.INDEXES))).isNotEmpty();
    check();
  }
}
