package io.loam.jdbc;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Loads the driver's classes and resources from a folder inside the driver jar. Its parent is the
 * JDK alone, so that nothing on an application's class path can take their place, and nothing here
 * is seen by the application.
 */
final class InnerClassLoader extends ClassLoader {
  private static final String FOLDER = "loam-inner/";

  static {
    registerAsParallelCapable();
  }

  private final ClassLoader outer;
  private final ProtectionDomain domain;

  /** The driver jar, or null where it is not a plain file; then the outer loader reads it. */
  private final @Nullable ZipFile jar;

  InnerClassLoader(ClassLoader outer) {
    super("loam", ClassLoader.getPlatformClassLoader());
    this.outer = outer;
    this.domain = InnerClassLoader.class.getProtectionDomain();
    this.jar = open(domain.getCodeSource());
  }

  /** Whether the class loader has the folder. */
  static boolean isPackedIn(ClassLoader loader) {
    return loader.getResource(FOLDER + "io/loam/jdbc/EmbeddedDriver.class") != null;
  }

  private static @Nullable ZipFile open(@Nullable CodeSource source) {
    if (source == null || source.getLocation() == null) {
      return null;
    }
    try {
      File file = new File(source.getLocation().toURI());
      return file.isFile() ? new ZipFile(file) : null;
    } catch (URISyntaxException | IllegalArgumentException | IOException e) {
      return null; // A jar within a jar, or a loader of another kind.
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes;
    try {
      bytes = read(FOLDER + name.replace('.', '/') + ".class");
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, bytes, 0, bytes.length, domain);
  }

  /** Loads the class from its file, unless it is loaded already. */
  void define(String name, byte[] file) {
    synchronized (getClassLoadingLock(name)) {
      if (findLoadedClass(name) == null) {
        defineClass(name, file, 0, file.length, domain);
      }
    }
  }

  /**
   * An entry of the driver jar, not of another one that an application's class path may have.
   *
   * @return null where there is none
   */
  @Nullable InputStream open(String path) throws IOException {
    if (jar == null) {
      return outer.getResourceAsStream(path);
    }
    ZipEntry entry = jar.getEntry(path);
    return entry == null ? null : jar.getInputStream(entry);
  }

  private byte @Nullable [] read(String path) throws IOException {
    if (jar == null) {
      try (InputStream in = outer.getResourceAsStream(path)) {
        return in == null ? null : in.readAllBytes();
      }
    }
    ZipEntry entry = jar.getEntry(path);
    if (entry == null) {
      return null;
    }
    try (InputStream in = jar.getInputStream(entry)) {
      return in.readNBytes((int) entry.getSize());
    }
  }

  @Override
  protected @Nullable URL findResource(String name) {
    return outer.getResource(FOLDER + name);
  }

  @Override
  protected Enumeration<URL> findResources(String name) throws IOException {
    return outer.getResources(FOLDER + name);
  }
}
