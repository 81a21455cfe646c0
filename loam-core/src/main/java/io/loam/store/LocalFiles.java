package io.loam.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Work on files of this machine. */
public final class LocalFiles {

  private static final int DELETE_ATTEMPTS = 10;

  /**
   * Removes a file or a folder with all in it. Others may be doing the same, or still be writing
   * there.
   */
  public static void deleteTree(Path root) {
    for (int attempt = 1; Files.exists(root); attempt++) {
      try {
        deleteOnce(root);
      } catch (DirectoryNotEmptyException e) {
        if (attempt == DELETE_ATTEMPTS) {
          throw new UncheckedIOException(e);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void deleteOnce(Path root) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            return continueIfGone(e);
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
              throws IOException {
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /**
   * Removes files and folders that have not changed for long: what processes that died left.
   *
   * @param folder that they are in
   * @param prefix of their names
   * @return how many there were
   */
  public static int sweep(Path folder, String prefix, Duration age) throws IOException {
    long before = System.currentTimeMillis() - age.toMillis();
    int swept = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, prefix + "*")) {
      for (Path file : files) {
        // 0 where somebody else was faster
        long modified = file.toFile().lastModified();
        if (modified > 0 && modified < before) {
          deleteTree(file);
          swept++;
        }
      }
    }
    return swept;
  }

  /** Bytes of a file, or of all files in a folder; 0 where there is none. */
  public static long treeSize(Path root) throws IOException {
    long[] sum = {0};
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            sum[0] += attributes.size();
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            return continueIfGone(e);
          }
        });
    return sum[0];
  }

  /** CRC32C of a file's bytes. */
  public static int crc32c(Path file) throws IOException {
    CRC32C crc = new CRC32C();
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(file)) {
      for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
        crc.update(buffer, 0, n);
      }
    }
    return (int) crc.getValue();
  }

  private static FileVisitResult continueIfGone(IOException e) throws IOException {
    if (e instanceof NoSuchFileException) {
      return FileVisitResult.CONTINUE;
    }
    throw e;
  }

  private LocalFiles() {}
}
