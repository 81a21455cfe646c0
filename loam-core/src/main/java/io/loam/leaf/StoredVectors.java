package io.loam.leaf;

import io.loam.doc.DocSet;
import io.loam.lance.FragmentVectors;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.RowIdRange;
import io.loam.schema.Field;
import io.loam.vector.VectorCodes;
import io.loam.vector.VectorLeaf;
import io.loam.vector.VectorRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Vectors of a split's documents. Where all vectors of the field fit into a good part of the memory
 * budget, whole fragments are decoded and kept; otherwise few vectors are read one by one.
 */
record StoredVectors(
    CollectionFiles files,
    Manifest manifest,
    FragmentMap fragments,
    VersionDataset dataset,
    Leaf leaf,
    Field field)
    implements VectorLeaf {

  /** Reading this part of a leaf's vectors one by one takes as long as reading all. */
  private static final int SPARSE = 16;

  @Override
  public Optional<VectorCodes> codes() {
    return leaf.codes(field.number());
  }

  @Override
  public List<VectorRun> runs(DocSet docs) {
    boolean few = docs.cardinality() < leaf.documentCount() / SPARSE;
    return few && bytesOfField() > files.memory().limitBytes() / 2 ? single(docs) : whole();
  }

  private long bytesOfField() {
    long rows = manifest.fragments().stream().mapToLong(FragmentRef::physicalRows).sum();
    return rows * field.type().dimension() * Float.BYTES;
  }

  /** One run for each document. */
  private List<VectorRun> single(DocSet docs) {
    List<VectorRun> runs = new ArrayList<>();
    long[] rowIds = new long[docs.cardinality()];
    int[] ids = new int[rowIds.length];
    int count = 0;
    for (int doc = docs.next(0); doc >= 0; doc = docs.next(doc + 1)) {
      ids[count] = doc;
      rowIds[count++] = leaf.rowId(doc);
    }
    float[][] vectors = dataset.reader(rowIds).vectors(field.number(), rowIds);
    for (int i = 0; i < count; i++) {
      if (vectors[i] != null) {
        runs.add(new VectorRun(ids[i], 1, vectors[i], 0, null, null));
      }
    }
    return runs;
  }

  /** Deleted documents may have no vector: their rows may be gone from the dataset. */
  private List<VectorRun> whole() {
    List<VectorRun> runs = new ArrayList<>();
    int firstDoc = 0;
    for (RowIdRange range : leaf.rowIds()) {
      for (FragmentMap.Run run : fragments.runs(range)) {
        DecodedVectors block = decoded(manifest.fragments().get(run.fragment()));
        runs.add(
            new VectorRun(
                firstDoc + (int) (run.firstRowId() - range.start()),
                run.count(),
                block.vectors().data(),
                run.firstRow(),
                block.vectors().nulls(),
                block.squaredNorms()));
      }
      firstDoc += range.count();
    }
    return runs;
  }

  private DecodedVectors decoded(FragmentRef fragment) {
    String object = files.folder() + "fragment/" + fragment.id();
    MemoryBudget.Slot slot = new MemoryBudget.Slot(object, field.number(), DecodedVectors.class);
    DecodedVectors cached = files.memory().peek(slot, DecodedVectors.class).orElse(null);
    if (cached != null && cached.serves(manifest.version())) {
      return cached;
    }
    FragmentVectors read =
        dataset.reader(fragment).vectors(fragment.id(), field.number(), fragment.physicalRows());
    DecodedVectors decoded = DecodedVectors.of(manifest.version(), read);
    files.memory().put(slot, decoded, decoded.sizeInBytes());
    return decoded;
  }
}
