package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random columns that come and go under few names, with rows that are written in between, against a
 * map. Searches give the rows and the bits of a table that was made with the columns and rows that
 * there are in the end.
 */
class AlterModelTest {
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final List<String> TYPES =
      List.of(
          "INTEGER",
          "BIGINT",
          "VARCHAR",
          "TEXT ANALYZER 'english'",
          "TEXT",
          "JSON",
          "DOUBLE",
          "DATE",
          "VARCHAR ARRAY",
          "VECTOR(2)",
          "VECTOR(3)",
          "SPARSEVECTOR");
  private static final List<String> WORDS = List.of("wing", "flow", "plates", "heat", "shear");
  private static final int MANY = 1_200; // more than the tail takes from one commit

  @TempDir Path folder;
  private Connection connection;
  private Random random = new Random();

  /** Types by name, in declared order. */
  private final Map<String, String> columns = new LinkedHashMap<>();

  private final TreeMap<Long, Map<String, Object>> rows = new TreeMap<>();

  /** What SELECT * gave, by version. */
  private final Map<Long, List<List<@Nullable Object>>> versions = new HashMap<>();

  private long nextId;

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void columnsComeAndGo(long seed) throws SQLException {
    random = new Random(seed);
    columns.put("a", "TEXT");
    columns.put("b", "VECTOR(2)");
    Sql.run(
        connection,
        "CREATE TABLE docs (id BIGINT PRIMARY KEY, a TEXT, b VECTOR(2))"
            + " WITH ('retention.versions' = '1000')");
    for (int step = 0; step < 40; step++) {
      String what = step();
      String context = "seed " + seed + ", step " + step + ": " + what;
      assertThat(select("docs", "")).as(context).isEqualTo(expected());
      versions.put(version(), expected());
    }
    versions.forEach(
        (version, expected) ->
            assertThat(unchecked("docs", " FOR VERSION AS OF " + version))
                .as("seed %s, version %s", seed, version)
                .isEqualTo(expected));
    assertThat(Sql.rows(connection, "CALL loam.verify('docs')"))
        .as("seed %s", seed)
        .allMatch(row -> row.get(1) == null);
    compareSearches(seed);
  }

  private String step() throws SQLException {
    return switch (random.nextInt(11)) {
      case 0, 1, 2 -> add();
      case 3, 4 -> drop();
      case 5, 6 -> insert(1 + random.nextInt(3));
      case 7 -> random.nextInt(3) == 0 ? insert(MANY) : insert(10);
      case 8 -> update();
      case 9 -> optimize();
      default -> random.nextBoolean() ? delete() : reindex();
    };
  }

  private String add() throws SQLException {
    List<String> free = NAMES.stream().filter(n -> !columns.containsKey(n)).toList();
    if (free.isEmpty()) {
      return drop();
    }
    String name = free.get(random.nextInt(free.size()));
    String type = TYPES.get(random.nextInt(TYPES.size()));
    Sql.run(connection, "ALTER TABLE docs ADD COLUMN " + name + " " + type);
    columns.put(name, type);
    return "add " + name + " " + type;
  }

  private String drop() throws SQLException {
    if (columns.isEmpty()) {
      return add();
    }
    String name = List.copyOf(columns.keySet()).get(random.nextInt(columns.size()));
    Sql.run(connection, "ALTER TABLE docs DROP COLUMN " + name);
    columns.remove(name);
    rows.values().forEach(row -> row.remove(name));
    return "drop " + name;
  }

  private String insert(int count) throws SQLException {
    String names = columns.keySet().stream().map(n -> ", " + n).collect(Collectors.joining());
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO docs (id" + names + ") VALUES (?" + ", ?".repeat(columns.size()) + ")")) {
      for (int i = 0; i < count; i++) {
        Map<String, Object> row = new HashMap<>();
        insert.setLong(1, nextId);
        int place = 2;
        for (Map.Entry<String, String> column : columns.entrySet()) {
          Object value = random.nextInt(4) == 0 ? null : value(column.getValue());
          if (value != null) {
            row.put(column.getKey(), value);
          }
          insert.setObject(place++, value);
        }
        rows.put(nextId++, row);
        insert.addBatch();
      }
      insert.executeBatch();
    }
    return "insert " + count;
  }

  private String update() throws SQLException {
    if (columns.isEmpty()) {
      return insert(1);
    }
    String name = List.copyOf(columns.keySet()).get(random.nextInt(columns.size()));
    Object value = value(columns.get(name));
    int modulus = 2 + random.nextInt(20);
    Sql.update(
        connection, "UPDATE docs SET " + name + " = ? WHERE mod(id, " + modulus + ") = 0", value);
    rows.forEach(
        (id, row) -> {
          if (id % modulus == 0) {
            row.put(name, value);
          }
        });
    return "update " + name;
  }

  private String delete() throws SQLException {
    int modulus = 3 + random.nextInt(9);
    Sql.run(connection, "DELETE FROM docs WHERE mod(id, " + modulus + ") = 1");
    rows.keySet().removeIf(id -> id % modulus == 1);
    return "delete";
  }

  /** Merges splits and fragments of several schemas. */
  private String optimize() throws SQLException {
    Sql.run(connection, "CALL loam.optimize('docs')");
    return "optimize";
  }

  private String reindex() throws SQLException {
    Sql.run(connection, "ALTER TABLE docs REINDEX");
    return "reindex";
  }

  private Object value(String type) {
    int n = random.nextInt(50);
    return switch (type) {
      case "INTEGER" -> n;
      case "BIGINT" -> (long) n;
      case "DOUBLE" -> n / 4.0;
      case "DATE" -> java.sql.Date.valueOf(java.time.LocalDate.of(2020, 1, 1).plusDays(n));
      case "VARCHAR ARRAY" -> List.of(word(), word());
      case "JSON" -> "{\"n\":" + n + "}";
      case "VECTOR(2)" -> List.of((float) n, 1f);
      case "VECTOR(3)" -> List.of((float) n, 1f, 2f);
      case "SPARSEVECTOR" -> "{\"" + n % 5 + "\":" + (n + 0.5) + "}";
      default -> word() + " " + word() + " " + n;
    };
  }

  private String word() {
    return WORDS.get(random.nextInt(WORDS.size()));
  }

  private List<List<@Nullable Object>> expected() {
    List<List<@Nullable Object>> expected = new ArrayList<>();
    rows.forEach(
        (id, row) -> {
          List<@Nullable Object> values = new ArrayList<>(Collections.singletonList(id));
          columns.keySet().forEach(name -> values.add(row.get(name)));
          expected.add(values);
        });
    return expected;
  }

  private List<List<@Nullable Object>> select(String table, String version) throws SQLException {
    return Sql.rows(connection, "SELECT * FROM " + table + version + " ORDER BY id");
  }

  private List<List<@Nullable Object>> unchecked(String table, String version) {
    try {
      return select(table, version);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private long version() throws SQLException {
    return (Long) Sql.column(connection, "SELECT max(version) FROM \"docs$manifests\"").get(0);
  }

  private void compareSearches(long seed) throws SQLException {
    Sql.run(
        connection,
        "CREATE TABLE fresh (id BIGINT PRIMARY KEY"
            + columns.entrySet().stream()
                .map(c -> ", " + c.getKey() + " " + c.getValue())
                .collect(Collectors.joining())
            + ")");
    Sql.run(connection, "INSERT INTO fresh SELECT * FROM docs");
    for (Map.Entry<String, String> column : columns.entrySet()) {
      for (String search : searches(column.getKey(), column.getValue())) {
        List<List<@Nullable Object>> wanted = Sql.rows(connection, search.formatted("fresh"));
        assertThat(Sql.rows(connection, search.formatted("docs")))
            .as("seed %s: %s", seed, search)
            .isEqualTo(wanted);
      }
    }
  }

  private static List<String> searches(String name, String type) {
    String all = "SELECT id, _score FROM ";
    if (type.startsWith("TEXT")) {
      return List.of(
          all + "bm25('%s', '" + name + "', 'wing flow', k => 50)",
          all + "bm25('%s', '" + name + "', '\"heat plates\" | she*', k => 50)");
    }
    if (type.startsWith("VECTOR")) {
      String query = type.equals("VECTOR(2)") ? "[1,0.1]" : "[1,0.1,0.3]";
      return List.of(all + "vector_search('%s', '" + name + "', '" + query + "', 50)");
    }
    if (type.equals("SPARSEVECTOR")) {
      return List.of(all + "sparse_match('%s', '" + name + "', '{\"1\":1,\"3\":2}', 50)");
    }
    return Arrays.asList(
        "SELECT id FROM %s WHERE " + name + " IS NULL ORDER BY id",
        "SELECT count(" + name + "), count(*) FROM %s");
  }
}
