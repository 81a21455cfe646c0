package io.loam.schema;

/** The sizes that Loam refuses to go past, each checked where the value comes in. */
public final class Limits {
  /** Largest k, and offset + limit, of a search. */
  public static final int MAX_K = 100_000;

  /** Legs of a hybrid search; at least 2. */
  public static final int MAX_LEGS = 16;

  /** Clauses of a text query. */
  public static final int MAX_QUERY_CLAUSES = 1_024;

  /** Depth of nested parentheses of a text query. */
  public static final int MAX_QUERY_NESTING = 32;

  /** Components of a vector. */
  public static final int MAX_DIMENSION = 65_536;

  /** Entries of one sparse vector. */
  public static final int MAX_SPARSE_ENTRIES = 65_536;

  /** Bytes of a document's JSON body in UTF-8. */
  public static final int MAX_DOCUMENT_BYTES = 16 << 20;

  /** Rows that one DELETE or UPDATE changes. */
  public static final int MAX_STATEMENT_ROWS = 5_000_000;

  /** Fields of a collection. */
  public static final int MAX_FIELDS = 1_000;

  /** Minutes since a version was superseded that a table may retain it: 100 years. */
  public static final long MAX_RETENTION_MINUTES = 100L * 366 * 24 * 60;

  /** Newest versions that a table may retain whatever their age. */
  public static final int MAX_RETENTION_VERSIONS = 1_000_000;

  /** Tags of a collection. */
  public static final int MAX_TAGS = 1_000;

  /** Characters of a tag's name. */
  public static final int MAX_TAG_CHARS = 128;

  private Limits() {}
}
