package io.loam.text;

import io.indextables.tantivy4java.core.Tantivy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Loads Tantivy once. tantivy4java copies its library of 52 MB to {@code java.io.tmpdir} for every
 * JVM and leaves it there; Linux lets us remove the file as soon as it is mapped.
 */
final class NativeLibrary {
  private static final Path MAPS = Path.of("/proc/self/maps");
  private static final String NAME = "/tantivy4java";

  static {
    Tantivy.initialize();
    removeCopy();
  }

  /** Returns once the library is there. */
  static void load() {
    // The class initializer does the work.
  }

  private static void removeCopy() {
    if (!Files.isReadable(MAPS)) {
      return;
    }
    try {
      List<Path> copies =
          Files.readAllLines(MAPS).stream()
              .filter(line -> line.contains(NAME) && line.endsWith(".so"))
              .map(line -> Path.of(line.substring(line.indexOf('/'))))
              .distinct()
              .toList();
      for (Path copy : copies) {
        Files.deleteIfExists(copy);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove the copy of Tantivy's library", e);
    }
  }

  private NativeLibrary() {}
}
