package io.loam.text;

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
  int termCode(String term);

  int termCount();

  String term(int code);

  /** Documents with the term, deleted ones included. */
  int documentFrequency(int code);

  /** Tokens over all documents, deleted ones included. */
  long totalTokens();

  /** Tokens of the longest document. */
  int longestDocument();

  /** Tokens of a document; 0 where the field is missing. */
  int length(int doc);

  /**
   * The document's term codes in position order, into {@code buffer} if it is long enough, else
   * into a new array. Only the first {@link #length} entries mean anything.
   */
  int[] tokens(int doc, int[] buffer);

  /** The documents of a term, which has some. */
  PostingList postings(int code);
}
