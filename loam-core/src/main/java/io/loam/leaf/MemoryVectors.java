package io.loam.leaf;

import io.loam.doc.DocSet;
import io.loam.vector.VectorCodes;
import io.loam.vector.VectorLeaf;
import io.loam.vector.VectorRun;
import java.util.List;
import java.util.Optional;

/** Vectors of rows in memory. */
record MemoryVectors(MemoryRows rows, int fieldNumber) implements VectorLeaf {
  @Override
  public Optional<VectorCodes> codes() {
    return Optional.empty();
  }

  @Override
  public List<VectorRun> runs(DocSet docs) {
    return List.of(rows.vectors(fieldNumber));
  }
}
