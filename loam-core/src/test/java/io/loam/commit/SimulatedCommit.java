package io.loam.commit;

import io.loam.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A commit of a simulation: what it was to change, and what its writer was told. */
final class SimulatedCommit {

  /** What is done to a key. */
  enum Kind {
    INSERT,
    UPSERT,
    REPLACE,
    DELETE
  }

  /**
   * One change.
   *
   * @param rowId of the row that is replaced or deleted
   */
  record Change(Kind kind, long key, long rowId) {}

  private final String label;
  private final long ownKey;
  private final List<Change> changes = new ArrayList<>();
  private WriteBatch batch = WriteBatch.create();
  private Map<Long, Long> read = Map.of();
  private @Nullable CommitResult result;
  private @Nullable ErrorCode error;

  /**
   * @param label value of all rows that it writes
   * @param ownKey that no other commit writes
   */
  SimulatedCommit(String label, long ownKey) {
    this.label = label;
    this.ownKey = ownKey;
  }

  /**
   * Begins a batch.
   *
   * @param rowIds by key, in the version that the batch is based on
   */
  void begin(WriteBatch empty, Map<Long, Long> rowIds) {
    batch = empty;
    read = rowIds;
  }

  void insert(long key) {
    batch.insert(key, label);
    changes.add(new Change(Kind.INSERT, key, 0));
  }

  void upsert(long key) {
    batch.upsert(key, label);
    changes.add(new Change(Kind.UPSERT, key, 0));
  }

  void replace(long key, long rowId) {
    batch.replace(rowId, key, label);
    changes.add(new Change(Kind.REPLACE, key, rowId));
  }

  void delete(long key, long rowId) {
    batch.delete(rowId);
    changes.add(new Change(Kind.DELETE, key, rowId));
  }

  void acknowledged(CommitResult commitResult) {
    result = commitResult;
  }

  void failed(ErrorCode code) {
    error = code;
  }

  String label() {
    return label;
  }

  long ownKey() {
    return ownKey;
  }

  List<Change> changes() {
    return changes;
  }

  WriteBatch batch() {
    return batch;
  }

  /** Row ids by key in the version that the batch is based on. */
  Map<Long, Long> read() {
    return read;
  }

  /** What the writer was told, if it was told of a success. */
  @Nullable CommitResult result() {
    return result;
  }

  /** What the writer was told, if it was told of a failure. */
  @Nullable ErrorCode error() {
    return error;
  }

  @Override
  public String toString() {
    return label + " " + changes + " -> " + (result == null ? error : result);
  }
}
