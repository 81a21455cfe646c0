package io.loam.lance;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.RowIdRange;
import io.loam.schema.CollectionSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.CommitBuilder;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.Session;
import org.lance.Transaction;
import org.lance.fragment.RowIdMeta;
import org.lance.operation.Append;
import org.lance.operation.Operation;
import org.lance.operation.Project;
import org.lance.operation.Rewrite;
import org.lance.operation.RewriteGroup;
import org.lance.operation.Update;

/**
 * The Lance datasets of a warehouse, written in local folders and read anywhere. A dataset's
 * mainline holds one version, 1, which is empty; every commit makes a detached version from the
 * version that it names as its parent. Safe for use by several threads.
 */
public final class LanceStore implements AutoCloseable {
  /** The empty version of every dataset. */
  public static final long EMPTY_VERSION = 1;

  private static final int IDLE_VERSIONS = 16;
  private static final String STORAGE_VERSION = "2.1";

  private final RootAllocator allocator;
  private final Session session;
  private final DatasetPool pool;

  private LanceStore(RootAllocator allocator, Session session) {
    this.allocator = allocator;
    this.session = session;
    this.pool = new DatasetPool(allocator, session, IDLE_VERSIONS);
  }

  /**
   * Loads the native library and makes one session for all datasets, with caches of these sizes.
   */
  public static LanceStore open(long indexCacheBytes, long metadataCacheBytes) {
    LanceNatives.load();
    return new LanceStore(
        new RootAllocator(),
        Session.builder()
            .indexCacheSizeBytes(indexCacheBytes)
            .metadataCacheSizeBytes(metadataCacheBytes)
            .build());
  }

  /** Makes an empty dataset at a place where there is none. Returns {@link #EMPTY_VERSION}. */
  public long create(String uri, CollectionSchema schema) {
    pool.checkOpen(uri);
    return LanceCalls.writing(
        uri,
        () -> {
          try (Dataset dataset =
              Dataset.write()
                  .allocator(allocator)
                  .session(session)
                  .uri(uri)
                  .schema(LanceColumns.arrow(schema))
                  .dataStorageVersion(STORAGE_VERSION)
                  .enableStableRowIds(true)
                  .execute()) {
            return dataset.version();
          }
        });
  }

  /**
   * Writes rows as one fragment with one data file, for {@link #commit}. Takes Arrow memory for a
   * few batches of about 16 MiB, however many rows there are.
   *
   * @param fragmentId at least 1, and never used before in this dataset
   * @param rowIds in the order of the rows, as many as there are rows, never used before
   * @param rows at least one, read once; {@link LanceRow#vectors} in the order of the schema's
   *     vector fields
   */
  public WrittenFragment write(
      String uri,
      CollectionSchema schema,
      int fragmentId,
      List<RowIdRange> rowIds,
      Iterable<LanceRow> rows) {
    pool.checkOpen(uri);
    long expected = rowIds.stream().mapToLong(RowIdRange::count).sum();
    if (fragmentId < 1 || expected < 1) {
      throw misuse("fragment without id or rows", uri, "fragment=" + fragmentId);
    }
    FragmentMetadata written =
        writeDataFile(uri, new RowBatchReader(allocator, schema, rows.iterator()));
    return numbered(uri, schema, fragmentId, rowIds, written);
  }

  /**
   * Writes the live rows of some fragments of a version as one new fragment, for {@link #rewrite}.
   * They keep their row ids and come in the order of the fragments.
   *
   * @param uri where to write
   * @param version what to read, be it there or elsewhere
   * @param fragments ids, with at least one live row
   * @param fragmentId at least 1, and never used before in this dataset
   * @param checkpoint called now and then; what it throws ends the work
   */
  public WrittenFragment copy(
      String uri,
      LanceReader version,
      CollectionSchema schema,
      List<Integer> fragments,
      int fragmentId,
      Runnable checkpoint) {
    pool.checkOpen(uri);
    LiveRowsReader rows =
        new LiveRowsReader(allocator, version.lease(), schema, fragments, checkpoint);
    FragmentMetadata written = writeDataFile(uri, rows);
    return numbered(uri, schema, fragmentId, rows.rowIds(), written);
  }

  /** A fragment just written, with the ids that Loam gives. */
  private static WrittenFragment numbered(
      String uri,
      CollectionSchema schema,
      int fragmentId,
      List<RowIdRange> rowIds,
      FragmentMetadata written) {
    long[] ids = rowIds.stream().flatMapToLong(r -> LongStream.range(r.start(), r.end())).toArray();
    if (written.getPhysicalRows() != ids.length) {
      throw misuse(
          "rows and row ids differ in number",
          uri,
          "rows=" + written.getPhysicalRows() + ", rowIds=" + ids.length);
    }
    // Lance's caches tell siblings apart by fragment id only, so the id must be unique for ever.
    FragmentMetadata fragment =
        new FragmentMetadata(
            fragmentId,
            written.getFiles(),
            written.getPhysicalRows(),
            null,
            RowIdMeta.fromRowIds(ids));
    return new WrittenFragment(fragmentId, rowIds, fragment, schema);
  }

  private FragmentMetadata writeDataFile(String uri, BatchReader reader) {
    List<FragmentMetadata> fragments;
    try {
      fragments = LanceCalls.writing(uri, () -> writeDataFiles(uri, reader));
    } catch (LoamException e) {
      RuntimeException failure = reader.failure();
      throw failure == null ? e : failure;
    }
    if (fragments.size() != 1 || fragments.get(0).getFiles().size() != 1) {
      throw misuse("rows not written as one file", uri, "fragments=" + fragments.size());
    }
    return fragments.get(0);
  }

  private List<FragmentMetadata> writeDataFiles(String uri, BatchReader reader) throws IOException {
    try (reader;
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
      Data.exportArrayStream(allocator, reader, stream);
      return Fragment.write()
          .datasetUri(uri)
          .data(stream)
          .dataStorageVersion(STORAGE_VERSION)
          .enableStableRowIds(true)
          // One data file for a fragment, however large.
          .maxRowsPerFile(Integer.MAX_VALUE)
          .maxBytesPerFile(Long.MAX_VALUE)
          .execute();
    }
  }

  /**
   * Makes a detached version: the parent's rows less the deleted ones, and the added fragments.
   * Nothing is on stable storage when it returns.
   *
   * @param deletedOffsets physical offsets by id of a fragment of the parent
   */
  public CommittedVersion commit(
      String uri,
      long parentVersion,
      Collection<WrittenFragment> added,
      Map<Integer, int[]> deletedOffsets) {
    if (added.isEmpty() && deletedOffsets.values().stream().allMatch(o -> o.length == 0)) {
      throw misuse("commit without a change", uri, "parent=" + parentVersion);
    }
    try (DatasetPool.Lease parent = pool.lease(LanceAddress.local(uri), parentVersion)) {
      return LanceCalls.writing(
          uri,
          () -> {
            Deletions deletions = delete(uri, parent.dataset(), deletedOffsets);
            List<FragmentMetadata> fragments = placed(added, parent.dataset());
            return commit(uri, parent.dataset(), parentVersion, fragments, deletions);
          });
    }
  }

  /** Files of a first schema have its columns, as the dataset has them in front of all others. */
  private static List<FragmentMetadata> placed(Collection<WrittenFragment> added, Dataset parent) {
    return added.stream()
        .map(f -> f.isOfFirstSchema() ? f.metadata() : f.metadata(parent.getLanceSchema().fields()))
        .toList();
  }

  private record Deletions(Map<Integer, FragmentMetadata> updated, Set<Integer> removed) {}

  private Deletions delete(String uri, Dataset parent, Map<Integer, int[]> deletedOffsets) {
    Map<Integer, FragmentMetadata> updated = new TreeMap<>();
    Set<Integer> removed = new HashSet<>();
    deletedOffsets.forEach(
        (id, offsets) -> {
          if (offsets.length == 0) {
            return;
          }
          Fragment fragment = fragment(uri, parent, id);
          long rows = fragment.metadata().getPhysicalRows();
          // Lance accepts offsets past the end and then counts them as deleted.
          if (IntStream.of(offsets).anyMatch(o -> o < 0 || o >= rows)) {
            throw misuse("deleted offset out of range", uri, "fragment=" + id + ", rows=" + rows);
          }
          FragmentMetadata rest = fragment.deleteRows(IntStream.of(offsets).boxed().toList());
          if (rest == null) {
            removed.add(id);
          } else {
            updated.put(id, rest);
          }
        });
    return new Deletions(updated, removed);
  }

  private static Fragment fragment(String uri, Dataset parent, int id) {
    try {
      return parent.getFragment(id);
    } catch (NullPointerException e) { // Lance's answer where the version has no such fragment
      throw misuse("no such fragment", uri, "fragment=" + id + ", version=" + parent.version());
    }
  }

  private CommittedVersion commit(
      String uri,
      Dataset parent,
      long parentVersion,
      List<FragmentMetadata> added,
      Deletions deletions)
      throws Exception {
    boolean appends = deletions.updated().isEmpty() && deletions.removed().isEmpty();
    Operation operation =
        appends
            ? Append.builder().fragments(added).build()
            : Update.builder()
                .removedFragmentIds(deletions.removed().stream().map(Integer::longValue).toList())
                .updatedFragments(List.copyOf(deletions.updated().values()))
                .newFragments(added)
                .updateMode(Optional.of(Update.UpdateMode.RewriteRows))
                .build();
    return committed(make(uri, parent, parentVersion, operation), deletions);
  }

  private static CommittedVersion committed(Made made, Deletions deletions) {
    Map<Integer, String> deletionFiles = new TreeMap<>();
    deletions
        .updated()
        .forEach((id, f) -> deletionFiles.put(id, LanceNames.deletion(id, f.getDeletionFile())));
    return new CommittedVersion(
        made.version(),
        LanceNames.manifest(made.version()),
        made.transactionFile(),
        deletionFiles,
        deletions.removed());
  }

  /**
   * Makes a detached version which has a column for each vector field of the schema: those that the
   * parent lacks come last. A column whose field was dropped stays, since Lance would give its
   * number to another.
   */
  public CommittedVersion addColumns(String uri, long parentVersion, CollectionSchema schema) {
    try (DatasetPool.Lease parent = pool.lease(LanceAddress.local(uri), parentVersion)) {
      return LanceCalls.writing(
          uri,
          () -> {
            List<Field> columns = new ArrayList<>(parent.dataset().getSchema().getFields());
            LanceColumns.arrow(schema).getFields().stream()
                .filter(f -> !parent.hasColumn(f.getName()))
                .forEach(columns::add);
            Operation operation = Project.builder().schema(new Schema(columns)).build();
            return committed(
                make(uri, parent.dataset(), parentVersion, operation),
                new Deletions(Map.of(), Set.of()));
          });
    }
  }

  private record Made(long version, String transactionFile) {}

  private Made make(String uri, Dataset parent, long parentVersion, Operation operation)
      throws Exception {
    try (Transaction transaction =
        new Transaction.Builder().readVersion(parentVersion).operation(operation).build()) {
      Dataset committed =
          new CommitBuilder(parent)
              .detached(true)
              .useStableRowIds(true)
              .skipAutoCleanup(true)
              .execute(transaction);
      long version = committed.version();
      pool.adopt(LanceAddress.local(uri), committed);
      return new Made(version, LanceNames.transaction(parentVersion, transaction.uuid()));
    }
  }

  /**
   * Makes a detached version: the parent with some of its fragments replaced by one that was
   * written by {@link #copy}, whose rows stay deleted if they were. Nothing is on stable storage
   * when it returns.
   *
   * @param replaced ids of fragments of the parent
   * @param deletedOffsets rows of the new fragment that were deleted since it was written
   */
  public CommittedVersion rewrite(
      String uri,
      long parentVersion,
      Set<Integer> replaced,
      WrittenFragment fragment,
      int[] deletedOffsets) {
    long version;
    try (DatasetPool.Lease parent = pool.lease(LanceAddress.local(uri), parentVersion)) {
      Operation operation = rewriting(uri, parent.dataset(), replaced, fragment);
      Made made =
          LanceCalls.writing(uri, () -> make(uri, parent.dataset(), parentVersion, operation));
      version = made.version();
      if (deletedOffsets.length == 0) {
        return new CommittedVersion(
            version, LanceNames.manifest(version), made.transactionFile(), Map.of(), Set.of());
      }
    }
    return commit(uri, version, List.of(), Map.of(fragment.id(), deletedOffsets));
  }

  private static Operation rewriting(
      String uri, Dataset parent, Set<Integer> replaced, WrittenFragment fragment) {
    // In the order of Lance's own manifest: another order ends the process.
    List<FragmentMetadata> old =
        parent.getFragments().stream()
            .filter(f -> replaced.contains(f.getId()))
            .map(Fragment::metadata)
            .toList();
    if (old.size() != replaced.size() || replaced.contains(fragment.id())) {
      throw misuse(
          "fragments to replace are not there", uri, "fragments=" + new TreeSet<>(replaced));
    }
    return Rewrite.builder()
        .groups(
            List.of(
                RewriteGroup.builder()
                    .oldFragments(old)
                    .newFragments(placed(List.of(fragment), parent))
                    .build()))
        .rewrittenIndices(List.of())
        .build();
  }

  /** Opens a version for reading. */
  public LanceReader open(LanceAddress address, long version) {
    return new LanceReader(pool.lease(address, version));
  }

  /** Lets go of a dataset whose folder is about to be removed. */
  public void forget(String uri) {
    pool.forget(uri);
  }

  private static LoamException misuse(String problem, String uri, String facts) {
    return new LoamException(
        ErrorCode.INTERNAL, problem + ": uri=" + uri + ", " + facts + "; report this");
  }

  /** Frees all native memory; fails if any Arrow memory is still in use. */
  @Override
  public void close() {
    try (allocator;
        session) {
      pool.close();
    }
  }
}
