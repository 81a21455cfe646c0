package io.loam.text;

/** An unpacked split, open for native search. Safe for use by several threads. */
@SuppressWarnings("DoNotCallSuggester")
public final class SplitIndex implements AutoCloseable {
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
