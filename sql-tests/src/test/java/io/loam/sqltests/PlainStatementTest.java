package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements without preparation: what fails changes nothing. */
class PlainStatementTest {
  @TempDir Path folder;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE docs (id BIGINT PRIMARY KEY, n INTEGER, tags VARCHAR ARRAY)");
    Sql.run(connection, "INSERT INTO docs (id, n, tags) VALUES (1, 1, ARRAY['a', 'b'])");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private void assertUnchanged() throws SQLException {
    assertThat(Sql.rows(connection, "SELECT id, n FROM docs")).hasSize(1);
    try (ResultSet tables = connection.getMetaData().getTables(null, null, "ghost", null)) {
      assertThat(tables.next()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO docs (id) VALUES (77)",
        " -- a comment\n /* another */ insert into docs (id) values (77)",
        "DELETE FROM docs",
        "UPDATE docs SET id = 5",
        "CREATE TABLE ghost (id BIGINT PRIMARY KEY)",
        "DROP TABLE docs"
      })
  void executeQueryOfAChangeChangesNothing(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.executeQuery(sql))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22023"));
    }
    assertUnchanged();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO docs (id, n) VALUES (77, ?)",
        "DELETE FROM docs WHERE id = ?",
        "SELECT * FROM docs WHERE id = ?"
      })
  void parametersNeedAPreparedStatement(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.execute(sql)).hasMessageContaining("prepareStatement");
    }
    assertUnchanged();
  }

  @Test
  void aSemicolonEndsAStatement() throws SQLException {
    assertThat(Sql.rows(connection, "SELECT id FROM docs WHERE tags[1] = ';' OR id = 1;\n"))
        .hasSize(1);
    Sql.run(connection, "INSERT INTO docs (id) VALUES (2);");
    Sql.run(connection, "CREATE TABLE other (id BIGINT PRIMARY KEY) ; ");
    assertThat(Sql.rows(connection, "SELECT id FROM docs")).hasSize(2);
  }

  @Test
  void whatIsNotThereIsRefusedAsSuch() {
    assertThatThrownBy(() -> Sql.rows(connection, "SELECT id FROM docs WHERE 'a' MEMBER OF tags"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"));
    assertThatThrownBy(() -> Sql.rows(connection, "SELECT id FROM docs WHERE n = 'abc'"))
        .hasMessageContaining("text is not of the type: value=abc, type=INTEGER");
  }

  @Test
  void timesOfTheStatementAreUtc() throws SQLException {
    assertThat(
            Sql.rows(
                connection,
                "SELECT version FROM \"docs$manifests\" WHERE created_at > CURRENT_TIMESTAMP OR"
                    + " created_at < CURRENT_TIMESTAMP - INTERVAL '5' MINUTE"))
        .isEmpty();
  }
}
