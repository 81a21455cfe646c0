package io.loam.text;

import io.loam.doc.DocSet;

/** Documents that all get the same. */
final class SetLead extends Lead {
  private final DocSet docs;
  private final double constant;
  private int doc = -1;

  SetLead(DocSet docs, double constant) {
    this.docs = docs;
    this.constant = constant;
  }

  @Override
  int next() {
    return advance(doc + 1);
  }

  @Override
  int advance(int target) {
    if (doc < target) {
      int found = docs.next(target);
      doc = found < 0 ? PostingCursor.END : found;
    }
    return doc;
  }

  @Override
  int blockEnd(int target) {
    return docs.next(target) < 0 ? PostingCursor.END : docs.size() - 1;
  }

  @Override
  double bound(int start, int end) {
    return constant;
  }

  @Override
  double score() {
    return constant;
  }
}
