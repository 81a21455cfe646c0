package io.loam;

import io.loam.commit.CommitResult;
import io.loam.commit.WriteBatch;
import io.loam.query.Snapshot;
import io.loam.schema.CollectionSchema;

/**
 * Changes to one collection that nobody else sees until they are committed together. All reads are
 * of the version that was newest when the transaction began, with its own changes. Not safe for use
 * by several threads.
 */
public interface Transaction extends AutoCloseable {
  /** The schema of the version that the transaction reads. */
  CollectionSchema schema();

  /**
   * What the transaction sees now; changes that come later are not in it. Its {@code version} is
   * the one that the transaction began with.
   */
  Snapshot snapshot();

  /**
   * Makes one statement's changes. Fails as {@link Collection#commit} does where a key is there
   * already or a value cannot be, and has changed nothing then.
   *
   * @param changes may name rows by the row ids that {@link #snapshot} gives
   */
  void apply(WriteBatch changes);

  /**
   * Makes all changes one new version, and ends the transaction. Fails with {@code CONFLICT} if
   * another commit changed the same keys since the transaction began, or with {@code DUPLICATE_KEY}
   * if it inserted one that this transaction inserts; nothing has changed then.
   */
  CommitResult commit();

  /** Ends the transaction; what is not committed is gone. */
  @Override
  void close();
}
