package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.s3testing.S3Server;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQL over a bucket. */
class S3SqlTest {
  @TempDir Path folder;
  private S3Server server;

  @BeforeEach
  void start() {
    server = S3Server.start(folder.resolve("s3"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String url(S3Server server) {
    return "jdbc:loam:s3://"
        + S3Server.BUCKET
        + "/a/warehouse?pathStyle=true&endpoint="
        + server.endpoint();
  }

  static Connection connect(S3Server server, Path cache) throws SQLException {
    Properties keys = new Properties();
    keys.setProperty("accessKeyId", S3Server.ACCESS_KEY_ID);
    keys.setProperty("secretAccessKey", S3Server.SECRET_ACCESS_KEY);
    keys.setProperty("cacheFolder", cache.toString());
    return DriverManager.getConnection(url(server), keys);
  }

  private Connection connect(String cache) throws SQLException {
    return connect(server, folder.resolve(cache));
  }

  @Test
  void aCollectionLivesInABucket() throws SQLException {
    try (Connection connection = connect("cache")) {
      Sql.run(
          connection,
          "CREATE TABLE docs (id BIGINT PRIMARY KEY, body TEXT ANALYZER 'english', n INTEGER,"
              + " v VECTOR(3))");
      for (int i = 0; i < 5; i++) {
        Sql.update(
            connection,
            "INSERT INTO docs VALUES (?, ?, ?, ?)",
            (long) i,
            "wing number " + i,
            i % 2,
            new float[] {i, 1, 0});
      }
      Sql.run(connection, "DELETE FROM docs WHERE id = 3");
      Sql.run(connection, "UPDATE docs SET body = 'tail plane' WHERE id = 4");
      Sql.run(connection, "CALL loam.gc('docs')");
    }
    try (Connection connection = connect("cold")) {
      assertThat(Sql.column(connection, "SELECT id FROM bm25('docs', 'body', 'wing') ORDER BY id"))
          .containsExactly(0L, 1L, 2L);
      assertThat(
              Sql.column(
                  connection,
                  "SELECT body FROM vector_search('docs', 'v', '[4,1,0]', 2, metric => 'l2')"))
          .containsExactly("tail plane", "wing number 2");
    }
    try (Connection connection = connect("colder")) {
      String analysis =
          (String)
              Sql.column(connection, "EXPLAIN ANALYZE SELECT sum(n) FROM docs WHERE n > 0").get(0);
      assertThat(analysis).contains("store: planningRequests=", "bytesRead=");
    }
  }

  /** Each request takes its time: a process that knows nothing asks for each object once. */
  @Test
  void p5_aColdReaderAsksForEachObjectOnce() throws SQLException {
    makeSearchable();
    server.takeSeen();
    String search = "SELECT id, body FROM bm25('docs', 'body', 'wing', k => 2)";
    try (Connection connection = connect("cold");
        Statement statement = connection.createStatement()) {
      assertThat(count(statement.executeQuery(search))).isEqualTo(2);
      assertThat(kinds())
          .startsWith("GET catalog/loam/docs.json", "GET head", "GET manifests")
          .containsExactlyInAnyOrder(
              "GET catalog/loam/docs.json",
              "GET head",
              "GET manifests",
              "GET schemas",
              "GET tail",
              "GET text/deletes",
              "GET text.tokens",
              "GET text.columns",
              "GET lance/_versions",
              "GET lance/_deletions",
              "GET lance/data");
      List<String> least = List.of("GET catalog/loam/docs.json", "GET head");
      assertThat(count(statement.executeQuery(search))).isEqualTo(2);
      assertThat(kinds()).isEqualTo(least);
      assertThat(count(statement.executeQuery(search + " WHERE id < 0"))).isZero();
      assertThat(kinds()).as("another plan").isEqualTo(least);
      assertThat(count(statement.executeQuery("SELECT n FROM docs WHERE id = 5000"))).isOne();
      assertThat(kinds()).isEqualTo(least);
      try (PreparedStatement prepared = connection.prepareStatement(search)) {
        assertThat(kinds()).as("preparing").isEqualTo(least);
        assertThat(count(prepared.executeQuery())).isEqualTo(2);
        assertThat(kinds()).as("running").isEqualTo(least);
      }
    }
  }

  /** What each statement writes comes after one look at what is there. */
  @Test
  void p5_aWriterAsksForTheHeadOnce() throws SQLException {
    makeSearchable();
    try (Connection connection = connect("cache");
        Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO docs VALUES (10000, 'x', 1)"); // reserves ids
      List<String> commit =
          List.of("GET catalog/loam/docs.json", "GET head", "PUT tail", "PUT keys", "PUT manifests", "PUT head");
      for (String sql :
          List.of(
              "INSERT INTO docs VALUES (10001, 'y', 1)",
              "UPSERT INTO docs VALUES (10000, 'y', 1)",
              "UPDATE docs SET n = 5 WHERE id = 10000")) {
        server.takeSeen();
        assertThat(statement.executeUpdate(sql)).isOne();
        assertThat(kinds()).as(sql).filteredOn(k -> !k.endsWith("/loam.json")).isEqualTo(commit);
      }
    }
  }

  /** What others commit between two statements is seen by the second. */
  @Test
  void p5_eachStatementSeesTheNewestCommit() throws SQLException {
    makeSearchable();
    try (Connection reader = connect("cold");
        Statement statement = reader.createStatement();
        PreparedStatement prepared = reader.prepareStatement("SELECT n FROM docs WHERE id = ?");
        Connection writer = connect("cache")) {
      prepared.setLong(1, 20_000);
      for (int n = 0; n < 3; n++) {
        Sql.run(writer, "UPSERT INTO docs VALUES (20000, 'x', " + n + ")");
        try (ResultSet rows = statement.executeQuery("SELECT n FROM docs WHERE id = 20000")) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getInt(1)).isEqualTo(n);
        }
        try (ResultSet rows = prepared.executeQuery()) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getInt(1)).isEqualTo(n);
        }
      }
      Sql.run(writer, "DROP TABLE docs");
      assertThatThrownBy(prepared::executeQuery).hasMessageContaining("no such table");
      Sql.run(writer, "CREATE TABLE docs (id BIGINT PRIMARY KEY, n INTEGER)");
      assertThat(count(prepared.executeQuery())).isZero();
    }
  }

  private static int count(ResultSet rows) throws SQLException {
    try (rows) {
      int count = 0;
      while (rows.next()) {
        count++;
      }
      return count;
    }
  }

  /** A table with a split, rows in its tail, and rows that were deleted. */
  private void makeSearchable() throws SQLException {
    try (Connection connection = connect("cache")) {
      Sql.run(
          connection,
          "CREATE TABLE docs (id BIGINT PRIMARY KEY, body TEXT ANALYZER 'english', n INTEGER)");
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO docs VALUES (?, 'a wing', ?)")) {
        for (int id = 0; id < 1_500; id++) {
          insert.setLong(1, id);
          insert.setInt(2, id % 7);
          insert.addBatch();
        }
        insert.executeBatch();
      }
      Sql.run(connection, "INSERT INTO docs VALUES (5000, 'a tail', 1)");
      Sql.run(connection, "DELETE FROM docs WHERE id < 10");
    }
  }

  /** What was asked for since the last time: folders and suffixes of objects that have ids. */
  private List<String> kinds() {
    return server.takeSeen().stream()
        .map(
            request ->
                (request.isList() ? "LIST " : request.method() + " ")
                    + request
                        .key()
                        .replaceFirst("^a/warehouse/(collections/[0-9a-z]{26}/)?", "")
                        .replaceFirst("(^text)/[0-9a-z]{26}([.]\\d+)?([.][a-z]+)$", "$1$3")
                        .replaceFirst("(^[a-z]+(/[a-z_]+)?)/[^/]*[0-9a-z]{16}[^/]*$|^(text/deletes)/.*", "$1$3"))
        .toList();
  }

  @Test
  void keysAreNeverShown() throws SQLException {
    String keys =
        "&accessKeyId=" + S3Server.ACCESS_KEY_ID + "&secretAccessKey=" + S3Server.SECRET_ACCESS_KEY;
    try (Connection connection = DriverManager.getConnection(url(server) + keys)) {
      assertThat(connection.getMetaData().getURL()).isEqualTo(url(server));
      Sql.run(connection, "CREATE TABLE docs (id BIGINT PRIMARY KEY, body TEXT)");
      Sql.run(connection, "INSERT INTO docs VALUES (1, 'x')");
      for (String sql :
          List.of(
              "EXPLAIN PLAN FOR SELECT body FROM docs", "EXPLAIN ANALYZE SELECT body FROM docs")) {
        assertHidden(Sql.rows(connection, sql).toString());
      }
    }
    String wrong = "&accessKeyId=" + S3Server.ACCESS_KEY_ID + "&secretAccessKey=WRONGSECRET";
    assertThatThrownBy(
            () -> {
              try (Connection connection = DriverManager.getConnection(url(server) + wrong)) {
                Sql.rows(connection, "SELECT body FROM docs");
              }
            })
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("status=403")
        .satisfies(
            e -> {
              StringWriter text = new StringWriter();
              e.printStackTrace(new PrintWriter(text));
              assertHidden(text.toString());
            });
  }

  private static void assertHidden(String text) {
    assertThat(text)
        .doesNotContain(S3Server.ACCESS_KEY_ID, S3Server.SECRET_ACCESS_KEY, "WRONGSECRET");
  }
}
