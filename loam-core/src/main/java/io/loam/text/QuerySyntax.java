package io.loam.text;

/** How a query string is read. */
public enum QuerySyntax {
  /** Words, phrases and operators; never fails on any text. */
  SIMPLE,
  /** All text is words. */
  TERMS,
  /** All text is one phrase. */
  PHRASE
}
