package io.loam;

import static io.loam.GarbageFixture.AT_ONCE;
import static io.loam.GarbageFixture.DOCS;

import io.loam.commit.WriteBatch;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.maintain.Part;
import io.loam.query.OutputColumn;
import io.loam.query.SearchRequest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.vector.IndexKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Statements one after the other, each known by its number, and what the table must hold after each
 * of them: the same in the process that dies and in the one that looks what it left.
 */
final class CrashScript {
  private static final int KEYS = 200;
  private static final int LOADED = 1_010;

  private final boolean random;
  private final long seed;

  private CrashScript(boolean random, long seed) {
    this.random = random;
    this.seed = seed;
  }

  /** A few statements that together write and remove objects of all kinds. */
  static CrashScript short_() {
    return new CrashScript(false, 0);
  }

  /** Statements at random, without end. */
  static CrashScript random(long seed) {
    return new CrashScript(true, seed);
  }

  /** What a statement does. */
  private sealed interface Statement {}

  private record Upsert(Map<Long, String> words) implements Statement {}

  private record Delete(Set<Long> ids) implements Statement {}

  private record Gc() implements Statement {}

  private record Optimize() implements Statement {}

  /** Makes an index, or builds it anew. */
  private record Index() implements Statement {}

  private record DropIndex() implements Statement {}

  /** Statements of the script that has an end; the first one, 0, makes the table. */
  static final int SHORT_STATEMENTS = 14;

  private Statement statement(int number, Map<Long, String> before) {
    return random ? randomStatement(number, before) : shortStatement(number);
  }

  private static Statement shortStatement(int number) {
    return switch (number) {
      case 1 -> new Upsert(words(0, LOADED, "loaded"));
      case 2 -> new Upsert(words(2_000, 2_005, "tail"));
      case 3 -> new Upsert(Map.of(3L, "changed", 2_001L, "changed", 3_000L, "new"));
      case 4 -> new Delete(Set.of(4L, 2_002L));
      case 5, 8 -> new Gc();
      case 6 -> new Upsert(Map.of(5L, "again"));
      case 7 -> new Optimize();
      case 9, 10 -> new Index();
      case 11 -> new Delete(words(100, 500, "").keySet());
      case 12 -> new Optimize(); // rebuilds the segment, of which many rows are deleted
      case 13 -> new DropIndex();
      default -> throw new IllegalArgumentException("statement=" + number);
    };
  }

  private Statement randomStatement(int number, Map<Long, String> before) {
    Random choice = new Random(seed * 1_000_003 + number);
    if (number % 25 == 20) {
      return new Gc();
    }
    if (number % 25 == 12) {
      return new Optimize();
    }
    if (number % 25 == 5) {
      return new Index();
    }
    if (number % 75 == 70) {
      return new DropIndex();
    }
    if (number % 40 == 3) {
      return new Upsert(words(10_000, 10_000 + LOADED, "load" + number));
    }
    if (choice.nextInt(4) == 0 && !before.isEmpty()) {
      List<Long> ids = new ArrayList<>(before.keySet());
      Set<Long> gone = new TreeSet<>();
      for (int i = 0; i < 1 + choice.nextInt(5); i++) {
        gone.add(ids.get(choice.nextInt(ids.size())));
      }
      return new Delete(gone);
    }
    Map<Long, String> words = new TreeMap<>();
    for (int i = 0; i < 1 + choice.nextInt(6); i++) {
      words.put((long) choice.nextInt(KEYS), "s" + number);
    }
    return new Upsert(words);
  }

  private static Map<Long, String> words(long from, long to, String word) {
    Map<Long, String> words = new TreeMap<>();
    for (long id = from; id < to; id++) {
      words.put(id, word);
    }
    return words;
  }

  /** What the table holds after the first {@code count} statements. */
  Map<Long, String> model(int count) {
    Map<Long, String> model = new TreeMap<>();
    for (int number = 1; number < count; number++) {
      apply(number, model);
    }
    return model;
  }

  /** Changes the model as a statement changes the table. */
  void apply(int number, Map<Long, String> model) {
    Statement statement = statement(number, model);
    if (statement instanceof Upsert upsert) {
      model.putAll(upsert.words);
    } else if (statement instanceof Delete delete) {
      model.keySet().removeAll(delete.ids);
    }
  }

  /**
   * Runs a statement.
   *
   * @param before what the table holds
   */
  void run(int number, Map<Long, String> before, Warehouse warehouse) {
    if (number == 0) {
      warehouse.create(DOCS, GarbageFixture.schema(0, 2));
      return;
    }
    Statement statement = statement(number, before);
    if (statement instanceof Gc) {
      maintain(() -> warehouse.collectGarbage(DOCS, AT_ONCE));
      return;
    }
    Collection docs = warehouse.get(DOCS);
    if (statement instanceof Optimize) {
      maintain(() -> docs.optimize(EnumSet.allOf(Part.class)));
    }
    if (statement instanceof Index) {
      index(docs);
    }
    if (statement instanceof DropIndex) {
      docs.dropIndex("by_vector");
    }
    if (statement instanceof Upsert upsert) {
      WriteBatch batch = WriteBatch.create();
      upsert.words.forEach((id, word) -> batch.upsert(GarbageFixture.row(id, word)));
      docs.commit(batch);
    } else if (statement instanceof Delete delete) {
      GarbageFixture.delete(docs, delete.ids);
    }
  }

  private static void index(Collection docs) {
    if (docs.manifest(new VersionSpec.Latest()).index("by_vector").isPresent()) {
      docs.rebuildIndex("by_vector");
    } else {
      docs.createIndex("by_vector", "embedding", IndexKind.IVF_FLAT, Map.of("min_rows", "0"));
    }
  }

  private static void maintain(Runnable work) {
    try {
      work.run();
    } catch (LoamException e) {
      if (e.code() != ErrorCode.CONFLICT) { // a process that died may still hold the lease
        throw e;
      }
    }
  }

  /** The rows of a table, as {@link #model} has them. */
  static Map<Long, String> rows(Collection docs) {
    Map<Long, String> rows = new TreeMap<>();
    try (Snapshot snapshot = docs.snapshot(new VersionSpec.Latest())) {
      List<OutputColumn> fields = List.of(OutputColumn.field(1), OutputColumn.field(2));
      for (Object[] row : Reads.rows(snapshot, SearchRequest.scan(fields))) {
        String body = (String) row[1];
        rows.put((Long) row[0], body.substring(0, body.indexOf(' ')));
      }
    }
    return rows;
  }
}
