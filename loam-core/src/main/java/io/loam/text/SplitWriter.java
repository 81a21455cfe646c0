package io.loam.text;

import java.nio.file.Path;
import java.util.SortedMap;
import java.util.function.LongUnaryOperator;

/** Writes Tantivy splits. */
@SuppressWarnings("DoNotCallSuggester")
public final class SplitWriter {

  /**
   * Writes {@code <ulid>.split}, a Quickwit bundle of one Tantivy segment.
   *
   * @param folder where the bundle goes; nothing else is left there
   * @param rowIds row id by doc id
   * @param fields tokens by field number, each of {@code documentCount} documents
   */
  public static SplitFile write(
      Path folder,
      String ulid,
      int documentCount,
      LongUnaryOperator rowIds,
      SortedMap<Integer, TokenReader> fields) {
    throw new UnsupportedOperationException();
  }

  private SplitWriter() {}
}
