package io.loam.lance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Random;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {
  @TempDir Path folder;
  private Path cache;
  private URL resource;
  private final byte[] content = new byte[100_000];

  @BeforeEach
  void writeJar() throws IOException {
    new Random(1).nextBytes(content);
    cache = folder.resolve("cache/native");
    Path jar = folder.resolve("a b.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      out.putNextEntry(new JarEntry("nativelib/lib.so"));
      out.write(content);
    }
    resource = URI.create("jar:" + jar.toUri() + "!/nativelib/lib.so").toURL();
  }

  private List<Path> cached() throws IOException {
    try (Stream<Path> files = Files.list(cache)) {
      return files.toList();
    }
  }

  @Test
  void isUnpackedOnce() throws IOException {
    Path library = NativeLibrary.cached(resource, cache, "lib.so");
    assertThat(library).hasBinaryContent(content);
    Object file = Files.getAttribute(library, "unix:ino");
    assertThat(NativeLibrary.cached(resource, cache, "lib.so")).isEqualTo(library);
    assertThat(Files.getAttribute(library, "unix:ino")).isEqualTo(file);
    assertThat(cached()).containsExactly(library);
  }

  @Test
  void damagedFileIsReplaced() throws IOException {
    Path library = NativeLibrary.cached(resource, cache, "lib.so");
    byte[] damaged = content.clone();
    damaged[777] ^= 1;
    Files.write(library, damaged);
    assertThat(NativeLibrary.cached(resource, cache, "lib.so")).hasBinaryContent(content);
    Files.write(library, new byte[5]);
    assertThat(NativeLibrary.cached(resource, cache, "lib.so")).hasBinaryContent(content);
  }

  @Test
  void abandonedFilesAreSwept() throws IOException {
    Files.createDirectories(cache);
    Path old = Files.createFile(cache.resolve("lib.so-1.tmp"));
    Files.setLastModifiedTime(old, FileTime.fromMillis(0));
    Path busy = Files.createFile(cache.resolve("lib.so-2.tmp"));
    Path library = NativeLibrary.cached(resource, cache, "lib.so");
    assertThat(cached()).containsExactlyInAnyOrder(busy, library);
  }

  @Test
  void folderThatCannotBeWrittenIsAnError() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> NativeLibrary.cached(resource, file.resolve("native"), "lib.so"))
        .isInstanceOf(IOException.class);
  }
}
