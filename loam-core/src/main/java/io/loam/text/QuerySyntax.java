package io.loam.text;

/** How a query string is read. */
public enum QuerySyntax {
  /** Words, phrases and operators; never fails on any text. */
  SIMPLE,
  /** Lucene's classic syntax; fails on text that is not of it. */
  LUCENE,
  /** All text is words. */
  TERMS,
  /** All text is one phrase. */
  PHRASE
}
