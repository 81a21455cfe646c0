package io.loam;

import io.loam.commit.CommitResult;
import io.loam.commit.WriteBatch;
import io.loam.manifest.Manifest;
import io.loam.manifest.Tag;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.schema.CollectionSchema;
import java.util.List;
import java.util.SortedMap;
import java.util.function.UnaryOperator;

/** One collection. Safe for use by several threads. */
public interface Collection {
  CollectionName name();

  /** The schema at the head. */
  CollectionSchema schema();

  /** The schema at a version. */
  CollectionSchema schema(VersionSpec version);

  /** Opens a version for reading. */
  Snapshot snapshot(VersionSpec version);

  /** Makes the batch's changes one new version. */
  CommitResult commit(WriteBatch batch);

  /**
   * Makes another schema the next version. Rows that are there have NULL in new fields.
   *
   * @param change as of {@link io.loam.schema.SchemaChanges}; gives the same schema where there is
   *     nothing to change. It is asked again where another writer was first
   */
  void alter(UnaryOperator<CollectionSchema> change);

  /** Indexes all documents anew from their bodies, as one new version of the same documents. */
  void reindex();

  /** Begins a transaction on the newest version, to be committed or closed. */
  Transaction begin();

  /** Retained versions' manifests, newest first. */
  List<Manifest> manifests();

  /** Tags by name, in any letter case. */
  SortedMap<String, Tag> tags();

  /**
   * Gives a version a name, which keeps it. Fails with {@code DUPLICATE_TAG}, or with {@code
   * UNKNOWN_VERSION} where the version is not retained.
   */
  void createTag(String tag, VersionSpec version);

  /** Takes a tag away; false where there was none of this name. */
  boolean dropTag(String tag);
}
