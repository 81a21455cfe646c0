package io.loam.jdbc.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.jdbc.FakeDriver;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PrintersTest {
  private static final String ROWS =
      "SELECT * FROM (VALUES (1, 'a,\"b\"', true), (20, CAST(NULL AS VARCHAR), false)) AS t (n, s, b)";

  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = FakeDriver.connect();
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private String printed(Format format, String sql) throws SQLException {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    new Script(connection, format, out).run(sql);
    out.flush();
    return text.toString();
  }

  @Test
  void csv() throws SQLException {
    assertThat(printed(Format.csv, ROWS)).isEqualTo("n,s,b\n1,\"a,\"\"b\"\"\",true\n20,,false\n");
  }

  @Test
  void json() throws SQLException {
    assertThat(printed(Format.json, ROWS))
        .isEqualTo(
            "{\"n\":1,\"s\":\"a,\\\"b\\\"\",\"b\":true}\n{\"n\":20,\"s\":null,\"b\":false}\n");
    assertThat(printed(Format.json, "SELECT CAST('[1,2.5]' AS VARCHAR) AS v"))
        .isEqualTo("{\"v\":\"[1,2.5]\"}\n");
  }

  @Test
  void jsonKeepsColumnsWithEqualLabels() throws SQLException {
    assertThat(printed(Format.json, "SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS a, 5 AS b"))
        .isEqualTo("{\"a\":1,\"a_2\":2,\"a_2_2\":3,\"a_3\":4,\"b\":5}\n");
  }

  @Test
  void table() throws SQLException {
    String text = printed(Format.table, ROWS);
    assertThat(text.lines().limit(4))
        .containsExactly(
            "n   s      b", "----------------", " 1  a,\"b\"  true", "20  null   false");
    assertThat(text).contains("(2 rows, ");
  }

  @Test
  void tableCutsLongTextsAndVectors() throws SQLException {
    assertThat(printed(Format.table, "SELECT '" + "é".repeat(100) + "' AS s"))
        .contains("\n" + "é".repeat(71) + "…\n");
    assertThat(TablePrinter.shortened(new float[] {0.123456f, -1, 2, 0, 1e-9f, 1e10f, 7, 8.5f, 9}))
        .isEqualTo("[0.1235, -1, 2, … 9]");
    assertThat(TablePrinter.shortened(new float[] {0.9f, -1, 20, 0, 1e-9f, 1e10f, 7e-3f, 123456}))
        .isEqualTo("[0.9, -1, 20, 0, 1E-9, 10000000000, 0.007, 123500]");
    assertThat(TablePrinter.shortened(new float[] {1})).isEqualTo("[1]");
  }
}
