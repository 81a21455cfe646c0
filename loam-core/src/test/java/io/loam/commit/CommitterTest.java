package io.loam.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.schema.CollectionSchema;
import io.loam.schema.FieldType;
import io.loam.schema.Key;
import io.loam.schema.SchemaBuilder;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commit protocol without native code, against writers and stores that get in its way. */
class CommitterTest {
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
    CollectionSchema schema =
        new SchemaBuilder()
            .add("id", FieldType.of(TypeKind.BIGINT), false, "", "")
            .add("name", FieldType.of(TypeKind.VARCHAR), true, "", "")
            .primaryKey("id")
            .build();
    Manifest first =
        new Manifest(
            1,
            0,
            "",
            schema.version(),
            metastore.writeSchema(schema),
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

  /** Names by id. */
  private Map<Long, Object> rows() {
    Map<Long, Object> rows = new TreeMap<>();
    storage.live(newest()).forEach((key, row) -> rows.put((Long) key.value(), row.values()[1]));
    return rows;
  }

  private long rowId(long id) {
    return storage.live(newest()).get(Key.of(id)).rowId();
  }

  private static WriteBatch insert(long id, String name) {
    return WriteBatch.create().insert(id, name);
  }

  private LoamException assertFails(WriteBatch batch, ErrorCode code) {
    LoamException[] found = new LoamException[1];
    assertThatThrownBy(() -> committer.commit(batch))
        .isInstanceOfSatisfying(
            LoamException.class,
            e -> {
              assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
              found[0] = e;
            });
    return found[0];
  }

  @Test
  void p1_nothingIsVisibleBeforeTheSwapAndAllIsThereThen() {
    faults.then(
        swap -> {
          assertThat(newest().version()).isEqualTo(1);
          assertThat(rows()).isEmpty();
          Optional<String> tag = swap.get();
          assertThat(rows()).containsOnly(Map.entry(1L, "a"), Map.entry(2L, "b"));
          assertThat(store.get(metastore.path(newest().keyDelta().orElseThrow().path())))
              .isPresent();
          return tag;
        });
    CommitResult result = committer.commit(WriteBatch.create().insert(1L, "a").insert(2L, "b"));
    assertThat(result).isEqualTo(new CommitResult(2, 2, 0, 0));
  }

  @Test
  void p1_swapThatFailsChangesNothing() {
    faults.thenUnavailable();
    assertFails(insert(1, "a"), ErrorCode.STORE_UNAVAILABLE);
    assertThat(newest().version()).isEqualTo(1);
    assertThat(committer.commit(insert(1, "b"))).isEqualTo(new CommitResult(2, 1, 0, 0));
    assertThat(rows()).containsOnly(Map.entry(1L, "b"));
  }

  @Test
  void lostSwapIsRebasedWithoutWritingRowsAgain() {
    faults
        .thenAfter(() -> rival.commit(insert(1, "rival")))
        .thenAfter(() -> rival.commit(insert(3, "rival")));
    assertThat(committer.commit(insert(2, "ours"))).isEqualTo(new CommitResult(4, 1, 0, 0));
    assertThat(storage.prepared()).isEqualTo(3);
    assertThat(rows())
        .containsOnly(Map.entry(1L, "rival"), Map.entry(2L, "ours"), Map.entry(3L, "rival"));
    assertThat(newest().parentVersion()).isEqualTo(3);
  }

  @Test
  void insertOfAKeyThatARivalInsertedIsADuplicate() {
    faults.thenAfter(() -> rival.commit(insert(1, "rival")));
    assertThat(assertFails(insert(1, "ours"), ErrorCode.DUPLICATE_KEY))
        .hasMessageContaining("value=1");
    assertThat(rows()).containsOnly(Map.entry(1L, "rival"));
  }

  @Test
  void upsertOfAKeyThatARivalInsertedReplacesItsRow() {
    faults.thenAfter(() -> rival.commit(insert(1, "rival")));
    assertThat(committer.commit(WriteBatch.create().upsert(1L, "ours")))
        .isEqualTo(new CommitResult(3, 0, 1, 0));
    assertThat(rows()).containsOnly(Map.entry(1L, "ours"));
  }

  @Test
  void rowIdsThatARivalChangedAreAConflictThatNamesTheKey() {
    rival.commit(WriteBatch.create().insert(1L, "a").insert(2L, "b"));
    long rowId = rowId(2);
    Runnable update = () -> rival.commit(WriteBatch.create().upsert(0L, "c").upsert(2L, "rival"));
    WriteBatch replace = WriteBatch.basedOn(2).replace(rowId, 2L, "ours");
    faults.thenAfter(update);
    assertThat(assertFails(replace, ErrorCode.CONFLICT)).hasMessageContaining("key=2,");
    // And the same where the rival was there before we began.
    assertThat(assertFails(replace, ErrorCode.CONFLICT)).hasMessageContaining("key=2,");
    assertFails(WriteBatch.basedOn(2).delete(rowId), ErrorCode.CONFLICT);
    assertThat(rows()).containsOnly(Map.entry(0L, "c"), Map.entry(1L, "a"), Map.entry(2L, "rival"));
  }

  @Test
  void deletesOfOtherRowsAreRebased() {
    rival.commit(WriteBatch.create().insert(1L, "a").insert(2L, "b").insert(3L, "c"));
    long one = rowId(1);
    long two = rowId(2);
    faults.thenAfter(() -> rival.commit(WriteBatch.basedOn(2).delete(two)));
    assertThat(committer.commit(WriteBatch.basedOn(2).delete(one)))
        .isEqualTo(new CommitResult(4, 0, 0, 1));
    assertThat(rows()).containsOnly(Map.entry(3L, "c"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void p3_swapThatLandsWithoutAnswerIsASuccess(int unanswered) {
    faults.thenAppliedWithoutAnswer();
    for (int i = 1; i < unanswered; i++) {
      faults.thenLostWithoutAnswer();
    }
    assertThat(committer.commit(insert(1, "a"))).isEqualTo(new CommitResult(2, 1, 0, 0));
    assertThat(newest().version()).isEqualTo(2);
    assertThat(rows()).containsOnly(Map.entry(1L, "a"));
  }

  @Test
  void p3_swapThatLandsAndIsBuiltUponIsASuccess() {
    faults.thenAppliedWithoutAnswer().thenAfter(() -> rival.commit(insert(2, "b")));
    assertThat(committer.commit(insert(1, "a"))).isEqualTo(new CommitResult(2, 1, 0, 0));
    assertThat(rows()).containsOnly(Map.entry(1L, "a"), Map.entry(2L, "b"));
    assertThat(newest().version()).isEqualTo(3);
  }

  @Test
  void p3_swapThatNeverAnswersButLandedIsASuccess() {
    faults.thenAppliedWithoutAnswer();
    for (int i = 0; i < 100; i++) {
      faults.thenLostWithoutAnswer();
    }
    assertThat(committer.commit(insert(1, "a"))).isEqualTo(new CommitResult(2, 1, 0, 0));
  }

  @Test
  void swapThatIsLostWithoutAnswerIsTriedAgain() {
    faults.thenLostWithoutAnswer().thenUnavailable();
    assertThat(committer.commit(insert(1, "a"))).isEqualTo(new CommitResult(2, 1, 0, 0));
    assertThat(rows()).containsOnly(Map.entry(1L, "a"));
  }

  @Test
  void unknownSwapOnAHeadThatMovedOnIsRebased() {
    faults
        .then(
            swap -> {
              rival.commit(insert(2, "rival"));
              throw new LoamException(ErrorCode.OUTCOME_UNKNOWN, "answer was lost; look again");
            })
        .thenUnavailable();
    assertThat(committer.commit(insert(1, "a"))).isEqualTo(new CommitResult(3, 1, 0, 0));
    assertThat(rows()).containsOnly(Map.entry(1L, "a"), Map.entry(2L, "rival"));
  }

  @Test
  void p3_outcomeThatStaysUnknownIsReportedAsUnknown() {
    for (int i = 0; i < 100; i++) {
      faults.thenLostWithoutAnswer();
    }
    assertFails(insert(1, "a"), ErrorCode.COMMIT_UNKNOWN);
  }

  @Test
  void p3_outcomeThatCannotBeReadIsReportedAsUnknown() {
    faults
        .thenAppliedWithoutAnswer()
        .then(
            swap -> {
              faults.makeHeadUnreadable();
              return swap.get();
            });
    assertFails(insert(1, "a"), ErrorCode.COMMIT_UNKNOWN);
    assertThat(rows()).containsOnly(Map.entry(1L, "a"));
  }

  @Test
  void p4_afterAGarbageCollectionRowsGetFreshNamesAndAreNotWrittenAgain() {
    faults.thenAfter(() -> metastore.updateHead(head -> head.collected(head.oldestVersion())));
    assertThat(committer.commit(insert(1, "a"))).isEqualTo(new CommitResult(2, 1, 0, 0));
    assertThat(storage.prepared()).isEqualTo(1);
    assertThat(storage.renamed()).isEqualTo(1);
    assertThat(metastore.head().value().gcEpoch()).isEqualTo(1);
    assertThat(rows()).containsOnly(Map.entry(1L, "a"));
  }

  @Test
  void rowsWhoseFilesGarbageCollectionTookAreWrittenAgain() {
    storage.loseFiles();
    faults.thenAfter(() -> metastore.updateHead(head -> head.collected(head.oldestVersion())));
    assertThat(committer.commit(insert(1, "a"))).isEqualTo(new CommitResult(2, 1, 0, 0));
    assertThat(storage.prepared()).isEqualTo(2);
    assertThat(rows()).containsOnly(Map.entry(1L, "a"));
  }

  @Test
  void objectsThatGarbageCollectionTookMakeTheWriterStartAgain() {
    storage.failOnce(
        () -> {
          metastore.updateHead(head -> head.collected(head.oldestVersion()));
          throw new LoamException(ErrorCode.MISSING_OBJECT, "file is gone; restore it");
        });
    assertThat(committer.commit(insert(1, "a"))).isEqualTo(new CommitResult(2, 1, 0, 0));
    storage.failOnce(
        () -> {
          throw new LoamException(ErrorCode.MISSING_OBJECT, "file is gone; restore it");
        });
    assertFails(insert(2, "b"), ErrorCode.MISSING_OBJECT);
  }

  /** Rivals commit, and all but their last version is collected: manifests and key deltas. */
  private void commitAndCollect(int commits) {
    for (int i = 0; i < commits; i++) {
      rival.commit(insert(100 + i, "rival"));
    }
    Manifest kept = newest();
    for (Manifest m = kept; m.parentVersion() > 0; ) {
      String path = m.parentPath();
      m = metastore.readManifest(path);
      m.keyDelta().ifPresent(delta -> store.delete(metastore.path(delta.path())));
      store.delete(path);
    }
    metastore.updateHead(head -> head.collected(kept.version()));
  }

  @Test
  void p3_lostSwapAcrossACollectionIsNoFailure() {
    faults.thenAfter(() -> commitAndCollect(3));
    assertThat(committer.commit(insert(1, "a"))).isEqualTo(new CommitResult(5, 1, 0, 0));
    assertThat(rows()).containsEntry(1L, "a").hasSize(4);
  }

  @Test
  void p3_swapWhoseOutcomeACollectionHidIsUnknown() {
    faults.then(
        swap -> {
          assertThat(swap.get()).isPresent();
          commitAndCollect(3);
          throw new LoamException(ErrorCode.OUTCOME_UNKNOWN, "answer was lost; look again");
        });
    assertFails(insert(1, "a"), ErrorCode.COMMIT_UNKNOWN);
    assertThat(rows()).containsEntry(1L, "a");
  }

  @Test
  void rowIdsOfAVersionThatIsCollectedAreAConflict() {
    committer.commit(insert(1, "a"));
    WriteBatch delete = WriteBatch.basedOn(2).delete(rowId(1));
    commitAndCollect(3);
    committer = committer(store);
    assertThat(assertFails(delete, ErrorCode.CONFLICT)).hasMessageContaining("oldestRetained=5");
  }

  @Test
  void keyTwiceInOneBatchIsADuplicateUnlessTheSecondIsAnUpsert() {
    assertThat(assertFails(insert(1, "a").insert(1L, "b"), ErrorCode.DUPLICATE_KEY))
        .hasMessageContaining("twice");
    assertFails(WriteBatch.create().upsert(1L, "a").insert(1L, "b"), ErrorCode.DUPLICATE_KEY);
    assertThat(newest().version()).isEqualTo(1);
    assertThat(committer.commit(insert(1, "a").upsert(1L, "b")))
        .isEqualTo(new CommitResult(2, 1, 0, 0));
    assertThat(rows()).containsOnly(Map.entry(1L, "b"));
  }

  @Test
  void upsertsAreCountedByWhatTheyFind() {
    committer.commit(insert(1, "a").insert(2L, "b"));
    assertThat(
            committer.commit(WriteBatch.create().upsert(2L, "B").upsert(3L, "C").upsert(3L, "c")))
        .isEqualTo(new CommitResult(3, 1, 1, 0));
    assertThat(rows()).containsOnly(Map.entry(1L, "a"), Map.entry(2L, "B"), Map.entry(3L, "c"));
  }

  @Test
  void replaceMayChangeTheKeyButNotToOneThatExists() {
    committer.commit(insert(1, "a").insert(2L, "b"));
    WriteBatch taken = WriteBatch.basedOn(2).replace(rowId(1), 2L, "a");
    assertFails(taken, ErrorCode.DUPLICATE_KEY);
    assertThat(committer.commit(WriteBatch.basedOn(2).replace(rowId(1), 7L, "a")))
        .isEqualTo(new CommitResult(3, 0, 1, 0));
    assertThat(rows()).containsOnly(Map.entry(2L, "b"), Map.entry(7L, "a"));
    WriteBatch exchange =
        WriteBatch.basedOn(3).replace(rowId(2), 7L, "b").replace(rowId(7), 2L, "a");
    assertThat(committer.commit(exchange)).isEqualTo(new CommitResult(4, 0, 2, 0));
    assertThat(rows()).containsOnly(Map.entry(2L, "a"), Map.entry(7L, "b"));
  }

  @Test
  void deleteOfARowThatIsGoneDoesNothing() {
    committer.commit(insert(1, "a"));
    long rowId = rowId(1);
    assertThat(committer.commit(WriteBatch.basedOn(2).delete(rowId).delete(rowId)))
        .isEqualTo(new CommitResult(3, 0, 0, 1));
    assertThat(committer.commit(WriteBatch.basedOn(3).delete(rowId).replace(rowId, 1L, "b")))
        .isEqualTo(new CommitResult(3, 0, 0, 0));
    assertThat(newest().version()).isEqualTo(3);
  }

  @Test
  void keyIsNeverNull() {
    assertFails(WriteBatch.create().insert(null, "a"), ErrorCode.NULL_NOT_ALLOWED);
  }

  @Test
  void idCountersFromAnOlderCopyAreRefused() {
    byte[] old = store.get(metastore.path("ids")).orElseThrow().content();
    committer.commit(insert(1, "a"));
    store.delete(metastore.path("ids"));
    assertThat(store.putIfAbsent(metastore.path("ids"), old)).isPresent();
    committer = committer(store);
    assertThat(assertFails(insert(2, "b"), ErrorCode.CORRUPT_OBJECT))
        .hasMessageContaining("collections/c1/ids");
  }
}
