package io.loam.sqltests;

import io.loam.s3testing.S3Server;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;

/** The same in a bucket. */
class S3SqlOracleTest extends SqlOracleTest {
  @TempDir static Path bucket;
  private @Nullable S3Server server;

  @Override
  Connection connect() throws SQLException {
    S3Server started = S3Server.start(bucket);
    server = started;
    return S3SqlTest.connect(started, bucket.resolve("cache"));
  }

  /** Fewer, since each takes requests. */
  @Override
  int conditions() {
    return 10;
  }

  @AfterAll
  void stop() {
    if (server != null) {
      server.close();
    }
  }
}
