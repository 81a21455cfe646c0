package io.loam.history;

import io.loam.Collection;
import io.loam.CollectionName;
import io.loam.Reads;
import io.loam.S3Locations;
import io.loam.Transaction;
import io.loam.Warehouse;
import io.loam.WarehouseOptions;
import io.loam.commit.CommitResult;
import io.loam.commit.WriteBatch;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.history.Operation.Kind;
import io.loam.history.Operation.Outcome;
import io.loam.query.OutputColumn;
import io.loam.query.SearchRequest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** A process that reads and writes a few keys at random and records what it did and saw. */
final class HistoryClient {
  static final CollectionName REGISTERS = CollectionName.of("registers");
  private static final int KEYS = 5;

  private final Collection registers;
  private final Random random;
  private final PrintStream record;
  private long nextValue;

  private HistoryClient(Collection registers, int number, PrintStream record) {
    this.registers = registers;
    this.random = new Random(number);
    this.record = record;
    this.nextValue = 1_000_000L * number;
  }

  /**
   * Arguments: the place, a folder of the client's own, its number, how many operations. Says that
   * it is ready by a file in that folder, and waits for another that lets it go.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path own = Path.of(args[1]);
    WarehouseOptions options =
        new WarehouseOptions(S3Locations.parse(args[0]), own.resolve("cache"), 0);
    int number = Integer.parseInt(args[2]);
    int operations = Integer.parseInt(args[3]);
    try (Warehouse warehouse = Warehouse.open(options.withAutoOptimize());
        PrintStream record =
            new PrintStream(
                Files.newOutputStream(own.resolve("record")), true, StandardCharsets.UTF_8)) {
      HistoryClient client = new HistoryClient(warehouse.get(REGISTERS), number, record);
      client.read();
      Files.createFile(own.resolve("ready"));
      while (!Files.exists(own.resolve("go"))) {
        Thread.sleep(5);
      }
      for (int i = 0; i < operations; i++) {
        client.step();
      }
    }
  }

  private void step() {
    // So that others commit between what this client last saw and what it sees next.
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(25)));
    switch (random.nextInt(5)) {
      case 0, 1 -> read();
      case 2 -> write();
      case 3 -> delete();
      default -> transact();
    }
  }

  /** What is known of an operation while it goes on. */
  private static final class Draft {
    private final long beginNanos = System.nanoTime();
    private long commitNanos = beginNanos;
    private long snapshotVersion;
    private final Map<Integer, Long> reads = new TreeMap<>();
    private final Map<Integer, Long> writes = new TreeMap<>();
  }

  private void finish(Kind kind, Draft draft, Supplier<Long> work) {
    Outcome outcome = Outcome.OK;
    long version = 0;
    try {
      version = work.get();
    } catch (LoamException e) {
      boolean unknown =
          e.code() == ErrorCode.COMMIT_UNKNOWN || e.code() == ErrorCode.OUTCOME_UNKNOWN;
      if (!unknown && e.code() != ErrorCode.CONFLICT && e.code() != ErrorCode.DUPLICATE_KEY) {
        throw e;
      }
      outcome = unknown ? Outcome.UNKNOWN : Outcome.FAILED;
    }
    record.println(
        new Operation(
                kind,
                outcome,
                draft.beginNanos,
                draft.commitNanos,
                System.nanoTime(),
                draft.snapshotVersion,
                version,
                draft.reads,
                draft.writes)
            .format());
  }

  /** Commits, and gives the version that came of it. */
  private static long commit(Draft draft, Supplier<CommitResult> commit) {
    draft.commitNanos = System.nanoTime();
    return commit.get().version();
  }

  private void read() {
    Draft draft = new Draft();
    finish(
        Kind.READ,
        draft,
        () -> {
          try (Snapshot snapshot = registers.snapshot(new VersionSpec.Latest())) {
            see(snapshot, draft);
          }
          return 0L;
        });
  }

  /** Reads all keys. Returns row ids by key. */
  private static Map<Integer, Long> see(Snapshot snapshot, Draft draft) {
    Map<Integer, Long> rowIds = new TreeMap<>();
    draft.snapshotVersion = snapshot.version();
    for (int key = 0; key < KEYS; key++) {
      draft.reads.put(key, 0L);
    }
    List<OutputColumn> output =
        List.of(
            OutputColumn.field(1),
            OutputColumn.field(2),
            OutputColumn.of(OutputColumn.Kind.ROW_ID));
    for (Object[] row : Reads.rows(snapshot, SearchRequest.scan(output))) {
      int key = Math.toIntExact((Long) row[0]);
      draft.reads.put(key, (Long) row[1]);
      rowIds.put(key, (Long) row[2]);
    }
    return rowIds;
  }

  /** Some keys as one statement sees them, the others as a later one does. */
  private void seeInTwoStatements(Transaction transaction, Draft draft) {
    try (Snapshot snapshot = transaction.snapshot()) {
      see(snapshot, draft);
    }
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(20)));
    Draft later = new Draft();
    try (Snapshot snapshot = transaction.snapshot()) {
      see(snapshot, later);
    }
    for (int key = KEYS / 2; key < KEYS; key++) {
      draft.reads.put(key, later.reads.get(key));
    }
  }

  private void write() {
    Draft draft = new Draft();
    int key = random.nextInt(KEYS);
    long value = ++nextValue;
    draft.writes.put(key, value);
    WriteBatch batch =
        random.nextInt(4) == 0
            ? WriteBatch.create().insert((long) key, value)
            : WriteBatch.create().upsert((long) key, value);
    finish(Kind.WRITE, draft, () -> commit(draft, () -> registers.commit(batch)));
  }

  /** Deletes a key that is there. */
  private void delete() {
    Draft draft = new Draft();
    try (Snapshot snapshot = registers.snapshot(new VersionSpec.Latest())) {
      Map<Integer, Long> rowIds = see(snapshot, draft);
      int key = random.nextInt(KEYS);
      if (!rowIds.containsKey(key)) {
        return;
      }
      draft.writes.put(key, 0L);
      WriteBatch batch = WriteBatch.basedOn(snapshot.version()).delete(rowIds.get(key));
      finish(Kind.TRANSACTION, draft, () -> commit(draft, () -> registers.commit(batch)));
    }
  }

  /** Reads all keys and writes two of them, with statements of their own. */
  private void transact() {
    Draft draft = new Draft();
    finish(
        Kind.TRANSACTION,
        draft,
        () -> {
          try (Transaction transaction = registers.begin()) {
            seeInTwoStatements(transaction, draft);
            int first = random.nextInt(KEYS);
            for (int key : new int[] {first, (first + 1 + random.nextInt(KEYS - 1)) % KEYS}) {
              long value = ++nextValue;
              draft.writes.put(key, value);
              transaction.apply(WriteBatch.create().upsert((long) key, value));
            }
            return commit(draft, transaction::commit);
          }
        });
  }
}
