package io.loam.leaf;

import io.loam.doc.KeyOrder;
import io.loam.lance.FragmentVectors;
import io.loam.lance.LanceReader;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.RowIdRange;
import io.loam.schema.CollectionSchema;
import io.loam.vector.VectorRun;
import java.util.ArrayList;
import java.util.List;

/** One version of a collection with its leaves open. Safe for use by several threads. */
public final class OpenVersion {
  private final CollectionFiles files;
  private final Manifest manifest;
  private final CollectionSchema schema;
  private final List<OpenSplit> splits;
  private final List<Leaf> leaves;
  private final FragmentMap fragments;
  private final VersionDataset dataset;
  private int users;

  OpenVersion(
      CollectionFiles files, Manifest manifest, CollectionSchema schema, List<OpenSplit> splits) {
    this.files = files;
    this.manifest = manifest;
    this.schema = schema;
    this.splits = splits;
    this.fragments = new FragmentMap(manifest.fragments());
    this.dataset = new VersionDataset(files, manifest, fragments);
    this.leaves = new ArrayList<>();
  }

  /** Opens the leaves; called once, before the version is shared. */
  void openLeaves(LeafLoader loader) {
    for (int i = 0; i < splits.size(); i++) {
      leaves.add(loader.split(manifest.splits().get(i), splits.get(i)));
    }
    manifest.tail().forEach(t -> leaves.add(loader.tail(this, t)));
  }

  public Manifest manifest() {
    return manifest;
  }

  public CollectionSchema schema() {
    return schema;
  }

  /** Splits first, in the manifest's order, then the tail. */
  public List<Leaf> leaves() {
    return leaves;
  }

  /** Which fragment holds a row. */
  public FragmentMap fragments() {
    return fragments;
  }

  /** The order of keys of documents of {@link #leaves}. */
  public KeyOrder keyOrder() {
    return (leaf1, doc1, leaf2, doc2) ->
        leaves.get(leaf1).keys().compare(doc1, leaves.get(leaf2).keys(), doc2);
  }

  /** The version's Lance dataset, ready to read these rows. */
  public LanceReader reader(long[] rowIds) {
    return dataset.reader(rowIds);
  }

  /** Where the vectors of a leaf's documents are, decoded. */
  public List<VectorRun> vectors(Leaf leaf, int fieldNumber) {
    List<VectorRun> runs = new ArrayList<>();
    int doc = 0;
    for (RowIdRange range : leaf.rowIds()) {
      for (FragmentMap.Run run : fragments.runs(range)) {
        DecodedVectors block = decoded(manifest.fragments().get(run.fragment()), fieldNumber);
        runs.add(
            new VectorRun(
                doc,
                run.count(),
                block.vectors().data(),
                run.firstRow(),
                block.vectors().nulls(),
                block.squaredNorms()));
        doc += run.count();
      }
    }
    return runs;
  }

  private DecodedVectors decoded(FragmentRef fragment, int fieldNumber) {
    String object = files.folder() + "fragment/" + fragment.id();
    MemoryBudget.Slot slot = new MemoryBudget.Slot(object, fieldNumber, DecodedVectors.class);
    DecodedVectors cached = files.memory().peek(slot, DecodedVectors.class).orElse(null);
    if (cached != null && cached.serves(manifest.version())) {
      return cached;
    }
    FragmentVectors read =
        dataset.reader(fragment).vectors(fragment.id(), fieldNumber, fragment.physicalRows());
    DecodedVectors decoded = DecodedVectors.of(manifest.version(), read);
    files.memory().put(slot, decoded, decoded.sizeInBytes());
    return decoded;
  }

  /** The version's Lance dataset, ready to read a fragment. */
  LanceReader reader(int fragmentId) {
    return dataset.reader(
        manifest.fragments().stream().filter(f -> f.id() == fragmentId).findFirst().orElseThrow());
  }

  List<OpenSplit> splits() {
    return splits;
  }

  int addUser(int change) {
    users += change;
    return users;
  }

  void close() {
    dataset.close();
  }
}
