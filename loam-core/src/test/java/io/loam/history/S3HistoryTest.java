package io.loam.history;

import io.loam.S3Locations;
import io.loam.s3testing.S3Server;
import io.loam.store.StoreLocation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Processes on one bucket. */
class S3HistoryTest extends HistoryContract {
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
}
