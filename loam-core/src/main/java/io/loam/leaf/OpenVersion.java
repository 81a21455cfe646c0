package io.loam.leaf;

import io.loam.doc.KeyOrder;
import io.loam.lance.FragmentVectors;
import io.loam.lance.LanceAddress;
import io.loam.lance.LanceReader;
import io.loam.manifest.FileRef;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.RowIdRange;
import io.loam.schema.CollectionSchema;
import io.loam.vector.VectorRun;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** One version of a collection with its leaves open. Safe for use by several threads. */
public final class OpenVersion {
  private final CollectionFiles files;
  private final Manifest manifest;
  private final CollectionSchema schema;
  private final List<OpenSplit> splits;
  private final List<Leaf> leaves;
  private final FragmentMap fragments;
  private final List<LanceReader> outdated = new ArrayList<>();
  private @Nullable LanceReader reader;
  private int users;

  OpenVersion(
      CollectionFiles files, Manifest manifest, CollectionSchema schema, List<OpenSplit> splits) {
    this.files = files;
    this.manifest = manifest;
    this.schema = schema;
    this.splits = splits;
    this.fragments = new FragmentMap(manifest.fragments());
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

  /** The version's Lance dataset, to read these rows; their files are checked before. */
  public LanceReader reader(long[] rowIds) {
    LanceReader open = open();
    files
        .lanceFiles()
        .verifyReading(
            () ->
                LongStream.of(rowIds)
                    .mapToObj(id -> fragments.runs(new RowIdRange(id, 1)))
                    .flatMap(List::stream)
                    .map(FragmentMap.Run::fragment)
                    .distinct()
                    .flatMap(f -> manifest.fragments().get(f).allFiles().stream())
                    .toList());
    return open;
  }

  /** The version's Lance dataset, to read a fragment; its files are checked before. */
  public LanceReader reader(int fragmentId) {
    LanceReader open = open();
    files
        .lanceFiles()
        .verifyReading(
            () ->
                manifest.fragments().stream()
                    .filter(f -> f.id() == fragmentId)
                    .flatMap(f -> f.allFiles().stream())
                    .toList());
    return open;
  }

  private synchronized LanceReader open() {
    LanceAddress address = files.lanceFiles().address();
    if (reader != null && !reader.address().equals(address)) {
      outdated.add(reader); // its keys were temporary ones; somebody may be reading by it
      reader = null;
    }
    if (reader == null) {
      List<FileRef> named =
          manifest.fragments().stream().flatMap(f -> f.allFiles().stream()).toList();
      files.lanceFiles().verifyOpening(manifest.lanceManifest(), named);
      reader = files.lance().open(address, manifest.lanceVersion());
    }
    return reader;
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
        reader(fragment.id()).vectors(fragment.id(), fieldNumber, fragment.physicalRows());
    DecodedVectors decoded = DecodedVectors.of(manifest.version(), read);
    files.memory().put(slot, decoded, decoded.sizeInBytes());
    return decoded;
  }

  List<OpenSplit> splits() {
    return splits;
  }

  int addUser(int change) {
    users += change;
    return users;
  }

  synchronized void close() {
    outdated.forEach(LanceReader::close);
    outdated.clear();
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }
}
