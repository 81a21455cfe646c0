package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import sqlline.SqlLine;

/** A session of sqlline, which asks for metadata as tools do. */
class SqllineTest {
  @TempDir Path folder;

  private String run(String script) throws IOException {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    SqlLine shell = new SqlLine();
    PrintStream printed = new PrintStream(output, true, StandardCharsets.UTF_8);
    shell.setOutputStream(printed);
    shell.setErrorStream(printed);
    String[] args = {
      "-d",
      "io.loam.jdbc.LoamDriver",
      "-u",
      "jdbc:loam:" + folder,
      "-n",
      "",
      "-p",
      "",
      "--outputformat=csv",
      "--historyfile=" + folder.resolve("history"),
      "--isolation=TRANSACTION_REPEATABLE_READ"
    };
    shell.begin(args, new ByteArrayInputStream(script.getBytes(StandardCharsets.UTF_8)), false);
    return output.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aSession() throws IOException {
    String output =
        run(
            """
            CREATE TABLE docs (id BIGINT PRIMARY KEY, title TEXT, price DECIMAL(6,2), v VECTOR(2));
            INSERT INTO docs VALUES (1, 'A wing', 12.5, '[1,0]'), (2, 'A plate', NULL, NULL);
            SELECT id, title, price, v FROM docs ORDER BY id;
            !tables docs
            !columns docs
            !primarykeys docs
            !indexes docs
            !metadata getTypeInfo
            !procedures
            SELECT titel FROM docs;
            !autocommit off
            UPDATE docs SET price = 3 WHERE id = 2;
            !rollback
            !autocommit on
            SELECT count(price) AS prices FROM docs;
            SELECT id FROM bm25('docs', 'title', 'wing');
            !batch
            INSERT INTO docs (id) VALUES (3);
            INSERT INTO docs (id) VALUES (4);
            !batch
            SELECT count(*) AS n FROM docs;
            !quit
            """);
    assertThat(output)
        .contains("'id','title','price','v'")
        .contains("'1','A wing','12.50','[1.0,0.0]'")
        .contains("'2','A plate','null',''")
        .containsPattern("'loam','docs','TABLE'")
        .containsPattern("'docs','price','3','DECIMAL','6',")
        .containsPattern("'docs','id','1','docs_pkey'")
        .contains("'SPARSEVECTOR'")
        .contains("'optimize'")
        .contains("unknown column")
        .contains("title")
        .containsPattern("'prices'\\R'1'")
        .containsPattern("'id'\\R'1'")
        .containsPattern("'n'\\R'4'")
        .doesNotContain("Exception");
  }
}
