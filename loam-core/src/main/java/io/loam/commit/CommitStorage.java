package io.loam.commit;

import io.loam.manifest.FileRef;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.SplitRef;
import io.loam.manifest.TailRef;
import io.loam.schema.CollectionSchema;
import java.util.List;
import java.util.function.IntSupplier;

/** What a commit does to data files: all that the protocol needs of native code. */
public interface CommitStorage {

  /** Rows written once, which any later parent can take in. */
  interface PreparedRows {}

  /**
   * All of a version's data, indexes aside.
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

  /**
   * Writes rows; files of many rows are on stable storage when this returns.
   *
   * @param rows with successive row ids, at least one
   * @param fragmentIds gives fragment ids that nothing else has
   */
  PreparedRows prepare(CollectionSchema schema, List<NewRow> rows, IntSupplier fragmentIds);

  /**
   * The same rows in files of fresh names, which no garbage collection can have listed. Fails where
   * a file is gone.
   */
  PreparedRows renamed(PreparedRows rows);

  /**
   * The contents of a version that follows {@code parent}.
   *
   * @param rows to add
   * @param removed row ids live in {@code parent}, ascending
   * @param fragmentIds gives fragment ids that nothing else has
   */
  Contents apply(
      Manifest parent,
      CollectionSchema schema,
      List<PreparedRows> rows,
      long[] removed,
      IntSupplier fragmentIds);

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
  default void landed(PreparedRows rows) {}
}
