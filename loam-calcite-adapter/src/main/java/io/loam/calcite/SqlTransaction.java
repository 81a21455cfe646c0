package io.loam.calcite;

import io.loam.Collection;
import io.loam.CollectionName;
import io.loam.Transaction;
import io.loam.Warehouse;
import io.loam.commit.WriteBatch;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.query.Snapshot;
import io.loam.schema.CollectionSchema;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Several statements as one: each collection is read as it was when the transaction first used it,
 * and one of them may be written, all changes at once when it commits. Statements of several
 * threads take turns.
 */
public final class SqlTransaction {
  private record Part(Collection collection, Transaction transaction) {}

  private final Warehouse warehouse;
  private final Map<CollectionName, Part> parts = new LinkedHashMap<>();
  private @Nullable Part written;
  private boolean ended;

  public SqlTransaction(Warehouse warehouse) {
    this.warehouse = warehouse;
  }

  /** Whether a statement has used it. */
  public synchronized boolean hasBegun() {
    return !parts.isEmpty();
  }

  /** What the transaction sees now of a collection. */
  synchronized Snapshot snapshot(CollectionName name) {
    return part(name).transaction.snapshot();
  }

  /**
   * Makes a statement's changes.
   *
   * @param schema that the changes were made for
   */
  synchronized void write(CollectionName name, CollectionSchema schema, WriteBatch changes) {
    Part part = part(name);
    if (written != null && !written.equals(part)) {
      throw new LoamException(
          ErrorCode.UNSUPPORTED,
          "a transaction can write one table only: written="
              + written.collection.name()
              + ", table="
              + name
              + "; commit before writing another");
    }
    if (!part.transaction.schema().equals(schema)) {
      throw new LoamException(
          ErrorCode.CONFLICT,
          "collection has changed since the transaction began: collection="
              + name
              + "; roll back and run the transaction again");
    }
    part.transaction.apply(changes);
    written = part;
  }

  private Part part(CollectionName name) {
    if (ended) {
      throw new LoamException(
          ErrorCode.NO_TRANSACTION,
          "transaction was ended while one of its statements ran: table="
              + name
              + "; run the statement again, and commit when no other thread runs one");
    }
    CollectionName anyCase =
        new CollectionName(
            name.schema().toLowerCase(Locale.ROOT), name.name().toLowerCase(Locale.ROOT));
    return parts.computeIfAbsent(
        anyCase,
        n -> {
          Collection collection = warehouse.get(name);
          return new Part(collection, collection.begin());
        });
  }

  /** Commits, and ends the transaction whether that succeeds or not. */
  public synchronized void commit() {
    try {
      if (written != null) {
        checkSame(written);
        written.transaction.commit();
      }
    } finally {
      rollback();
    }
  }

  /** The table that was written must still be the one of its name, with its columns. */
  private void checkSame(Part part) {
    CollectionName name = part.collection.name();
    boolean same =
        warehouse
            .find(name)
            .filter(found -> found.equals(part.collection))
            .filter(found -> found.schema().equals(part.transaction.schema()))
            .isPresent();
    if (!same) {
      throw new LoamException(
          ErrorCode.CONFLICT,
          "table was dropped or its columns changed since the transaction began: table="
              + name
              + "; run the transaction again");
    }
  }

  /** Ends the transaction without its changes. */
  public synchronized void rollback() {
    ended = true;
    parts.values().forEach(part -> part.transaction.close());
    parts.clear();
    written = null;
  }
}
