package io.loam;

import io.loam.commit.CommitResult;
import io.loam.commit.WriteBatch;
import io.loam.maintain.Part;
import io.loam.maintain.Step;
import io.loam.maintain.Upkeep;
import io.loam.manifest.Manifest;
import io.loam.manifest.Tag;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.schema.CollectionSchema;
import io.loam.vector.IndexKind;
import io.loam.verify.Verification;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  /**
   * Reads all objects of a version and compares them with each other. Damage is what this returns;
   * it fails where the store does not answer, and where there is no such version.
   */
  Verification verify(VersionSpec version);

  /** Where the files of a version are, for other programs; nothing keeps them for those. */
  VersionFiles files(VersionSpec version);

  /** A version's manifest. */
  Manifest manifest(VersionSpec version);

  /**
   * Does what is due of some parts of the upkeep, in steps that are versions of their own; what
   * comes meanwhile is left for the next time. Fails with {@code CONFLICT} while other maintenance
   * runs on the collection.
   */
  List<Step> optimize(Set<Part> parts);

  /** What upkeep is due, and what it did. */
  Upkeep upkeep();

  /**
   * Makes a vector index over the rows that are in fragments now; others are added by {@link
   * #optimize}. Fails with {@code DUPLICATE_INDEX}.
   *
   * @param index its name, unique in the collection in any letter case
   * @param options by name; see {@link io.loam.vector.IndexOptions}
   */
  void createIndex(String index, String column, IndexKind kind, Map<String, String> options);

  /** Takes an index away; false where there was none of this name. */
  boolean dropIndex(String index);

  /** Builds an index anew. Fails with {@code UNKNOWN_INDEX}. */
  void rebuildIndex(String index);

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
