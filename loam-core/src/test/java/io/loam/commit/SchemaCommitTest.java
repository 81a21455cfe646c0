package io.loam.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.FieldType;
import io.loam.schema.Key;
import io.loam.schema.SchemaBuilder;
import io.loam.schema.SchemaChanges;
import io.loam.schema.TypeKind;
import io.loam.store.LocalObjectStore;
import io.loam.store.ObjectStore;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits of schemas, and writers that they overtake. */
class SchemaCommitTest {
  private static final CollectionSchema FIRST =
      new SchemaBuilder()
          .add("id", FieldType.of(TypeKind.BIGINT), false, "", "")
          .add("name", FieldType.of(TypeKind.VARCHAR), true, "", "")
          .primaryKey("id")
          .build();

  @TempDir Path folder;

  private final MemoryStorage storage = new MemoryStorage();
  private ObjectStore store;
  private HeadFaults faults;
  private Metastore metastore;
  private Committer committer;
  private Committer rival;

  @BeforeEach
  void create() {
    store = new LocalObjectStore(folder);
    faults = new HeadFaults(store);
    metastore = new Metastore(store, "c1");
    committer = committer(faults);
    rival = committer(store);
    Manifest first =
        new Manifest(
            1,
            0,
            "",
            FIRST.version(),
            metastore.writeSchema(FIRST),
            1,
            Manifest.CommitKind.SCHEMA,
            1,
            MemoryStorage.FILE,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            1,
            1,
            0,
            Optional.empty());
    metastore.createHead(Head.first(metastore.writeManifest(first)));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private Committer committer(ObjectStore over) {
    return new Committer(
        over,
        new Metastore(over, "c1"),
        storage,
        storage::lookup,
        Clock.systemUTC(),
        new CommitQueue());
  }

  private Manifest newest() {
    return metastore.readManifest(metastore.head().value().manifestPath());
  }

  private List<String> columns() {
    return metastore.readSchema(newest().schemaPath()).fields().stream().map(Field::name).toList();
  }

  /** Values by id. */
  private Map<Long, List<Object>> rows() {
    Map<Long, List<Object>> rows = new TreeMap<>();
    storage
        .live(newest())
        .forEach((key, row) -> rows.put((Long) key.value(), java.util.Arrays.asList(row.values())));
    return rows;
  }

  private static void add(Committer by, String column) {
    CollectionSchema declared =
        new SchemaBuilder().add(column, FieldType.of(TypeKind.VARCHAR), true, "", "").build();
    by.alter(schema -> SchemaChanges.add(schema, declared));
  }

  private static void drop(Committer by, String column) {
    by.alter(schema -> SchemaChanges.drop(schema, column));
  }

  /** Leaves a schema of the same shape, in which no value of {@code name} has a place. */
  private void replaceName() {
    drop(rival, "name");
    add(rival, "nick");
  }

  @Test
  void aSchemaIsAVersionOfTheSameRows() {
    rival.commit(WriteBatch.create().insert(1L, "a"));
    add(committer, "nick");
    assertThat(newest().version()).isEqualTo(3);
    assertThat(newest().kind()).isEqualTo(Manifest.CommitKind.SCHEMA);
    assertThat(newest().schemaVersion()).isEqualTo(2);
    assertThat(newest().liveDocuments()).isEqualTo(1);
    assertThat(columns()).containsExactly("id", "name", "nick");
  }

  @Test
  void aChangeThatChangesNothingIsNoVersion() {
    committer.alter(schema -> schema);
    assertThat(newest().version()).isEqualTo(1);
  }

  @Test
  void valuesOfAnOvertakenInsertKeepToTheirFields() {
    faults.thenAfter(this::replaceName);
    committer.commit(WriteBatch.create().madeFor(FIRST).insert(1L, "a"));
    assertThat(columns()).containsExactly("id", "nick");
    assertThat(rows()).containsOnly(Map.entry(1L, java.util.Arrays.asList(1L, null)));
  }

  @Test
  void anOvertakenUpdateIsNoConflictAndKeepsToItsFields() {
    rival.commit(WriteBatch.create().insert(1L, "a"));
    long rowId = storage.live(newest()).get(Key.of(1)).rowId();
    faults.thenAfter(() -> add(rival, "nick"));
    committer.commit(WriteBatch.basedOn(2).madeFor(FIRST).replace(rowId, 1L, "b"));
    assertThat(rows()).containsOnly(Map.entry(1L, java.util.Arrays.asList(1L, "b", null)));
  }

  @Test
  void aTransactionsRowsKeepToTheirFields() {
    PendingChanges changes = new PendingChanges(FIRST, 1);
    changes.apply(WriteBatch.create().insert(1L, "a"), storage.lookup(newest(), FIRST));
    replaceName();
    committer.commit(changes.toBatch());
    assertThat(rows()).containsOnly(Map.entry(1L, java.util.Arrays.asList(1L, null)));
  }

  @Test
  void anOvertakenSchemaIsMadeAgainOnTheNewerOne() {
    faults
        .thenAfter(() -> rival.commit(WriteBatch.create().insert(1L, "a")))
        .thenAfter(() -> add(rival, "nick"));
    add(committer, "age");
    assertThat(columns()).containsExactly("id", "name", "nick", "age");
    assertThat(newest().version()).isEqualTo(4);
    assertThat(newest().schemaVersion()).isEqualTo(3);
    assertThat(rows()).containsKey(1L);
  }

  @Test
  void anOvertakenSchemaThatIsThereAlreadyFails() {
    faults.thenAfter(() -> add(rival, "nick"));
    assertThatThrownBy(() -> add(committer, "NICK"))
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DUPLICATE_COLUMN));
    assertThat(newest().version()).isEqualTo(2);
  }

  @Test
  void p3_aSchemaThatLandedWithoutAnAnswerIsNotMadeTwice() {
    faults.thenAppliedWithoutAnswer();
    add(committer, "nick");
    assertThat(newest().version()).isEqualTo(2);
    assertThat(columns()).containsExactly("id", "name", "nick");
  }

  @Test
  void aSwapThatFailsLeavesTheSchema() {
    faults.thenUnavailable();
    assertThatThrownBy(() -> add(committer, "nick")).isInstanceOf(LoamException.class);
    assertThat(newest().version()).isEqualTo(1);
  }

  @Test
  void anIndexMadeAnewIsMaintenance() {
    rival.commit(WriteBatch.create().insert(1L, "a"));
    faults.thenAfter(() -> rival.commit(WriteBatch.create().insert(2L, "b")));
    committer.reindex();
    assertThat(newest().kind()).isEqualTo(Manifest.CommitKind.MAINTENANCE);
    assertThat(newest().version()).isEqualTo(4);
    assertThat(rows()).containsOnlyKeys(1L, 2L);
  }
}
