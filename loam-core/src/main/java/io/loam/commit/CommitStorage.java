package io.loam.commit;

import io.loam.manifest.FileRef;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.IdBlock;
import io.loam.manifest.Manifest;
import io.loam.manifest.SplitRef;
import io.loam.manifest.TailRef;
import io.loam.schema.CollectionSchema;
import java.util.List;
import java.util.Optional;

/** What a commit does to data files: all that the protocol needs of native code. */
public interface CommitStorage {

  /** Rows written once, which any later parent can take in. */
  interface PreparedRows {}

  /**
   * All of a version's data.
   *
   * @param staged paths in the warehouse of those of its files that may not have reached stable
   *     storage
   */
  record Contents(
      long lanceVersion,
      FileRef lanceManifest,
      List<SplitRef> splits,
      List<FragmentRef> fragments,
      List<TailRef> tail,
      long liveDocuments,
      List<String> staged) {}

  /** How many fragment ids {@link #prepare} may use. */
  int FRAGMENTS_PER_BATCH = 1;

  /** Writes rows, which are in order of their row ids, all of them in {@code ids}. */
  PreparedRows prepare(CollectionSchema schema, IdBlock ids, List<NewRow> rows);

  /**
   * The contents of a version that follows {@code parent}.
   *
   * @param rows to add, if any
   * @param removed row ids live in {@code parent}, ascending
   */
  Contents apply(
      Manifest parent, CollectionSchema schema, Optional<PreparedRows> rows, long[] removed);

  /**
   * The contents of a version that follows {@code parent} with the same documents and other fields.
   *
   * @param before the parent's schema
   * @param after the new one
   */
  Contents alter(Manifest parent, CollectionSchema before, CollectionSchema after);

  /** The contents of a version that follows {@code parent}, all documents indexed anew. */
  Contents reindex(Manifest parent, CollectionSchema schema);

  /** Told after rows have become part of a version; cannot fail. */
  default void landed(PreparedRows rows, long version) {}
}
