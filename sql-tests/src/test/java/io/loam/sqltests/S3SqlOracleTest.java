package io.loam.sqltests;

import io.loam.s3testing.S3Server;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;

/** The same in a bucket. */
class S3SqlOracleTest extends SqlOracleTest {
  @TempDir static Path bucket;
  private final S3Server server = S3Server.start(bucket);

  @Override
  Connection connect() throws SQLException {
    return S3SqlTest.connect(server, bucket.resolve("cache"));
  }

  @AfterAll
  void stop() {
    server.close();
  }
}
