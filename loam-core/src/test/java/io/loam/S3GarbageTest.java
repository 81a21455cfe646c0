package io.loam;

import static io.loam.GarbageFixture.AT_ONCE;
import static io.loam.GarbageFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.loam.maintain.Garbage;
import io.loam.s3testing.S3Server;
import io.loam.s3testing.SeenRequest;
import io.loam.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Garbage collection in a bucket, whose server keeps objects as files. */
class S3GarbageTest {
  @TempDir static Path served;
  private static S3Server server;

  @BeforeAll
  static void start() {
    server = S3Server.start(served);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** A part of the bucket that nothing else uses. */
  private static final class Bucket implements GarbageCase.Place {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private final S3Server server;
    private final String prefix = "gc/" + COUNT.incrementAndGet();

    Bucket(S3Server server) {
      this.server = server;
    }

    @Override
    public StoreLocation location() {
      return S3Locations.of(server, prefix);
    }

    @Override
    public Path files() {
      return served.resolve(S3Server.BUCKET).resolve(prefix);
    }

    /** S3 tells times in whole seconds. */
    @Override
    public void letTimePass() {
      try {
        Thread.sleep(1_001 - System.currentTimeMillis() % 1_000);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Nested
  class Kept extends GarbageContract {
    @Override
    Place newPlace() {
      return new Bucket(server);
    }

    private boolean isDelete(SeenRequest request) {
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
        List<SeenRequest> deletes = server.takeSeen().stream().filter(this::isDelete).toList();
        // That of the probe, and all the rest.
        assertThat(deletes).hasSize(2);
        GarbageFixture.checkWhole(root, docs);
        assertThat(removed)
            .allSatisfy(object -> assertThat(Files.exists(root.resolve(object.path()))).isFalse());
      }
    }
  }

  @Nested
  class Writers extends GarbageWritersContract {
    @Override
    Place newPlace() {
      return new Bucket(server);
    }
  }

  @Nested
  class Readers extends GarbageReadersContract {
    @Override
    Place newPlace() {
      return new Bucket(server);
    }
  }

  @Nested
  class Stopped extends StoppedGarbageContract {
    @Override
    Place newPlace() {
      return new Bucket(server);
    }

    @Override
    int stride() {
      return 4;
    }
  }
}
