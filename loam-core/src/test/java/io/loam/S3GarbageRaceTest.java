package io.loam;

import io.loam.s3testing.S3Server;
import io.loam.store.StoreLocation;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** In a bucket. */
class S3GarbageRaceTest extends GarbageRaceContract {
  private S3Server server;

  @BeforeEach
  void start() {
    server = S3Server.start(folder.resolve("s3"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Override
  StoreLocation location() {
    return S3Locations.of(server, "a/b");
  }

  @Override
  String argument() {
    return S3Locations.argument(server, "a/b");
  }

  @Override
  Path files() {
    return folder.resolve("s3").resolve(S3Server.BUCKET).resolve("a/b");
  }
}
