package io.loam.column;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/** The typed columns of one split. */
@SuppressWarnings("DoNotCallSuggester")
public final class ColumnFile implements ColumnSource {
  private ColumnFile() {}

  /** Writes a file that must not exist yet; it is not forced to disk. */
  public static void write(Path file, int documentCount, SortedMap<Integer, Column> columns) {
    throw new UnsupportedOperationException();
  }

  /** Reads the footer. Holds nothing open. {@code nameForErrors} is the object's name in errors. */
  public static ColumnFile open(Path file, String nameForErrors) {
    throw new UnsupportedOperationException();
  }

  public int documentCount() {
    throw new UnsupportedOperationException();
  }

  /** The fields that have a column here. */
  public Set<Integer> fieldNumbers() {
    throw new UnsupportedOperationException();
  }

  /** Reads, checks and decodes one column; empty for a field that the file does not have. */
  public Optional<Column> read(int fieldNumber) {
    throw new UnsupportedOperationException();
  }

  /** Same as {@link #read}: decodes at every call. */
  @Override
  public Optional<Column> column(int fieldNumber) {
    return read(fieldNumber);
  }
}
