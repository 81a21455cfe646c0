package io.loam.lance;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;

/**
 * Loads a native library from a jar by way of a cache folder: unpacking Lance's takes a second,
 * which only the first process pays. Without a folder to write to it falls back to a temporary
 * file.
 */
public final class NativeLibrary {
  private static final String TEMPORARY_SUFFIX = ".tmp";
  private static final long ABANDONED_MILLIS = TimeUnit.HOURS.toMillis(1);

  private NativeLibrary() {}

  /**
   * Loads {@code folder/<platform>/<library>} of {@code anchor}'s jar for this class's loader.
   * Fails with {@code UNSUPPORTED} where the jar has no library for the platform.
   */
  public static void load(Class<?> anchor, String folder, String name) {
    String file = System.mapLibraryName(name);
    URL resource = anchor.getResource(folder + "/" + platform() + "/" + file);
    if (resource == null) {
      throw new LoamException(
          ErrorCode.UNSUPPORTED,
          "no native library for this platform: library="
              + name
              + ", platform="
              + platform()
              + "; use Linux on x86-64 or arm64, or macOS on arm64");
    }
    List<Throwable> failures = new ArrayList<>();
    for (Path cache : cacheFolders()) {
      try {
        System.load(cached(resource, cache.resolve("native"), file).toString());
        return;
      } catch (IOException | UnsatisfiedLinkError e) { // read-only, full, or mounted noexec
        failures.add(e);
      }
    }
    try {
      loadTemporary(resource, file);
    } catch (IOException e) {
      LoamException failure =
          new LoamException(
              ErrorCode.STORE_UNAVAILABLE,
              "native library cannot be unpacked: library="
                  + name
                  + ", folder="
                  + System.getProperty("java.io.tmpdir")
                  + "; set the system property loam.cache to a folder with 200 MB to spare",
              e);
      failures.forEach(failure::addSuppressed);
      throw failure;
    }
  }

  private static List<Path> cacheFolders() {
    List<Path> folders = new ArrayList<>();
    String configured = System.getProperty("loam.cache");
    if (configured != null && !configured.isEmpty()) {
      folders.add(Path.of(configured));
    }
    folders.add(Path.of(System.getProperty("user.home"), ".cache", "loam"));
    return folders;
  }

  /** The unpacked library in a folder, unpacked now if it is not there. */
  static Path cached(URL resource, Path folder, String file) throws IOException {
    if (!(resource.openConnection() instanceof JarURLConnection connection)) {
      throw new IOException("not in a jar: " + resource);
    }
    connection.setUseCaches(false); // do not keep the jar open
    try (InputStream in = connection.getInputStream()) {
      JarEntry entry = connection.getJarEntry();
      // Length and checksum tell versions apart.
      Path library =
          folder
              .resolve(String.format("%08x-%d-%s", entry.getCrc(), entry.getSize(), file))
              .toAbsolutePath();
      if (!isIntact(library, entry)) {
        unpack(in, entry, library);
      }
      return library;
    }
  }

  /**
   * Whether the file has the entry's content. A file whose checksum was found right gets a time of
   * last write made from it, so that later processes need not read 180 MB.
   */
  private static boolean isIntact(Path library, JarEntry entry) throws IOException {
    if (!Files.exists(library) || Files.size(library) != entry.getSize()) {
      return false;
    }
    FileTime stamp = stamp(entry);
    if (Files.getLastModifiedTime(library).equals(stamp)) {
      return true;
    }
    try (CheckedInputStream in =
        new CheckedInputStream(Files.newInputStream(library), new CRC32())) {
      in.transferTo(OutputStream.nullOutputStream());
      if (in.getChecksum().getValue() != entry.getCrc()) {
        return false;
      }
    }
    Files.setLastModifiedTime(library, stamp);
    return true;
  }

  private static void unpack(InputStream in, JarEntry entry, Path library) throws IOException {
    Path folder = library.getParent();
    Files.createDirectories(folder);
    deleteAbandoned(folder);
    Path temporary = Files.createTempFile(folder, library.getFileName() + "-", TEMPORARY_SUFFIX);
    try {
      CheckedInputStream checked = new CheckedInputStream(in, new CRC32());
      long size = Files.copy(checked, temporary, StandardCopyOption.REPLACE_EXISTING);
      if (size != entry.getSize() || checked.getChecksum().getValue() != entry.getCrc()) {
        throw new IOException("damaged in its jar: " + entry.getName());
      }
      Files.setLastModifiedTime(temporary, stamp(entry));
      Files.move(temporary, library, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /** Removes what processes left that ended while they unpacked. */
  private static void deleteAbandoned(Path folder) throws IOException {
    long limit = System.currentTimeMillis() - ABANDONED_MILLIS;
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (file.toString().endsWith(TEMPORARY_SUFFIX)
            && Files.getLastModifiedTime(file).toMillis() < limit) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private static void loadTemporary(URL resource, String file) throws IOException {
    Path temporary = Files.createTempFile("loam-", "-" + file);
    try {
      try (InputStream in = resource.openStream()) {
        Files.copy(in, temporary, StandardCopyOption.REPLACE_EXISTING);
      }
      System.load(temporary.toAbsolutePath().toString());
    } finally {
      Files.deleteIfExists(temporary); // the mapping outlives the name
    }
  }

  private static FileTime stamp(JarEntry entry) {
    return FileTime.from(entry.getCrc(), TimeUnit.SECONDS);
  }

  private static String platform() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String system = os.startsWith("mac") ? "darwin" : os.startsWith("linux") ? "linux" : os;
    String processor = System.getProperty("os.arch");
    return system + "-" + (processor.equals("amd64") ? "x86-64" : processor.replace('_', '-'));
  }
}
