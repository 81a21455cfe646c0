package io.loam.text;

import com.github.benmanes.caffeine.cache.Cache;
import io.loam.manifest.FileRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * An unpacked split in the cache. Its file {@code loam.seal} has a line {@code name length crc32c}
 * for each other file, so that a later process notices damage and unpacks again.
 */
final class UnpackedSplit {
  private static final String SEAL = "loam.seal";

  static void seal(Path folder) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : (Iterable<Path>) files.sorted()::iterator) {
        lines.add(file.getFileName() + " " + Files.size(file) + " " + LocalFiles.crc32c(file));
      }
    }
    Files.write(folder.resolve(SEAL), lines);
  }

  /** True where all files are there as sealed; reads them the first time in a process. */
  static boolean isIntact(Path folder, Cache<Path, FileRef> checked) throws IOException {
    boolean known = checked.getIfPresent(folder) != null;
    try {
      for (String line : Files.readAllLines(folder.resolve(SEAL))) {
        String[] parts = line.split(" ", -1);
        if (parts.length != 3) {
          return false;
        }
        Path file = folder.resolve(parts[0]);
        if (!parts[1].equals(Long.toString(Files.size(file)))) {
          return false;
        }
        if (!known && !parts[2].equals(Integer.toString(LocalFiles.crc32c(file)))) {
          return false;
        }
      }
    } catch (NoSuchFileException e) {
      return false;
    }
    checked.put(folder, new FileRef(SEAL, 0, 0));
    return true;
  }
}
