package io.loam.jdbc;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** A step of the build: writes what {@link StartupClasses} reads. Not part of the driver jar. */
final class StartupPacker {
  private StartupPacker() {}

  /**
   * Writes the file.
   *
   * @param args the jar with the classes, the file with the names of those to take in their order,
   *     and the file to write
   */
  public static void main(String[] args) throws IOException {
    try (ZipFile jar = new ZipFile(args[0]);
        DataOutputStream out =
            new DataOutputStream(
                new BufferedOutputStream(Files.newOutputStream(Path.of(args[2]))))) {
      for (String name : Files.readAllLines(Path.of(args[1]))) {
        byte[] file = file(jar, name);
        out.writeUTF(name);
        out.writeInt(file.length);
        out.write(file);
      }
    }
  }

  private static byte[] file(ZipFile jar, String name) throws IOException {
    ZipEntry entry = jar.getEntry(name.replace('.', '/') + ".class");
    if (entry == null) {
      throw new IllegalArgumentException("no such class in the jar: name=" + name);
    }
    try (InputStream in = jar.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }
}
