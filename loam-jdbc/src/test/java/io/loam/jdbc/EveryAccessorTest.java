package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every getter and setter that JDBC has works, or says what to use instead. */
class EveryAccessorTest {
  private static final String TEXT = "Prüfung 7 €";
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = FakeDriver.connect();
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private ResultSet row(String values) throws SQLException {
    ResultSet rows = connection.createStatement().executeQuery("SELECT * FROM (VALUES " + values);
    assertThat(rows.next()).isTrue();
    return rows;
  }

  /** Calls the method; the SQLSTATE and the message of what it throws, or null. */
  private static SQLException failure(Object target, Method method, Object... arguments)
      throws IllegalAccessException {
    try {
      method.invoke(target, arguments);
      return null;
    } catch (InvocationTargetException e) {
      assertThat(e.getCause()).as(method.toString()).isInstanceOf(SQLException.class);
      return (SQLException) e.getCause();
    }
  }

  @Test
  void everyGetterByPositionIsThatByLabel() throws Exception {
    Set<String> refused = new TreeSet<>();
    ResultSet rows = row("(1)) AS t (a)");
    for (Method byPosition : ResultSet.class.getMethods()) {
      Class<?>[] parameters = byPosition.getParameterTypes();
      if (!byPosition.getName().startsWith("get")
          || parameters.length == 0
          || parameters[0] != int.class) {
        continue;
      }
      Object[] arguments = new Object[parameters.length];
      for (int i = 1; i < arguments.length; i++) {
        arguments[i] = parameters[i] == Class.class ? Integer.class : zero(parameters[i]);
      }
      arguments[0] = 1;
      SQLException first = failure(rows, byPosition, arguments);
      parameters[0] = String.class;
      arguments[0] = "A";
      Method byLabel = ResultSet.class.getMethod(byPosition.getName(), parameters);
      SQLException second = failure(rows, byLabel, arguments);
      assertThat(second == null ? null : second.getMessage())
          .as(byLabel.toString())
          .isEqualTo(first == null ? null : first.getMessage());
      if (first != null && first.getSQLState().equals("0A000")) {
        assertThat(first.getMessage()).contains("; ").doesNotContain("Avatica");
        refused.add(byPosition.getName());
      }
    }
    assertThat(refused)
        .containsExactly(
            "getBlob", "getRef", "getRowId", "getSQLXML", "getURL", "getUnicodeStream");
  }

  private static Object zero(Class<?> type) {
    if (type == int.class) {
      return 0;
    }
    return type == long.class ? 0L : null;
  }

  @Test
  void everySetterWorksOrIsRefused() throws Exception {
    Set<String> refused = new TreeSet<>();
    List<String> wrong = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement("VALUES (CAST(? AS VARCHAR))")) {
      for (Method setter : PreparedStatement.class.getMethods()) {
        Class<?>[] parameters = setter.getParameterTypes();
        if (!setter.getName().startsWith("set")
            || parameters.length < 2
            || setter.getDeclaringClass() != PreparedStatement.class) {
          continue;
        }
        Object[] arguments = Arrays.stream(parameters).map(EveryAccessorTest::sample).toArray();
        arguments[0] = 1;
        SQLException failure = failure(statement, setter, arguments);
        if (failure == null) {
          try (ResultSet rows = statement.executeQuery()) {
            rows.next();
            rows.getString(1);
          }
        } else if (failure.getSQLState().equals("0A000") && failure.getMessage().contains("; ")) {
          refused.add(setter.getName());
        } else {
          wrong.add(setter + ": " + failure);
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(refused)
        .containsExactly(
            "setBinaryStream",
            "setBlob",
            "setBytes",
            "setRef",
            "setRowId",
            "setSQLXML",
            "setURL",
            "setUnicodeStream");
  }

  private static Object sample(Class<?> type) {
    if (type == Reader.class) {
      return new StringReader("ab");
    }
    if (type == InputStream.class) {
      return new ByteArrayInputStream(new byte[] {'a', 'b'});
    }
    if (type == byte[].class) {
      return new byte[1];
    }
    if (type.isPrimitive()) {
      return type == boolean.class ? Boolean.TRUE : number(type);
    }
    return null;
  }

  private static Object number(Class<?> type) {
    return switch (type.getName()) {
      case "byte" -> (byte) 1;
      case "short" -> (short) 1;
      case "int" -> 1;
      case "long" -> 1L;
      case "float" -> 1f;
      default -> 1d;
    };
  }

  @Test
  void textsAreReadAsStreamsAndLargeObjects() throws SQLException, IOException {
    ResultSet rows = row("('" + TEXT + "', CAST(NULL AS VARCHAR))) AS t (a, b)");
    assertThat(text(rows.getCharacterStream(1))).isEqualTo(TEXT);
    assertThat(text(rows.getNCharacterStream("a"))).isEqualTo(TEXT);
    assertThat(rows.getBinaryStream(1)).hasBinaryContent(TEXT.getBytes(StandardCharsets.UTF_8));
    assertThat(rows.getAsciiStream(1)).hasContent("Pr?fung 7 ?");
    for (Clob clob : List.of(rows.getClob(1), rows.getNClob("a"), rows.getObject(1, Clob.class))) {
      assertThat(clob.length()).isEqualTo(TEXT.length());
      assertThat(clob.getSubString(1, 3)).isEqualTo("Prü");
      assertThat(clob.getSubString(9, 300)).isEqualTo("7 €");
      assertThat(clob.getSubString(TEXT.length() + 1L, 1)).isEmpty();
      assertThat(text(clob.getCharacterStream())).isEqualTo(TEXT);
      assertThat(text(clob.getCharacterStream(2, 2))).isEqualTo("rü");
      assertThat(clob.position("7", 1)).isEqualTo(9);
      assertThat(clob.position(rows.getClob(1), 1)).isEqualTo(1);
      assertThat(clob.position("P", 2)).isEqualTo(-1);
      assertThat(clob).hasToString(TEXT);
      for (long position : List.of(0L, -1L, TEXT.length() + 2L, 1L << 32)) {
        assertThatThrownBy(() -> clob.getSubString(position, 1))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("position=" + position);
      }
      assertThatThrownBy(() -> clob.getCharacterStream(1, 100)).isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> clob.setString(1, "x"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"));
    }
    assertThat(rows.getClob(2)).isNull();
    assertThat(rows.wasNull()).isTrue();
    assertThat(rows.getObject(2, NClob.class)).isNull();
    assertThat(rows.getAsciiStream("b")).isNull();
    assertThat(rows.getBinaryStream("b")).isNull();
  }

  private static String text(Reader reader) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int c = reader.read(); c >= 0; c = reader.read()) {
      text.append((char) c);
    }
    return text.toString();
  }

  @Test
  void streamsAreBoundAsTexts() throws SQLException, IOException {
    try (PreparedStatement statement = connection.prepareStatement("VALUES (CAST(? AS VARCHAR))")) {
      statement.setClob(1, new StringReader(TEXT));
      assertThat(only(statement)).isEqualTo(TEXT);
      statement.setNClob(1, new StringReader(TEXT), 3);
      assertThat(only(statement)).isEqualTo("Prü");
      statement.setNCharacterStream(1, new StringReader(TEXT), 0);
      assertThat(only(statement)).isEmpty();
      statement.setClob(1, row("('" + TEXT + "')) AS t (a)").getClob(1));
      assertThat(only(statement)).isEqualTo(TEXT);
      statement.setAsciiStream(1, new ByteArrayInputStream(new byte[] {'a', 'b', 'c'}), 2);
      assertThat(only(statement)).isEqualTo("ab");
      statement.setCharacterStream(1, (Reader) null);
      assertThat(only(statement)).isNull();
      String large = "é".repeat(100_000);
      StringReader reader = new StringReader(large + "rest");
      statement.setCharacterStream(1, reader, large.length());
      assertThat(only(statement)).isEqualTo(large);
      assertThat(text(reader)).isEqualTo("rest");
      assertThatThrownBy(() -> statement.setClob(1, new StringReader(TEXT), -1))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("negative length: characters=-1;");
    }
  }

  private static String only(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  @Test
  void anObjectIsOneHoweverItIsAskedFor() throws SQLException, ClassNotFoundException {
    ResultSet rows =
        row(
            "(1, 'a', 1.50, DATE '2026-01-31', TIME '10:20:30', TIMESTAMP '2026-01-31 10:20:30',"
                + " TRUE, CAST('[1,2]' AS VECTOR(2)), ARRAY['x'], CAST(NULL AS INTEGER)))");
    for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
      Object value = rows.getObject(i);
      Object asObject = rows.getObject(i, Object.class);
      assertThat(Objects.toString(asObject)).isEqualTo(Objects.toString(value));
      assertThat(asObject == null ? null : asObject.getClass())
          .isEqualTo(value == null ? null : value.getClass());
      if (value != null) {
        assertThat(Class.forName(rows.getMetaData().getColumnClassName(i)))
            .as("column " + i)
            .isAssignableFrom(value.getClass());
      }
    }
  }

  @Test
  void resultsOfAnotherKindComeWithAWarning() throws SQLException {
    assertThat((Throwable) connection.getWarnings()).isNull();
    connection
        .createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE)
        .close();
    assertThat((Throwable) connection.getWarnings()).hasMessageContaining("forward only");
    assertThat((Throwable) connection.getWarnings().getNextWarning())
        .hasMessageContaining("read only");
    connection.clearWarnings();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "VALUES 1", ResultSet.TYPE_SCROLL_SENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
      assertThat((Throwable) connection.getWarnings()).hasMessageContaining("forward only");
      assertThat(statement.getResultSetType()).isEqualTo(ResultSet.TYPE_FORWARD_ONLY);
    }
    connection.clearWarnings();
    connection.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY).close();
    assertThat((Throwable) connection.getWarnings()).isNull();
    assertThatThrownBy(() -> connection.createStatement(7, ResultSet.CONCUR_READ_ONLY))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("no such kind of results: type=7");
    for (int type : List.of(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.TYPE_SCROLL_SENSITIVE)) {
      assertThat(connection.getMetaData().supportsResultSetType(type)).isFalse();
    }
  }
}
