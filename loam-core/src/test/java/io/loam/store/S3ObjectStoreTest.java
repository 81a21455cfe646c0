package io.loam.store;

import io.loam.s3testing.S3Server;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract on a bucket. */
class S3ObjectStoreTest extends ObjectStoreContract {
  private static final AtomicInteger PREFIX = new AtomicInteger();

  @TempDir static Path folder;
  private static S3Server server;

  @BeforeAll
  static void startServer() {
    server = S3Server.start(folder);
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  static S3Settings settings(String endpoint, String prefix) {
    return new S3Settings(
        S3Server.BUCKET,
        prefix,
        endpoint,
        null,
        true,
        new S3Keys(S3Server.ACCESS_KEY_ID, S3Server.SECRET_ACCESS_KEY, null));
  }

  @Override
  ObjectStore open() {
    return new S3ObjectStore(settings(server.endpoint(), "wh/" + PREFIX.incrementAndGet()));
  }
}
