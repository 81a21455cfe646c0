package io.loam.text;

import io.loam.text.CompiledQuery.TermsNode;

/** A term, or the rarest term of a phrase. */
final class TermLead extends Lead {
  private final PostingCursor cursor;
  private final byte[] lengthCodes;
  private final double[] norms;
  private final double weight;
  private final double blockWeight;
  private final double constant;

  TermLead(LeafQuery leaf, TermsNode node, double constant) {
    this.cursor = leaf.cursor(leaf.rarestSlot(node));
    this.lengthCodes = leaf.reader(node.field()).lengthCodes();
    this.norms = leaf.query.norms[node.field()];
    // The count of a phrase whose words may move is not bounded by that of a word.
    boolean bounded = node.slop() == 0;
    this.weight = bounded ? node.weight() : 0;
    this.blockWeight = weight * leaf.exactByOwnStatistics(node.field());
    this.constant = constant + node.weight() - weight;
  }

  PostingCursor cursor() {
    return cursor;
  }

  @Override
  int next() {
    return cursor.next();
  }

  @Override
  int advance(int target) {
    return cursor.advance(target);
  }

  @Override
  int blockEnd(int target) {
    return cursor.blockEnd(target);
  }

  @Override
  double bound(int start, int end) {
    float bound = cursor.bound(start, end);
    return bound == 0 ? 0 : constant + blockWeight * bound;
  }

  @Override
  double score() {
    return score(cursor.frequency());
  }

  /** What a document gets that has the term so often. */
  double score(int frequency) {
    double norm = norms[Byte.toUnsignedInt(lengthCodes[cursor.doc()])];
    return constant + weight * frequency / (frequency + norm);
  }
}
