package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns of VALUES that hold doubles, decimals, whole numbers and NULL. */
class MixedValuesTest {
  private static final List<String> NUMBERS =
      Arrays.asList("1", "2.5", "1e2", "NULL", "3000000000", "-7", "-0.5", "1e300", "-2e-3", "0");

  @TempDir static Path folder;
  private static Connection connection;

  @BeforeAll
  static void connect() throws SQLException {
    connection = Sql.connect(folder);
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  private static @Nullable Double number(int i) {
    String text = NUMBERS.get(i % NUMBERS.size());
    return text.equals("NULL") ? null : Double.valueOf(text);
  }

  private static String values(int count) {
    return "(VALUES "
        + String.join(
            ", ",
            IntStream.range(0, count)
                .mapToObj(i -> "(" + i + ", " + NUMBERS.get(i % NUMBERS.size()) + ")")
                .toList())
        + ") z(i, x)";
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 10, 150})
  void areDoubles(int count) throws SQLException {
    List<@Nullable Object> expected = new ArrayList<>();
    IntStream.range(0, count).forEach(i -> expected.add(number(i)));
    String from = " FROM " + values(count);
    assertThat(Sql.column(connection, "SELECT x" + from + " ORDER BY i")).isEqualTo(expected);
    assertThat(Sql.column(connection, "SELECT x" + from + " WHERE x IS NOT NULL ORDER BY x"))
        .isEqualTo(expected.stream().filter(Objects::nonNull).sorted().toList());
    assertThat(Sql.column(connection, "SELECT count(*)" + from + " WHERE x > 2"))
        .isEqualTo(List.of(expected.stream().filter(x -> x instanceof Double d && d > 2).count()));
  }

  @Test
  void ofOneColumn() throws SQLException {
    assertThat(
            Sql.column(
                connection, "SELECT x FROM (VALUES (1), (2.5), (1e2), (NULL), (3000000000)) t(x)"))
        .isEqualTo(Arrays.asList(1.0, 2.5, 100.0, null, 3e9));
    assertThat(Sql.column(connection, "VALUES 1, 1e2, 2.5")).isEqualTo(List.of(1.0, 100.0, 2.5));
    assertThat(Sql.column(connection, "SELECT 3 IN (VALUES (1e0), (3))")).isEqualTo(List.of(true));
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 150})
  void mergeInsertsThem(int count) throws SQLException {
    Sql.run(connection, "CREATE TABLE m (id BIGINT PRIMARY KEY, d DOUBLE)");
    Sql.run(
        connection,
        "MERGE INTO m USING "
            + values(count)
            + " ON m.id = z.i WHEN NOT MATCHED THEN INSERT (id, d) VALUES (z.i, z.x)");
    List<@Nullable Object> expected = new ArrayList<>();
    IntStream.range(0, count).forEach(i -> expected.add(number(i)));
    assertThat(Sql.column(connection, "SELECT d FROM m ORDER BY id")).isEqualTo(expected);
    Sql.run(connection, "DROP TABLE m");
  }

  @Test
  void mergeOfOtherTypesToo() throws SQLException {
    Sql.run(connection, "CREATE TABLE o (id BIGINT PRIMARY KEY, ts TIMESTAMP, d DOUBLE)");
    Sql.run(
        connection,
        "MERGE INTO o USING (VALUES (4, TIMESTAMP '2024-01-01 00:00:00.123456', 1e300),"
            + " (5, NULL, NULL), (6, TIMESTAMP '2024-01-01 00:00:00.1', 1)) z(id, ts, d)"
            + " ON o.id = z.id WHEN NOT MATCHED THEN INSERT (id, ts, d) VALUES (z.id, z.ts, z.d)");
    assertThat(Sql.column(connection, "SELECT d FROM o ORDER BY id"))
        .isEqualTo(Arrays.asList(1e300, null, 1.0));
    assertThat(Sql.column(connection, "SELECT CAST(ts AS VARCHAR) FROM o WHERE id = 4"))
        .isEqualTo(List.of("2024-01-01 00:00:00.123456"));
  }
}
