package io.loam.text;

import io.loam.doc.DocSet;
import java.util.Optional;

/** What text search needs of one leaf: a split, or the tail. Safe for use by several threads. */
public interface TextLeaf {
  /** Documents of the leaf, deleted ones included. */
  int documentCount();

  /** Documents that this version has. */
  DocSet live();

  /** The field's tokens, or nothing where the leaf was written before the field was added. */
  Optional<TokenReader> tokens(int fieldNumber);

  /** What deleted documents took from the field's statistics. */
  RemovedTerms removed(int fieldNumber);
}
