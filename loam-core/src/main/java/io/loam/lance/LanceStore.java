package io.loam.lance;

import io.loam.manifest.RowIdRange;
import io.loam.schema.CollectionSchema;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The Lance datasets of a warehouse. A dataset's mainline holds one version, 1, which is empty;
 * every commit makes a detached version from the version that it names as its parent. Safe for use
 * by several threads.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class LanceStore implements AutoCloseable {
  /** The empty version of every dataset. */
  public static final long EMPTY_VERSION = 1;

  private LanceStore() {}

  /**
   * Loads the native library and makes one session for all datasets, with caches of these sizes.
   */
  public static LanceStore open(long indexCacheBytes, long metadataCacheBytes) {
    throw new UnsupportedOperationException();
  }

  /** Makes an empty dataset at a place where there is none. Returns {@link #EMPTY_VERSION}. */
  public long create(String uri, CollectionSchema schema) {
    throw new UnsupportedOperationException();
  }

  /**
   * Writes rows as one fragment with one data file, for {@link #commit}.
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
    throw new UnsupportedOperationException();
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
    throw new UnsupportedOperationException();
  }

  /** Opens a version for reading. */
  public LanceReader open(String uri, long version) {
    throw new UnsupportedOperationException();
  }

  /** Frees all native memory; fails if any Arrow memory is still in use. */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
