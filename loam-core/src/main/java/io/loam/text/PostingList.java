package io.loam.text;

/**
 * The documents that have one term, deleted ones included, in ascending blocks of {@value #BLOCK}
 * of which the last may be shorter. Safe for use by several threads.
 */
interface PostingList {
  /** Documents of a block. */
  int BLOCK = 128;

  /** Documents with the term. */
  int size();

  /** The last document of a block. */
  int lastDoc(int block);

  /**
   * No document of the block has a greater {@code tf / (tf + norm)}, with the norm of {@link
   * Bm25#DEFAULT} and the mean length of all the leaf's documents, deleted ones included.
   */
  float bound(int block);

  /** Reads a block: its documents, and how often each has the term. */
  void read(int block, PostingBlock into);

  default int blockCount() {
    return (size() + BLOCK - 1) / BLOCK;
  }

  /** Documents of a block. */
  default int blockSize(int block) {
    return Math.min(BLOCK, size() - block * BLOCK);
  }
}
