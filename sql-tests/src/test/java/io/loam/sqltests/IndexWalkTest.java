package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random walks through what SQL does to indexed vectors, by two warehouses over one folder. All
 * that is found is compared with a model, scores bit for bit with an exact search.
 */
class IndexWalkTest {
  private static final String[] NAMES = {
    "by_v", "By V", "\u00fcber \"v\"", "v'i", "\ud83d\ude80", "select"
  };
  private static final String[] KINDS = {"ivf_flat", "ivf_sq", "ivf_pq"};
  private static final String[] METRICS = {"cosine", "l2", "dot"};

  @TempDir Path folder;

  @Test
  void p5p7_shortWalk() throws Exception {
    walk(1, 40);
  }

  @Test
  @Tag("long")
  void p5p7_longWalks() throws Exception {
    walk(2, 40);
    for (long seed = 100; seed < 106; seed++) {
      walk(seed, 150);
    }
  }

  private void walk(long seed, int steps) throws Exception {
    Path place = Files.createDirectory(folder.resolve("walk" + seed));
    try (Walk walk = new Walk(place, seed)) {
      for (int i = 0; i < steps; i++) {
        walk.step(i);
      }
      walk.verify();
    }
  }

  private record Near(long id, double score) {}

  /** One table with its model. */
  private static final class Walk implements AutoCloseable {
    private final long seed;
    private final Random random;
    private final Connection[] connections;
    private final Map<Long, float @Nullable []> model = new TreeMap<>();
    private final Map<String, Boolean> indexes = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final List<String> log = new ArrayList<>();
    private final Map<Long, List<List<@Nullable Object>>> past = new TreeMap<>();
    private final int dimension;
    private final String metric;
    private final float[] question;
    private boolean column = true;
    private long nextId = 1;

    Walk(Path place, long seed) throws SQLException, IOException {
      this.seed = seed;
      this.random = new Random(seed);
      Path warehouse = Files.createDirectory(place.resolve("warehouse"));
      Path other = Files.createSymbolicLink(place.resolve("other"), warehouse);
      this.connections = new Connection[] {connect(warehouse), connect(other)};
      this.dimension = new int[] {1, 2, 7, 16, 64, 100}[random.nextInt(6)];
      this.metric = METRICS[random.nextInt(3)];
      this.question = vector();
      run(
          "CREATE TABLE docs (id BIGINT PRIMARY KEY, n INTEGER, title TEXT, v VECTOR(%d))"
                  .formatted(dimension)
              + " WITH ('metric.v' = '%s', 'retention.minutes' = '0', 'retention.versions' = '12')"
                  .formatted(metric));
    }

    private static Connection connect(Path place) throws SQLException {
      return DriverManager.getConnection(
          "jdbc:loam:" + place + "?autoOptimize=false&buildProcesses=0");
    }

    private Connection any() {
      return connections[random.nextInt(connections.length)];
    }

    private int run(String sql) throws SQLException {
      log.add(sql);
      return Sql.run(any(), sql);
    }

    void step(int number) throws SQLException {
      try {
        act();
        check();
        if (number % 10 == 9) {
          verify();
        }
      } catch (SQLException | AssertionError e) {
        throw new AssertionError("seed=%d, step=%d: %s".formatted(seed, number, tail()), e);
      }
    }

    private String tail() {
      return String.join("\n", log.subList(Math.max(0, log.size() - 60), log.size()));
    }

    private void act() throws SQLException {
      switch (random.nextInt(14)) {
        case 0, 1 -> insert(1 + random.nextInt(1_800));
        case 2 -> insert(1 + random.nextInt(5));
        case 3 -> replace();
        case 4 -> update();
        case 5 -> delete();
        case 6, 7 -> createIndex();
        case 8 -> dropIndex();
        case 9 -> rebuild();
        case 10 -> run("CALL loam.optimize('docs')");
        case 11 -> run("CALL loam.gc('docs', grace_minutes => 0)");
        case 12 -> tag();
        default -> dropOrAddColumn();
      }
    }

    private float @Nullable [] maybe() {
      return random.nextInt(30) == 0 ? null : vector();
    }

    private float[] vector() {
      float[] vector = new float[dimension];
      int shape = random.nextInt(40);
      for (int d = 0; d < dimension; d++) {
        vector[d] =
            switch (shape) {
              case 0 -> 0;
              case 1 -> 1;
              case 2 -> (float) (1e18 * random.nextGaussian());
              case 3 -> (float) (1e-18 * random.nextGaussian());
              default -> (float) random.nextGaussian();
            };
      }
      return vector;
    }

    private void insert(int rows) throws SQLException {
      write("INSERT", nextId, rows);
      nextId += rows;
    }

    private void replace() throws SQLException {
      write("UPSERT", 1 + random.nextInt((int) nextId), 1 + random.nextInt(400));
    }

    private void write(String verb, long first, int rows) throws SQLException {
      log.add(verb + " from " + first + ", rows " + rows);
      Connection connection = any();
      connection.setAutoCommit(false);
      try (PreparedStatement write =
          connection.prepareStatement(
              verb
                  + (column
                      ? " INTO docs (id, n, v) VALUES (?, ?, ?)"
                      : " INTO docs (id, n) VALUES (?, ?)"))) {
        for (long id = first; id < first + rows; id++) {
          write.setLong(1, id);
          write.setInt(2, (int) (id % 10));
          float[] vector = column ? maybe() : null;
          if (column) {
            write.setObject(3, vector);
          }
          model.put(id, vector);
          write.addBatch();
        }
        write.executeBatch();
      }
      connection.commit();
      connection.setAutoCommit(true);
      nextId = Math.max(nextId, first + rows);
    }

    private void update() throws SQLException {
      long first = 1L + random.nextInt((int) nextId);
      long end = first + random.nextInt(300);
      String range = " WHERE id BETWEEN %d AND %d".formatted(first, end);
      if (!column || random.nextBoolean()) {
        run("UPDATE docs SET title = 'changed'" + range);
        return;
      }
      float[] vector = random.nextBoolean() ? null : vector();
      log.add("UPDATE docs SET v = " + (vector == null ? "NULL" : "?") + range);
      Sql.update(any(), "UPDATE docs SET v = ?" + range, (Object) vector);
      model.replaceAll((id, v) -> id >= first && id <= end ? vector : v);
    }

    private void delete() throws SQLException {
      long first = 1L + random.nextInt((int) nextId);
      long end = random.nextInt(15) == 0 ? nextId : first + random.nextInt(600);
      run("DELETE FROM docs WHERE id BETWEEN %d AND %d".formatted(first, end));
      model.keySet().removeIf(id -> id >= first && id <= end);
    }

    private static String quoted(String name) {
      return '"' + name.replace("\"", "\"\"") + '"';
    }

    private void createIndex() throws SQLException {
      String name = NAMES[random.nextInt(NAMES.length)];
      String kind = KINDS[random.nextInt(3)];
      String spelt = random.nextBoolean() ? name : name.toUpperCase(java.util.Locale.ROOT);
      String sql =
          "CREATE INDEX %s ON docs (v) USING %s WITH ('min_rows' = '0', 'partitions' = '%d', 'max_segment_bytes' = '65536')"
              .formatted(quoted(spelt), kind, 1 + random.nextInt(40));
      String state =
          !column
              ? "42703"
              : kind.equals("ivf_sq") && metric.equals("dot")
                  ? "0A000"
                  : indexes.containsKey(name) ? "42710" : "";
      log.add(sql + " -> " + state);
      try {
        Sql.run(any(), sql);
        assertThat(state).isEmpty();
        indexes.put(name, true);
      } catch (SQLException e) {
        assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo(state);
      }
    }

    private void dropIndex() throws SQLException {
      String name = NAMES[random.nextInt(NAMES.length)];
      run("DROP INDEX IF EXISTS " + quoted(name) + " ON docs");
      indexes.remove(name);
    }

    private void rebuild() throws SQLException {
      for (String name : indexes.keySet()) {
        run("ALTER INDEX " + quoted(name) + " ON docs REBUILD");
        return;
      }
    }

    private void tag() throws SQLException {
      String name = "t" + random.nextInt(3);
      List<List<@Nullable Object>> there = Sql.rows(any(), "SELECT tag FROM \"docs$tags\"");
      if (there.contains(List.of(name))) {
        run("DROP TAG " + name + " ON docs");
      } else {
        run("CREATE TAG " + name + " ON docs");
      }
    }

    private void dropOrAddColumn() throws SQLException {
      if (column) {
        if (random.nextInt(3) > 0) {
          return;
        }
        run("ALTER TABLE docs DROP COLUMN v");
        indexes.clear();
        model.replaceAll((id, v) -> null);
      } else {
        run(
            "ALTER TABLE docs ADD COLUMN v VECTOR(%d) WITH ('metric.v' = '%s')"
                .formatted(dimension, metric));
      }
      column = !column;
    }

    private void check() throws SQLException {
      assertThat(Sql.column(any(), "SELECT count(*) FROM docs"))
          .isEqualTo(List.of((long) model.size()));
      assertThat(
              Sql.column(
                  any(),
                  "SELECT DISTINCT lower(index) FROM \"docs$segments\" WHERE segment IS NOT NULL"))
          .isSubsetOf(
              indexes.keySet().stream().map(n -> n.toLowerCase(java.util.Locale.ROOT)).toList());
      if (!column) {
        return;
      }
      float[] query = random.nextBoolean() ? question : vector();
      int k = random.nextInt(5) == 0 ? 3_000 : 1 + random.nextInt(30);
      String filter =
          switch (random.nextInt(4)) {
            case 0 -> ", filter => 'n < 3'";
            case 1 -> ", filter => 'n = 4 AND id > 100'";
            default -> "";
          };
      List<List<@Nullable Object>> exact = search(query, k, filter + ", exact => true", "");
      checkModel(query, k, filter, exact);
      assertThat(search(query, k, filter + ", nprobes => 65536, refine => 65536", ""))
          .isEqualTo(exact);
      assertThat(search(query, k, filter, "")).hasSameSizeAs(exact);
      checkPast();
    }

    private List<List<@Nullable Object>> search(float[] query, int k, String more, String version)
        throws SQLException {
      return Sql.rows(
          any(),
          "SELECT id, _score FROM vector_search('docs', 'v', ?, k => %d%s)%s"
              .formatted(k, more, version),
          (Object) query);
    }

    /** A few old versions still answer as they did, unless they are gone. */
    private void checkPast() throws SQLException {
      Connection connection = any();
      List<@Nullable Object> versions =
          Sql.column(connection, "SELECT version FROM \"docs$manifests\" ORDER BY version");
      long newest = (Long) versions.get(versions.size() - 1);
      past.keySet().retainAll(versions);
      past.putIfAbsent(newest, search(question, 20, ", exact => true", ""));
      for (Map.Entry<Long, List<List<@Nullable Object>>> old : past.entrySet()) {
        if (random.nextInt(6) == 0) {
          String as = " FOR VERSION AS OF " + old.getKey();
          try {
            assertThat(search(question, 20, ", nprobes => 65536, refine => 65536", as))
                .as(as)
                .isEqualTo(old.getValue());
          } catch (SQLException e) {
            throw new SQLException(as, e.getSQLState(), e);
          }
        }
      }
    }

    private void checkModel(
        float[] query, int k, String filter, List<List<@Nullable Object>> found) {
      List<Near> all = new ArrayList<>();
      model.forEach(
          (id, v) -> {
            boolean allowed =
                filter.isEmpty()
                    || (filter.contains("n < 3") ? id % 10 < 3 : id % 10 == 4 && id > 100);
            if (v != null && allowed) {
              all.add(new Near(id, score(query, v)));
            }
          });
      all.sort(Comparator.comparingDouble(Near::score).reversed().thenComparing(Near::id));
      assertThat(found).hasSize(Math.min(k, all.size()));
      Map<Long, Double> scores = all.stream().collect(Collectors.toMap(Near::id, Near::score));
      for (int i = 0; i < found.size(); i++) {
        double score = (Double) found.get(i).get(1);
        double wanted = all.get(i).score();
        double tolerance = 1e-9 * Math.max(1, Math.abs(wanted));
        assertThat(score).isCloseTo(wanted, org.assertj.core.data.Offset.offset(tolerance));
        assertThat(score)
            .isCloseTo(
                scores.get((Long) found.get(i).get(0)),
                org.assertj.core.data.Offset.offset(tolerance));
      }
    }

    private double score(float[] q, float[] v) {
      double dot = 0;
      double qq = 0;
      double vv = 0;
      double squares = 0;
      for (int d = 0; d < dimension; d++) {
        dot += (double) q[d] * v[d];
        qq += (double) q[d] * q[d];
        vv += (double) v[d] * v[d];
        squares += ((double) q[d] - v[d]) * ((double) q[d] - v[d]);
      }
      return switch (metric) {
        case "cosine" -> qq == 0 || vv == 0 ? 0 : dot / Math.sqrt(qq * vv);
        case "dot" -> dot;
        default -> 1 / (1 + squares);
      };
    }

    void verify() throws SQLException {
      assertThat(Sql.rows(any(), "CALL loam.verify('docs')"))
          .singleElement()
          .satisfies(row -> assertThat(row.toString()).contains("problems=0"));
    }

    @Override
    public void close() throws SQLException {
      for (Connection connection : connections) {
        connection.close();
      }
    }
  }
}
