package io.loam.vector;

import io.loam.doc.DocSet;
import java.util.List;
import java.util.Optional;

/** The vectors of one field in one leaf. */
public interface VectorLeaf {
  /** Codes of all vectors, if there are any. */
  Optional<VectorCodes> codes();

  /** Runs that do not overlap and in which at least these documents are. */
  List<VectorRun> runs(DocSet docs);
}
