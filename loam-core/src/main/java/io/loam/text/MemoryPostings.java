package io.loam.text;

/** The postings of all terms of a field, on the heap. */
final class MemoryPostings {
  /** By code, the first place in {@link #docs}, and the end of the last. */
  private final int[] starts;

  private final int[] docs;
  private final int[] frequencies;

  /** By code, the first place in {@link #bounds}. */
  private final int[] firstBlocks;

  private final float[] bounds;

  /**
   * @param documentFrequencies by code
   */
  MemoryPostings(TokenReader tokens, int[] documentFrequencies) {
    int termCount = documentFrequencies.length;
    this.starts = new int[termCount + 1];
    this.firstBlocks = new int[termCount + 1];
    for (int code = 0; code < termCount; code++) {
      starts[code + 1] = starts[code] + documentFrequencies[code];
      firstBlocks[code + 1] =
          firstBlocks[code]
              + (documentFrequencies[code] + PostingList.BLOCK - 1) / PostingList.BLOCK;
    }
    this.docs = new int[starts[termCount]];
    this.frequencies = new int[docs.length];
    this.bounds = new float[firstBlocks[termCount]];
    int[] next = starts.clone();
    int[] buffer = new int[0];
    for (int doc = 0; doc < tokens.documentCount(); doc++) {
      buffer = tokens.tokens(doc, buffer);
      int length = tokens.length(doc);
      for (int i = 0; i < length; i++) {
        int code = buffer[i];
        if (next[code] == starts[code] || docs[next[code] - 1] != doc) {
          docs[next[code]++] = doc;
        }
        frequencies[next[code] - 1]++;
      }
    }
    setBounds(tokens);
  }

  private void setBounds(TokenReader tokens) {
    double averageLength = (double) tokens.totalTokens() / tokens.documentCount();
    for (int code = 0; code + 1 < starts.length; code++) {
      for (int i = starts[code]; i < starts[code + 1]; i++) {
        double norm = Bm25.DEFAULT.norm(tokens.length(docs[i]), averageLength);
        float bound = Math.nextUp((float) (frequencies[i] / (frequencies[i] + norm)));
        int block = firstBlocks[code] + (i - starts[code]) / PostingList.BLOCK;
        bounds[block] = Math.max(bounds[block], bound);
      }
    }
  }

  PostingList list(int code) {
    return new List(code);
  }

  private final class List implements PostingList {
    private final int code;

    List(int code) {
      this.code = code;
    }

    @Override
    public int size() {
      return starts[code + 1] - starts[code];
    }

    @Override
    public int lastDoc(int block) {
      return docs[Math.min(starts[code] + (block + 1) * BLOCK, starts[code + 1]) - 1];
    }

    @Override
    public float bound(int block) {
      return bounds[firstBlocks[code] + block];
    }

    @Override
    public void read(int block, PostingBlock into) {
      int start = starts[code] + block * BLOCK;
      System.arraycopy(docs, start, into.docs, 0, blockSize(block));
      System.arraycopy(frequencies, start, into.unpacked(), 0, blockSize(block));
    }
  }
}
