package io.loam.commit;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Versioned;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives the rows of one statement their ids and writes them: once, however often the statement is
 * resolved anew, since a long load must not be written again for each commit or garbage collection
 * that comes between. Used by one thread.
 */
final class StatementRows {
  private final IdReserve ids;
  private final CommitStorage storage;
  private @Nullable PreparedBatch last;

  StatementRows(IdReserve ids, CommitStorage storage) {
    this.ids = ids;
    this.storage = storage;
  }

  /** The batch, whose rows are written, as versions that follow {@code head} may name them. */
  PreparedBatch prepare(
      ResolvedBatch resolved, CollectionSchema schema, Versioned<Head> head, Manifest base) {
    PreparedBatch before = last;
    List<NewRow> rows;
    Optional<CommitStorage.PreparedRows> written;
    Optional<CommitStorage.PreparedRows> kept =
        before != null && hasRowsOf(before, resolved, schema)
            ? kept(before, head.value())
            : Optional.empty();
    if (before != null && kept.isPresent()) {
      rows = before.rows();
      written = kept;
    } else {
      rows = numbered(resolved, base);
      written =
          rows.isEmpty()
              ? Optional.empty()
              : Optional.of(storage.prepare(schema, rows, () -> ids.fragment(base)));
    }
    PreparedBatch prepared =
        new PreparedBatch(resolved, resolved.keys(), schema, head, base, rows, written);
    last = prepared;
    return prepared;
  }

  /** Whether the rows that were written are those that the statement adds now. */
  private static boolean hasRowsOf(
      PreparedBatch before, ResolvedBatch resolved, CollectionSchema schema) {
    List<ResolvedBatch.Addition> old = before.resolved().added();
    List<ResolvedBatch.Addition> added = resolved.added();
    if (!before.schema().equals(schema) || old.size() != added.size()) {
      return false;
    }
    for (int i = 0; i < added.size(); i++) {
      if (added.get(i).given() != old.get(i).given()) {
        return false;
      }
    }
    return true;
  }

  /**
   * What was written before, as versions after this head may name it: what collected garbage since
   * may take its files for such, so it needs fresh names. Nothing if files are gone.
   */
  private Optional<CommitStorage.PreparedRows> kept(PreparedBatch before, Head head) {
    if (before.head().value().gcEpoch() == head.gcEpoch()) {
      return before.written();
    }
    try {
      return before.written().map(storage::renamed);
    } catch (LoamException e) {
      if (e.code() == ErrorCode.MISSING_OBJECT
          || e.code() == ErrorCode.CORRUPT_OBJECT
          || e.code() == ErrorCode.STORE_UNAVAILABLE) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private List<NewRow> numbered(ResolvedBatch resolved, Manifest base) {
    List<NewRow> rows = new ArrayList<>();
    if (!resolved.added().isEmpty()) {
      long rowId = ids.rows(resolved.added().size(), base);
      for (ResolvedBatch.Addition a : resolved.added()) {
        Key key = a.key() == null ? Key.of(rowId) : a.key();
        rows.add(new NewRow(rowId++, key, a.values()));
      }
    }
    return rows;
  }
}
