package io.loam.vector;

import io.loam.doc.DocSet;

/** A query against the codes of one leaf, which compares {@link QueryValues}. */
final class CodeQuery {
  /** With fewer documents of a block to look at, each is looked at by itself. */
  private static final int LEAST_OF_BLOCK = 32;

  private final QueryValues values;
  private final QueryPlanes planes;
  private final CodeBlock[] blocks;
  private final float centroidDot;
  private final float[] lowers = new float[CodeBlock.SIZE];
  private final float[] uppers = new float[CodeBlock.SIZE];

  CodeQuery(RotatedQuery query, VectorCodes codes) {
    this.values = query.values();
    this.planes = query.planes();
    this.blocks = codes.blocks();
    this.centroidDot =
        (float) ExactKernel.dot(query.vector(), codes.centroid(), 0, codes.dimension());
  }

  /** The value of a score; rounding never rules out what has just this score. */
  float value(double score) {
    return values.ofScore(score);
  }

  /**
   * Documents that may be among the best k.
   *
   * @param floor score below which no document is wanted
   */
  CodeCandidates candidates(DocSet allowed, int k, double floor) {
    CodeCandidates found = new CodeCandidates(k, value(floor));
    float[] margins = new float[CodeBlock.SIZE];
    for (int b = 0; b < blocks.length; b++) {
      CodeBlock block = blocks[b];
      int first = b * CodeBlock.SIZE;
      int end = Math.min(first + CodeBlock.SIZE, allowed.size());
      int documents = allowed.cardinality(first, end);
      if (documents >= LEAST_OF_BLOCK) {
        planes.coarseUppers(block, centroidDot, uppers);
        values.margins(found.threshold(), uppers, block.squaredNorms(), margins);
        for (int i = 0; i < end - first; i++) {
          if (!(margins[i] < 0) && allowed.contains(first + i)) {
            offer(block, i, first + i, planes.levelsAfterUppers(block, i), found);
          }
        }
      } else if (documents > 0) {
        for (int doc = allowed.next(first); doc >= 0 && doc < end; doc = allowed.next(doc + 1)) {
          offer(block, doc - first, doc, planes.levels(block, doc - first), found);
        }
      }
    }
    return found;
  }

  private void offer(CodeBlock block, int i, int doc, int levels, CodeCandidates found) {
    float squaredNorm = block.squaredNorms()[i];
    float upper = values.ofDot(planes.upper(block, i, levels, centroidDot), squaredNorm);
    if (upper >= found.threshold()) {
      float lower = values.ofDot(planes.lower(block, i, levels, centroidDot), squaredNorm);
      found.add(doc, upper, lower);
    }
  }

  /** The {@code count} documents, or a few more, whose value may be the greatest. */
  DocSet greatest(DocSet allowed, int count) {
    GreatestFloats greatest = new GreatestFloats(count);
    float[] all = new float[allowed.size()];
    forEach(
        allowed,
        (doc, lower, upper) -> {
          all[doc] = upper;
          greatest.offer(upper);
        });
    long[] words = new long[DocSet.wordCount(all.length)];
    forEach(
        allowed,
        (doc, lower, upper) -> {
          if (all[doc] >= greatest.kth()) {
            words[doc >>> 6] |= 1L << doc;
          }
        });
    return DocSet.ofWords(words, all.length);
  }

  /** Takes the bounds between which a document's value lies, most likely. */
  interface Bounds {
    void of(int doc, float lower, float upper);
  }

  /** Gives the bounds of all allowed documents that have a vector. */
  void forEach(DocSet allowed, Bounds bounds) {
    for (int b = 0; b < blocks.length; b++) {
      CodeBlock block = blocks[b];
      int first = b * CodeBlock.SIZE;
      planes.bounds(block, centroidDot, lowers, uppers);
      for (int i = 0; i < CodeBlock.SIZE && first + i < allowed.size(); i++) {
        if (!Float.isNaN(block.factors()[i]) && allowed.contains(first + i)) {
          float squaredNorm = block.squaredNorms()[i];
          bounds.of(
              first + i,
              values.ofDot(lowers[i], squaredNorm),
              values.ofDot(uppers[i], squaredNorm));
        }
      }
    }
  }
}
