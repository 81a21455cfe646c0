package io.loam.commit;

import io.loam.schema.CollectionSchema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes to one collection that take effect together. Later changes of a key override earlier
 * ones, except that inserting a key twice fails. Not safe for use by several threads.
 */
public final class WriteBatch {

  /** One change. */
  public sealed interface Change {}

  /** Adds a document; the commit fails with {@code DUPLICATE_KEY} if its key exists. */
  public record Insert(@Nullable Object[] values) implements Change {}

  /** Adds a document, or replaces the one with its key. */
  public record Upsert(@Nullable Object[] values) implements Change {}

  /** Replaces the document that has this row id, keeping its key if the collection's is hidden. */
  public record Replace(long rowId, @Nullable Object[] values) implements Change {}

  /** Removes the document that has this row id; nothing if it is gone. */
  public record Delete(long rowId) implements Change {}

  private final List<Change> changes = new ArrayList<>();
  private final long baseVersion;
  private final boolean isolated;
  private @Nullable CollectionSchema schema;

  private WriteBatch(long baseVersion, boolean isolated) {
    this.baseVersion = baseVersion;
    this.isolated = isolated;
  }

  /** A batch of changes that name no row ids. */
  public static WriteBatch create() {
    return new WriteBatch(0, false);
  }

  /**
   * A batch whose row ids were read from this version; the commit fails with {@code CONFLICT} if
   * they changed since.
   */
  public static WriteBatch basedOn(long version) {
    return new WriteBatch(version, false);
  }

  /**
   * A batch of all that a transaction changed, which read this version; the commit fails with
   * {@code CONFLICT} if any of its keys changed since, unless an inserted one exists: that is
   * {@code DUPLICATE_KEY}.
   */
  public static WriteBatch isolatedOn(long version) {
    return new WriteBatch(version, true);
  }

  /**
   * Says for which schema the values are. Where the collection has got another one meanwhile, those
   * of dropped fields are left out, and new fields are null.
   */
  public WriteBatch madeFor(CollectionSchema made) {
    schema = made;
    return this;
  }

  /** A change's values in the order of the fields that the collection has. */
  @Nullable Object[] arranged(@Nullable Object[] values, CollectionSchema current) {
    CollectionSchema made = schema;
    if (made == null || made.version() == current.version()) {
      return values;
    }
    return current.fields().stream()
        .map(f -> made.fields().contains(f) ? values[made.position(f.number())] : null)
        .toArray();
  }

  /**
   * {@code values} are in the order of the schema's fields, as {@link io.loam.schema.TypeKind}
   * gives their classes.
   */
  public WriteBatch insert(@Nullable Object... values) {
    changes.add(new Insert(values));
    return this;
  }

  public WriteBatch upsert(@Nullable Object... values) {
    changes.add(new Upsert(values));
    return this;
  }

  public WriteBatch replace(long rowId, @Nullable Object... values) {
    changes.add(new Replace(rowId, values));
    return this;
  }

  public WriteBatch delete(long rowId) {
    changes.add(new Delete(rowId));
    return this;
  }

  public List<Change> changes() {
    return Collections.unmodifiableList(changes);
  }

  /** The version that row ids were read from, or 0. */
  public long baseVersion() {
    return baseVersion;
  }

  /** Whether keys that it writes, too, must not have changed since {@link #baseVersion}. */
  boolean isIsolated() {
    return isolated;
  }

  public boolean isEmpty() {
    return changes.isEmpty();
  }
}
