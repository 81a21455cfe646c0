package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.s3testing.S3Server;
import io.loam.s3testing.SeenRequest;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
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

  /** Each request takes its time, and planning makes them one after another. */
  @Test
  void aStatementLooksAtTheHeadAFewTimes() throws SQLException {
    try (Connection connection = connect("cache")) {
      Sql.run(connection, "CREATE TABLE docs (id BIGINT PRIMARY KEY, n INTEGER)");
      Sql.run(connection, "INSERT INTO docs VALUES (1, 2), (2, 3)");
    }
    try (Connection connection = connect("cold")) {
      server.takeSeen();
      assertThat(Sql.column(connection, "SELECT n FROM docs WHERE id = 2")).containsExactly(3);
      List<String> cold = keys();
      assertThat(cold).filteredOn(key -> key.endsWith("/head")).hasSizeLessThanOrEqualTo(6);
      assertThat(cold).filteredOn(key -> key.contains("catalog/")).hasSizeLessThanOrEqualTo(5);
      assertThat(cold)
          .filteredOn(key -> !key.endsWith("/head") && !key.contains("catalog/"))
          .doesNotHaveDuplicates();
      Sql.column(connection, "SELECT n FROM docs WHERE id = 2");
      assertThat(keys()).hasSizeLessThanOrEqualTo(4);
    }
  }

  /** Keys of the objects that were asked for. */
  private List<String> keys() {
    return server.takeSeen().stream()
        .filter(request -> !request.isList())
        .map(SeenRequest::key)
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
