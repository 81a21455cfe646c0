package io.loam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.loam.commit.CommitQueue;
import io.loam.commit.Committer;
import io.loam.commit.KeyLookup;
import io.loam.commit.WriteBatch;
import io.loam.lance.LanceFiles;
import io.loam.lance.LanceStore;
import io.loam.lance.LanceVerification;
import io.loam.leaf.CachedCopies;
import io.loam.leaf.CollectionFiles;
import io.loam.leaf.FileCache;
import io.loam.leaf.MemoryBudget;
import io.loam.leaf.VersionOpener;
import io.loam.manifest.FileRef;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.SplitRef;
import io.loam.manifest.TailRef;
import io.loam.manifest.TextStats;
import io.loam.manifest.Versioned;
import io.loam.query.VersionSpec;
import io.loam.schema.Key;
import io.loam.store.LocalObjectStore;
import io.loam.store.ObjectStore;
import io.loam.verify.Finding;
import io.loam.write.NativeStorage;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.roaringbitmap.RoaringBitmap;

/** Versions whose objects are all sound, but do not belong together. */
class ForgedVersionsTest {
  @TempDir Path folder;
  private ObjectStore store;
  private Metastore metastore;
  private Versioned<Head> head;
  private Manifest newest;

  @BeforeEach
  void fill() {
    Path root = folder.resolve("warehouse");
    DamageTrials.fill(root, folder.resolve("cache"));
    store = new LocalObjectStore(root);
    String id =
        store.list("collections/").get(0).path().replaceFirst("collections/([^/]+)/.*", "$1");
    metastore = new Metastore(store, id);
    head = metastore.head();
    newest = metastore.readManifest(head.value().manifestPath());
  }

  @AfterEach
  void close() {
    store.close();
  }

  /** What is found in a version that follows the newest. */
  private List<Finding> findings(UnaryOperator<Parts> forge) {
    Manifest forged = forge.apply(Parts.of(newest)).manifest(newest, head.value().manifestPath());
    Head next = head.value().withVersion(forged.version(), metastore.writeManifest(forged));
    head = metastore.swapHead(head, next).orElseThrow();
    newest = forged;
    return verify();
  }

  private List<Finding> verify() {
    WarehouseOptions options =
        new WarehouseOptions(folder.resolve("warehouse"), folder.resolve("cache2"), 0);
    try (Warehouse open = Warehouse.open(options)) {
      return open.get(DamageTrials.DOCS).verify(new VersionSpec.Latest()).findings();
    }
  }

  private static void assertProblems(List<Finding> findings, String... problems) {
    assertThat(findings).extracting(Finding::problem).contains(problems);
  }

  /** What a test changes of a manifest. */
  private record Parts(
      long lanceVersion,
      List<SplitRef> splits,
      List<FragmentRef> fragments,
      List<TailRef> tail,
      Optional<FileRef> keyDelta) {
    static Parts of(Manifest m) {
      return new Parts(m.lanceVersion(), m.splits(), m.fragments(), m.tail(), m.keyDelta());
    }

    Parts withSplit(int place, SplitRef split) {
      List<SplitRef> changed = new ArrayList<>(splits);
      changed.set(place, split);
      return new Parts(lanceVersion, changed, fragments, tail, keyDelta);
    }

    Parts withTail(int place, TailRef ref) {
      List<TailRef> changed = new ArrayList<>(tail);
      changed.set(place, ref);
      return new Parts(lanceVersion, splits, fragments, changed, keyDelta);
    }

    Parts withFragments(List<FragmentRef> changed) {
      return new Parts(lanceVersion, splits, changed, tail, keyDelta);
    }

    Manifest manifest(Manifest parent, String parentPath) {
      long live =
          splits.stream().mapToLong(s -> s.documentCount() - s.deletedCount()).sum()
              + tail.stream()
                  .mapToLong(t -> t.rowIds().count() - t.deleted().getCardinality())
                  .sum();
      return new Manifest(
          parent.version() + 1,
          parent.version(),
          parentPath,
          parent.schemaVersion(),
          parent.schemaPath(),
          parent.createdAtMillis() + 1,
          Manifest.CommitKind.MAINTENANCE,
          lanceVersion,
          parent.lanceManifest(),
          splits,
          fragments,
          tail,
          List.of(),
          parent.nextRowId(),
          parent.nextFragmentId(),
          live,
          keyDelta);
    }
  }

  private static SplitRef with(
      SplitRef s, int deleted, List<RowIdRange> rowIds, FileRef columns, List<TextStats> text) {
    return new SplitRef(
        s.ulid(),
        s.documentCount(),
        deleted,
        s.schemaVersion(),
        rowIds,
        s.bundle(),
        s.footerStart(),
        s.footerEnd(),
        columns,
        s.tokens(),
        s.sparse(),
        s.codes(),
        text,
        deleted == 0 ? Optional.empty() : s.deletes());
  }

  @Test
  void copyOfAManifestIsSound() {
    assertThat(findings(parts -> parts)).isEmpty();
  }

  @Test
  void forgottenDeleteBitmapIsFound() {
    SplitRef split = newest.splits().get(0);
    assertProblems(
        findings(
            parts ->
                parts.withSplit(0, with(split, 0, split.rowIds(), split.columns(), split.text()))),
        "deleted row whose document is live");
  }

  @Test
  void wrongNumberOfDeletedDocumentsIsFound() {
    SplitRef split = newest.splits().get(0);
    assertProblems(
        findings(
            parts ->
                parts.withSplit(
                    0,
                    with(
                        split,
                        split.deletedCount() + 1,
                        split.rowIds(),
                        split.columns(),
                        split.text()))),
        "wrong number of deleted documents");
  }

  @Test
  void deleteBitmapOfAnotherSplitIsFound() {
    SplitRef split = newest.splits().get(0);
    SplitRef other = newest.splits().get(1);
    List<Finding> findings =
        findings(
            parts ->
                parts.withSplit(
                    0, split.withDeletes(other.deletes().orElseThrow(), other.deletedCount())));
    assertProblems(findings, "contradicts the split");
  }

  @Test
  void columnsOfAnotherSplitAreFound() {
    SplitRef split = newest.splits().get(0);
    SplitRef other = newest.splits().get(1);
    List<Finding> findings =
        findings(
            parts ->
                parts.withSplit(
                    0,
                    with(
                        split,
                        split.deletedCount(),
                        split.rowIds(),
                        other.columns(),
                        split.text())));
    assertProblems(findings, "wrong number of documents", "wrong number of values");
  }

  @Test
  void wrongTextStatisticsAreFound() {
    SplitRef split = newest.splits().get(0);
    TextStats stats = split.text().get(0);
    List<TextStats> wrong =
        List.of(
            new TextStats(stats.fieldNumber(), stats.totalTokens() + 1, stats.longestDocument()));
    assertProblems(
        findings(
            parts ->
                parts.withSplit(
                    0, with(split, split.deletedCount(), split.rowIds(), split.columns(), wrong))),
        "wrong number of tokens");
  }

  @Test
  void shiftedRowIdsAreFound() {
    SplitRef split = newest.splits().get(0);
    RowIdRange ids = split.rowIds().get(0);
    List<RowIdRange> shifted = List.of(new RowIdRange(ids.start() + 1, ids.count()));
    assertProblems(
        findings(
            parts ->
                parts.withSplit(
                    0, with(split, split.deletedCount(), shifted, split.columns(), split.text()))),
        "row ids of another object",
        "row without a document",
        "value that the document does not have");
  }

  @Test
  void rowsOfTheTailAreCompared() {
    TailRef tail = newest.tail().get(0);
    RowIdRange ids = tail.rowIds();
    RowIdRange more = new RowIdRange(ids.start(), ids.count() - 1);
    assertProblems(
        findings(
            p ->
                p.withTail(
                    0, new TailRef(tail.file(), more, tail.schemaVersion(), tail.deleted()))),
        "damaged");
    RowIdRange inSplit =
        new RowIdRange(newest.splits().get(0).rowIds().get(0).start(), ids.count());
    assertProblems(
        findings(
            p ->
                p.withTail(
                    0, new TailRef(tail.file(), inSplit, tail.schemaVersion(), tail.deleted()))),
        "row ids of another object");
  }

  @Test
  void deletedRowOfTheTailThatIsBackIsFound() {
    TailRef tail =
        newest.tail().stream().filter(t -> !t.deleted().isEmpty()).findFirst().orElseThrow();
    int place = newest.tail().indexOf(tail);
    // An upsert deleted it, so that there are two documents of its key now.
    assertProblems(
        findings(parts -> parts.withTail(place, tail.withDeleted(new RoaringBitmap()))),
        "two documents of one key");
  }

  @Test
  void missingSplitIsFound() {
    List<SplitRef> rest = newest.splits().subList(1, newest.splits().size());
    assertProblems(
        findings(p -> new Parts(p.lanceVersion(), rest, p.fragments(), p.tail(), p.keyDelta())),
        "row without a document");
  }

  @Test
  void fragmentsThatLanceDoesNotHaveAreFound() {
    FragmentRef first = newest.fragments().get(0);
    List<FragmentRef> rest = newest.fragments().subList(1, newest.fragments().size());
    List<Finding> findings = findings(parts -> parts.withFragments(rest));
    assertProblems(findings, "other fragments than the manifest", "document without a row");
    List<FragmentRef> other = new ArrayList<>(rest);
    other.add(
        0,
        new FragmentRef(
            first.id(), first.physicalRows(), first.rowIds(), first.files(), Optional.empty()));
    assertProblems(
        findings(parts -> parts.withFragments(other)), "other fragments than the manifest");
  }

  @Test
  void rowIdsOfAFragmentAreCompared() {
    FragmentRef last = newest.fragments().get(newest.fragments().size() - 1);
    RowIdRange ids = last.rowIds().get(0);
    List<FragmentRef> shifted = new ArrayList<>(newest.fragments());
    shifted.set(
        shifted.size() - 1,
        new FragmentRef(
            last.id(),
            last.physicalRows(),
            List.of(new RowIdRange(ids.start() - 1, ids.count())),
            last.files(),
            last.deletion()));
    assertProblems(
        findings(parts -> parts.withFragments(shifted)),
        "row of an id that the manifest does not give it");
  }

  @Test
  void countersBehindTheVersionAreFound() {
    byte[] now = store.get(metastore.path("ids")).orElseThrow().content();
    store.delete(metastore.path("ids"));
    Metastore other = new Metastore(store, "other");
    other.createHead(Head.first("none"));
    byte[] first = store.get(other.path("ids")).orElseThrow().content();
    assertThat(now).isNotEqualTo(first);
    store.putIfAbsent(metastore.path("ids"), first);
    assertThat(verify())
        .extracting(Finding::object, Finding::problem)
        .containsExactly(tuple(metastore.path("ids"), "behind the version"));
  }

  @Test
  void twoDocumentsOfOneKeyAreFound() {
    KeyLookup blind =
        new KeyLookup() {
          @Override
          public Map<Key, Long> rowIds(Set<Key> keys) {
            return Map.of();
          }

          @Override
          public Map<Long, Key> keys(Set<Long> rowIds) {
            return Map.of();
          }

          @Override
          public void close() {}
        };
    FileCache copies = new FileCache(folder.resolve("cache3"), 1 << 20);
    try (LanceStore lance = LanceStore.open(1 << 20, 1 << 20)) {
      CollectionFiles files =
          new CollectionFiles(
              store,
              metastore.path(""),
              lance,
              LanceFiles.in(
                  store,
                  metastore.path(""),
                  LanceVerification.SMALL,
                  lance,
                  new CachedCopies(store, copies)),
              copies,
              new MemoryBudget(1 << 20));
      try (VersionOpener versions = new VersionOpener(files)) {
        new Committer(
                store,
                metastore,
                new NativeStorage(files, versions, Runnable::run),
                (manifest, schema) -> blind,
                Clock.systemUTC(),
                new CommitQueue())
            .commit(WriteBatch.create().insert(7L, "w1", 1990, "en", null, null));
      }
    }
    assertThat(verify())
        .singleElement()
        .satisfies(f -> assertThat(f.problem()).isEqualTo("two documents of one key"))
        .satisfies(f -> assertThat(f.facts()).startsWith("key=7, rowId="));
  }
}
