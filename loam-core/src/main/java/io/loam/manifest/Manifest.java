package io.loam.manifest;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Exactly what makes up a collection at one version. Immutable; a version's manifest is never
 * written again.
 *
 * @param version 1 for a collection's first
 * @param parentVersion 0 for the first
 * @param parentPath path of the parent's manifest, empty for the first
 * @param schemaVersion version of the schema at {@code schemaPath}
 * @param createdAtMillis at least the parent's + 1
 * @param kind what the commit did
 * @param lanceVersion Lance's detached version, or 1 for the empty mainline
 * @param lanceManifest Lance's own manifest file of that version
 * @param splits in order of their first row id
 * @param fragments all Lance fragments, in order of id
 * @param tail rows that are in files of their own, in order of row id
 * @param indexes of vector fields, in order of name
 * @param nextRowId first row id that no row of this version has, nor any before it
 * @param nextFragmentId likewise for fragment ids
 * @param liveDocuments documents of this version
 * @param keyDelta keys that this commit changed, or nothing
 */
public record Manifest(
    long version,
    long parentVersion,
    String parentPath,
    int schemaVersion,
    String schemaPath,
    long createdAtMillis,
    CommitKind kind,
    long lanceVersion,
    FileRef lanceManifest,
    List<SplitRef> splits,
    List<FragmentRef> fragments,
    List<TailRef> tail,
    List<VectorIndexRef> indexes,
    long nextRowId,
    int nextFragmentId,
    long liveDocuments,
    Optional<FileRef> keyDelta) {

  /** What a commit did. */
  public enum CommitKind {
    WRITE,
    SCHEMA,
    INDEX_BUILD,
    MAINTENANCE
  }

  public Manifest {
    splits = List.copyOf(splits);
    fragments = List.copyOf(fragments);
    tail = List.copyOf(tail);
    indexes = List.copyOf(indexes);
  }

  /** Every object in the collection's folder that this version needs, manifest and schema aside. */
  public List<FileRef> files() {
    List<FileRef> files = new ArrayList<>();
    files.add(lanceManifest);
    keyDelta.ifPresent(files::add);
    for (FragmentRef fragment : fragments) {
      files.addAll(fragment.files());
      fragment.deletion().ifPresent(files::add);
    }
    splits.forEach(split -> files.addAll(split.files()));
    tail.forEach(t -> files.add(t.file()));
    Set<FileRef> trainings = new LinkedHashSet<>();
    for (VectorIndexRef index : indexes) {
      for (SegmentRef segment : index.segments()) {
        files.add(segment.file());
        trainings.add(segment.training());
      }
    }
    files.addAll(trainings);
    return files;
  }

  /** The index of this name, in any letter case. */
  public Optional<VectorIndexRef> index(String name) {
    return indexes.stream().filter(index -> index.name().equalsIgnoreCase(name)).findFirst();
  }
}
