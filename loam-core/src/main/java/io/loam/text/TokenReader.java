package io.loam.text;

import java.nio.charset.StandardCharsets;
import org.apache.lucene.util.BytesRef;

/**
 * The terms and token sequences of one text field of one leaf. Statistics count deleted documents.
 * Safe for use by several threads.
 */
public interface TokenReader {
  int documentCount();

  /**
   * The term's code, or -1 if no document has it. Codes are dense and in the order of the terms'
   * UTF-8 bytes.
   */
  default int termCode(String term) {
    BytesRef wanted = new BytesRef(term);
    int code = ceilingCode(wanted);
    return code < termCount() && compareTerm(code, wanted) == 0 ? code : -1;
  }

  /** The code of the first term that is not before {@code wanted}; the term count if none is. */
  default int ceilingCode(BytesRef wanted) {
    int low = 0;
    int high = termCount();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compareTerm(middle, wanted) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Compares a term's UTF-8 bytes, unsigned, with others. */
  int compareTerm(int code, BytesRef other);

  int termCount();

  /** A term in UTF-8. */
  byte[] termBytes(int code);

  default String term(int code) {
    return new String(termBytes(code), StandardCharsets.UTF_8);
  }

  /** Documents with the term, deleted ones included. */
  int documentFrequency(int code);

  /** Tokens over all documents, deleted ones included. */
  long totalTokens();

  /** Tokens of the longest document. */
  int longestDocument();

  /** Tokens of a document; 0 where the field is missing. */
  int length(int doc);

  /** By document, its length as {@link Bm25} quantises it; made on first use, not to be changed. */
  byte[] lengthCodes();

  /**
   * The document's term codes in position order, into {@code buffer} if it is long enough, else
   * into a new array. Only the first {@link #length} entries mean anything.
   */
  int[] tokens(int doc, int[] buffer);

  /** The documents of a term, which has some. */
  PostingList postings(int code);
}
