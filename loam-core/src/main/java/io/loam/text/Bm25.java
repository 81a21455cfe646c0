package io.loam.text;

import io.loam.schema.TextScoring;
import org.apache.lucene.util.SmallFloat;

/**
 * The BM25 formula of Robertson and others as Lucene and Tantivy have it, in f64:
 *
 * <pre>
 * idf(t) = ln(1 + (N − n + 0.5) / (n + 0.5))
 * score  = Σ boost · idf · (k1 + 1) · tf / (tf + k1 · (1 − b + b · dl / avgdl))
 * </pre>
 *
 * <p>N = live documents, n = live documents with the term, avgdl = live tokens / N, dl = document
 * length quantised by Lucene's {@link SmallFloat}. Each product and sum is taken from left to
 * right.
 */
record Bm25(double k1, double b) {
  /** What bounds in token files are made with, whatever a field is scored with. */
  static final Bm25 DEFAULT = of(TextScoring.DEFAULT);

  static Bm25 of(TextScoring scoring) {
    return new Bm25(scoring.k1(), scoring.b());
  }

  /** Quantised lengths of documents that are not very long. */
  private static final int[] QUANTISED = new int[1024];

  static {
    for (int length = 0; length < QUANTISED.length; length++) {
      QUANTISED[length] = SmallFloat.byte4ToInt(SmallFloat.intToByte4(length));
    }
  }

  static double idf(long documents, long documentsWithTerm) {
    return StrictMath.log(1 + (documents - documentsWithTerm + 0.5) / (documentsWithTerm + 0.5));
  }

  /** The factor of a term that does not depend on the document. */
  double weight(double boost, double idf) {
    return boost * idf * (k1 + 1);
  }

  /** The part of the denominator that depends on the document's length. */
  double norm(int length, double averageLength) {
    return k1 * (1 - b + b * quantised(length) / averageLength);
  }

  /** {@link #norm} by {@link #lengthCodes}. */
  double[] norms(double averageLength) {
    double[] norms = new double[1 << Byte.SIZE];
    for (int code = 0; code < norms.length; code++) {
      norms[code] = norm(SmallFloat.byte4ToInt((byte) code), averageLength);
    }
    return norms;
  }

  /** By document, its quantised length as a byte, as Lucene writes it. */
  static byte[] lengthCodes(TokenReader tokens) {
    byte[] codes = new byte[tokens.documentCount()];
    for (int doc = 0; doc < codes.length; doc++) {
      codes[doc] = SmallFloat.intToByte4(tokens.length(doc));
    }
    return codes;
  }

  static int quantised(int length) {
    return length < QUANTISED.length
        ? QUANTISED[length]
        : SmallFloat.byte4ToInt(SmallFloat.intToByte4(length));
  }
}
