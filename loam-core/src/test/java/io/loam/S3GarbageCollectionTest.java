package io.loam;

import static io.loam.GarbageFixture.AT_ONCE;
import static io.loam.GarbageFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.loam.maintain.Garbage;
import io.loam.s3testing.Fault;
import io.loam.s3testing.S3Server;
import io.loam.s3testing.SeenRequest;
import io.loam.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a bucket, whose server keeps objects as files. */
class S3GarbageCollectionTest extends GarbageCollectionContract {
  @TempDir static Path served;
  private static S3Server server;
  private static int prefixes;
  private final String prefix = "gc/" + prefixes++;

  @BeforeAll
  static void start() {
    server = S3Server.start(served);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void noFaults() {
    server.plan(request -> Fault.NONE);
  }

  @Override
  StoreLocation location() {
    return S3Locations.of(server, prefix);
  }

  @Override
  Path files() {
    return served.resolve(S3Server.BUCKET).resolve(prefix);
  }

  /** S3 tells times in whole seconds. */
  @Override
  void letTimePass() {
    try {
      Thread.sleep(1_001 - System.currentTimeMillis() % 1_000);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isDelete(SeenRequest request) {
    return request.method().equals("DELETE") || request.query().startsWith("delete");
  }

  /** The default store asks for many objects at once. */
  @Test
  void manyObjectsGoByOneRequest() throws IOException {
    try (Warehouse direct = Warehouse.open(options("direct"))) {
      Collection docs = direct.create(DOCS, GarbageFixture.schema(0, 1));
      GarbageFixture.fill(docs);
      server.takeSeen();
      List<Garbage> removed = collect(direct, AT_ONCE);
      assertThat(removed).hasSizeGreaterThan(15);
      List<SeenRequest> deletes =
          server.takeSeen().stream().filter(S3GarbageCollectionTest::isDelete).toList();
      // That of the probe, and all the rest.
      assertThat(deletes).hasSize(2);
      GarbageFixture.checkWhole(root, docs);
      assertThat(removed)
          .allSatisfy(object -> assertThat(Files.exists(root.resolve(object.path()))).isFalse());
    }
  }
}
