package io.loam.query;

import io.loam.error.LoamException;

/** What a snapshot tells whoever opened it. */
public interface SnapshotOwner {

  /** The error to give for one that reading met: the same, or one that knows more. */
  LoamException explain(LoamException failure);

  /** The snapshot is closed, and does not need its version any more. Called once. */
  void closed();
}
