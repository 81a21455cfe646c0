package io.loam.maintain;

import io.loam.commit.CommitStorage;
import io.loam.manifest.Manifest;
import io.loam.schema.CollectionSchema;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;

/** What maintenance does to data files: all that it needs of native code. */
public interface MaintenanceStorage {

  /** A task's work, done once, which any later version that has its inputs can take in. */
  interface Prepared {}

  /** Live rows of a version's Lance fragments, by id. */
  Map<Integer, Integer> liveRows(Manifest manifest, CollectionSchema schema);

  /**
   * Does a task's work on the inputs as they are in {@code base}; all of it is on stable storage
   * when this returns.
   *
   * @param fragmentIds gives fragment ids that nothing else has
   * @param checkpoint called now and then; what it throws ends the work
   */
  Prepared prepare(
      Manifest base,
      CollectionSchema schema,
      Task task,
      IntSupplier fragmentIds,
      Runnable checkpoint);

  /**
   * The contents of a version that follows {@code parent}, in which the result stands for the
   * inputs: what was deleted from them since is deleted from it. Nothing if one of the inputs is
   * not there any more.
   */
  Optional<CommitStorage.Contents> apply(
      Manifest parent, CollectionSchema schema, Prepared prepared);

  /** Removes temporary files that processes which died left on this machine; tells how many. */
  int sweep();
}
