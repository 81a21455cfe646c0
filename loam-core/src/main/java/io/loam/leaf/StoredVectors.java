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
import java.util.concurrent.atomic.AtomicLong;

/**
 * Vectors of a split's documents. Whole fragments are decoded and kept where many vectors are
 * wanted, or where there is room in memory. Otherwise few vectors are read one by one, until that
 * has taken as long as decoding would; then they get the room of what is used least. So searches
 * that take turns, for all of which there is no room, never take much longer than if nothing were
 * kept.
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
    return few && !isWorthDecoding(docs) ? single(docs) : whole();
  }

  /** Whether to decode what is not in memory, though only so few documents are wanted now. */
  private boolean isWorthDecoding(DocSet docs) {
    if (bytesOfField() > files.memory().limitBytes() / 2) {
      return false;
    }
    List<FragmentRef> missing = missing();
    long rows = missing.stream().mapToLong(FragmentRef::physicalRows).sum();
    if (missing.isEmpty() || files.memory().hasRoom(bytes(rows))) {
      return true;
    }
    AtomicLong reads = files.memory().readsWithout(slot(missing.get(0)));
    if (reads.addAndGet(docs.cardinality()) < rows / SPARSE) {
      return false;
    }
    reads.set(0);
    files.memory().makeRoom(bytes(rows));
    return true;
  }

  /** The leaf's fragments that are not in memory. */
  private List<FragmentRef> missing() {
    return leaf.rowIds().stream()
        .flatMap(range -> fragments.runs(range).stream())
        .mapToInt(FragmentMap.Run::fragment)
        .distinct()
        .mapToObj(fragment -> manifest.fragments().get(fragment))
        .filter(fragment -> !files.memory().holds(slot(fragment)))
        .toList();
  }

  private MemoryBudget.Slot slot(FragmentRef fragment) {
    String object = files.folder() + "fragment/" + fragment.id();
    return new MemoryBudget.Slot(object, field.number(), DecodedVectors.class);
  }

  private long bytesOfField() {
    return bytes(manifest.fragments().stream().mapToLong(FragmentRef::physicalRows).sum());
  }

  private long bytes(long rows) {
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
    MemoryBudget.Slot slot = slot(fragment);
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
