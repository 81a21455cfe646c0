package io.loam;

import io.loam.s3testing.S3Server;
import io.loam.store.StoreLocation;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** In a bucket, whose server keeps objects as files. */
@Tag("long")
class S3IndexRaceTest extends IndexRaceContract {
  @TempDir static Path served;
  private static S3Server server;
  private static int prefixes;
  private final String prefix = "index/" + prefixes++;

  @BeforeAll
  static void start() {
    server = S3Server.start(served);
  }

  @AfterAll
  static void stop() {
    server.close();
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
}
