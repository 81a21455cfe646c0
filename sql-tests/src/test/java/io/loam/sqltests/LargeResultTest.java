package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A result several times as large as the heap of the JVM that reads it. */
class LargeResultTest {
  private static final int ROWS = 6_000;
  private static final int CHARACTERS = 24_000;
  private static final int HEAP_MEGABYTES = 64;

  @TempDir Path folder;

  @Test
  void rowsAreStreamed() throws Exception {
    assertThat((long) ROWS * CHARACTERS).isGreaterThan(2L * (HEAP_MEGABYTES << 20));
    long checksum = load();
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + HEAP_MEGABYTES + "m",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Reader.class.getName(),
                folder.resolve("warehouse").toString())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertThat(process.waitFor()).as(Files.readString(out)).isZero();
    assertThat(Files.readString(out)).contains("rows=" + ROWS + " checksum=" + checksum);
  }

  private long load() throws SQLException {
    Random random = new Random(3);
    CRC32 checksum = new CRC32();
    try (Connection connection = Sql.connect(folder.resolve("warehouse"))) {
      Sql.run(connection, "CREATE TABLE docs (id BIGINT PRIMARY KEY, body JSON)");
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO docs VALUES (?, ?)")) {
        for (int id = 0; id < ROWS; id++) {
          String body = body(random);
          checksum.update(body.getBytes(StandardCharsets.US_ASCII));
          Sql.bind(insert, id, body);
          insert.addBatch();
          if (id % 1_000 == 999) {
            insert.executeBatch();
          }
        }
      }
    }
    return checksum.getValue();
  }

  /** Digits that do not compress to much less than half. */
  private static String body(Random random) {
    StringBuilder text = new StringBuilder("\"");
    while (text.length() < CHARACTERS) {
      text.append(random.nextLong());
    }
    return text.append('"').toString();
  }

  /** What runs in the small JVM. */
  static final class Reader {
    private Reader() {}

    public static void main(String[] args) throws SQLException {
      for (String sql : List.of("SELECT id, body FROM docs", "SELECT id, upper(body) FROM docs")) {
        CRC32 checksum = new CRC32();
        int rows = 0;
        try (Connection connection = Sql.connect(Path.of(args[0]));
            Statement statement = connection.createStatement()) {
          statement.setFetchSize(100);
          try (ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
              checksum.update(result.getString(2).getBytes(StandardCharsets.US_ASCII));
              rows++;
            }
          }
        }
        System.out.println("rows=" + rows + " checksum=" + checksum.getValue());
      }
    }
  }
}
