package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results, statements and connections may be closed in any order, and more than once. */
class CloseOrderTest {
  @TempDir Path folder;

  /** Two connections and what they have open, half-read. */
  private record Open(Map<String, AutoCloseable> resources) implements AutoCloseable {
    static Open all(Path folder) throws SQLException {
      Connection first = Sql.connect(folder);
      Connection second = Sql.connect(folder);
      Statement statement = first.createStatement();
      ResultSet search = statement.executeQuery("SELECT id FROM bm25('docs', 'body', 'wing', 50)");
      PreparedStatement prepared = first.prepareStatement("SELECT body FROM docs WHERE id >= ?");
      prepared.setLong(1, 5);
      ResultSet scan = prepared.executeQuery();
      PreparedStatement joined =
          second.prepareStatement("SELECT a.id FROM docs a JOIN docs b USING (body)");
      ResultSet join = joined.executeQuery();
      for (ResultSet result : List.of(search, scan, join)) {
        assertThat(result.next()).isTrue();
      }
      return new Open(
          Map.of(
              "first", first,
              "second", second,
              "statement", statement,
              "search", search,
              "prepared", prepared,
              "scan", scan,
              "joined", joined,
              "join", join));
    }

    @Override
    public void close() throws SQLException {
      for (String name : resources.keySet()) {
        close(name);
      }
    }

    void close(String name) throws SQLException {
      AutoCloseable resource = resources.get(name);
      if (resource instanceof Connection connection) {
        connection.close();
      } else if (resource instanceof Statement statement) {
        statement.close();
      } else if (resource instanceof ResultSet result) {
        result.close();
      }
    }
  }

  @Test
  void anyOrderWillDo() throws SQLException {
    try (Connection connection = Sql.connect(folder)) {
      Sql.run(connection, "CREATE TABLE docs (id BIGINT PRIMARY KEY, body TEXT)");
      for (int id = 0; id < 20; id++) {
        Sql.update(connection, "INSERT INTO docs VALUES (?, ?)", id, "a wing " + id);
      }
    }
    long seed = 5;
    Random random = new Random(seed);
    for (int round = 0; round < 40; round++) {
      try (Open open = Open.all(folder)) {
        List<String> order = new ArrayList<>(open.resources().keySet());
        Collections.sort(order);
        order.addAll(List.copyOf(order));
        Collections.shuffle(order, random);
        for (String name : order) {
          open.close(name);
          checkClosed(open, name, order, seed);
        }
      }
    }
    try (Connection connection = Sql.connect(folder)) {
      assertThat(Sql.column(connection, "SELECT count(*) FROM docs")).containsExactly(20L);
    }
  }

  /** What is closed is closed with what it holds, and says so. */
  private static void checkClosed(Open open, String name, List<String> order, long seed)
      throws SQLException {
    AutoCloseable closed = open.resources().get(name);
    String context = "seed %d, %s of %s".formatted(seed, name, order);
    if (closed instanceof ResultSet result) {
      assertThat(result.isClosed()).as(context).isTrue();
      fails(result::next, context);
    } else if (closed instanceof Statement statement) {
      assertThat(statement.isClosed()).as(context).isTrue();
      if (statement instanceof PreparedStatement prepared) {
        fails(prepared::executeQuery, context);
      } else {
        fails(() -> statement.executeQuery("SELECT 1"), context);
      }
      fails(((ResultSet) open.resources().get(resultOf(name)))::next, context);
    } else {
      Connection connection = (Connection) closed;
      assertThat(connection.isValid(1)).as(context).isFalse();
      fails(connection::createStatement, context);
      for (String held :
          name.equals("first") ? List.of("search", "scan", "statement") : List.of("join")) {
        assertThat(
                open.resources().get(held) instanceof ResultSet result
                    ? result.isClosed()
                    : ((Statement) open.resources().get(held)).isClosed())
            .as("%s: %s", context, held)
            .isTrue();
      }
    }
  }

  private static String resultOf(String statement) {
    return switch (statement) {
      case "statement" -> "search";
      case "prepared" -> "scan";
      default -> "join";
    };
  }

  private static void fails(ThrowingCallable call, String context) {
    assertThatThrownBy(call)
        .as(context)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08003"));
  }
}
