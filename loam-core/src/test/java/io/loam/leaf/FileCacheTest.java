package io.loam.leaf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.FileRef;
import io.loam.store.LocalFiles;
import io.loam.store.ObjectStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileCacheTest {
  private static final String PREFIX = "collections/c1/";
  private static final int BYTES = 5_000;

  @TempDir Path folder;
  private Path root;

  @BeforeEach
  void makeRoot() throws IOException {
    root = Files.createDirectories(folder.resolve("root"));
    Files.createDirectories(root.resolve(PREFIX + "text"));
  }

  private FileRef object(String name) throws IOException {
    byte[] content = new byte[BYTES];
    new Random(name.hashCode()).nextBytes(content);
    String path = "text/" + name;
    Path file = Files.write(root.resolve(PREFIX + path), content);
    return new FileRef(path, BYTES, LocalFiles.crc32c(file));
  }

  private byte[] stored(FileRef file) throws IOException {
    return Files.readAllBytes(root.resolve(PREFIX + file.path()));
  }

  private FileCache cache(long maxBytes) {
    return new FileCache(folder.resolve("cache"), maxBytes);
  }

  private long copies() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("cache/files"))) {
      return files.count();
    }
  }

  @Test
  void healsItsOwnCopy() throws IOException {
    FileRef file = object("o1");
    FolderStore store = new FolderStore(root, false);
    for (int run = 0; run < 3; run++) {
      Path copy = cache(1 << 30).file(store, PREFIX, file);
      assertThat(Files.readAllBytes(copy)).isEqualTo(stored(file));
      byte[] damaged = stored(file);
      damaged[run] ^= 1;
      Files.write(copy, damaged);
      try (Stream<Path> left = Files.list(folder.resolve("cache/tmp"))) {
        assertThat(left).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void p10DamagedAndMissingObjectsAreNamed(boolean local) throws IOException {
    FileRef file = object("o1");
    FolderStore store = new FolderStore(root, local);
    Path object = root.resolve(PREFIX + file.path());
    byte[] whole = Files.readAllBytes(object);
    for (int at = 0; at < whole.length; at += 97) {
      byte[] bytes = whole.clone();
      bytes[at] ^= 4;
      Files.write(object, bytes);
      assertRefused(store, file, ErrorCode.CORRUPT_OBJECT);
    }
    Files.write(object, Arrays.copyOf(whole, whole.length - 1));
    assertRefused(store, file, ErrorCode.CORRUPT_OBJECT);
    Files.delete(object);
    assertRefused(store, file, ErrorCode.MISSING_OBJECT);
    Files.write(object, whole);
    FileCache cache = cache(1 << 30);
    assertThat(Files.readAllBytes(cache.file(store, PREFIX, file))).isEqualTo(whole);
    assertThat(cache.file(store, PREFIX, file)).isEqualTo(cache.file(store, PREFIX, file));
  }

  private void assertRefused(FolderStore store, FileRef file, ErrorCode code) {
    FileCache cache = cache(1 << 30);
    assertThatThrownBy(() -> cache.file(store, PREFIX, file))
        .isInstanceOfSatisfying(LoamException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining("object=" + PREFIX + "text/o1");
  }

  /** Readers link copies, since another cache may remove any of them at any time. */
  @Test
  void threadsAndOtherCachesOnOneFolderShareCopies() throws Exception {
    List<FileRef> objects = List.of(object("o1"), object("o2"), object("o3"));
    FolderStore store = new FolderStore(root, false);
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      // Room for one or two copies, of three that are wanted.
      List<FileCache> caches = List.of(cache(2 * BYTES), cache(2 * BYTES));
      List<Callable<Boolean>> uses = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        FileCache cache = caches.get(i % 2);
        FileRef object = objects.get(i % 3);
        Path target = folder.resolve("link" + i);
        uses.add(
            () -> {
              cache.place(store, PREFIX, object, target);
              return Arrays.equals(Files.readAllBytes(target), stored(object));
            });
      }
      for (Future<Boolean> use : pool.invokeAll(uses)) {
        assertThat(use.get()).isTrue();
      }
    } finally {
      pool.shutdown();
    }
  }

  @Test
  void leftoversOfDeadProcessesAreSwept() throws IOException {
    Path temporary = Files.createDirectories(folder.resolve("cache/tmp"));
    Path old = Files.createDirectory(temporary.resolve("old"));
    Files.writeString(old.resolve("part"), "x");
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
    Files.writeString(temporary.resolve("young"), "x");
    assertThat(cache(1)).isNotNull();
    assertThat(old).doesNotExist();
    assertThat(temporary.resolve("young")).exists();
  }

  @Test
  void leastRecentlyUsedCopiesMakeRoom() throws IOException {
    List<FileRef> objects = List.of(object("o1"), object("o2"), object("o3"));
    FolderStore store = new FolderStore(root, false);
    FileCache cache = cache(2 * BYTES);
    for (FileRef object : objects) {
      Path copy = cache.file(store, PREFIX, object);
      assertThat(Files.readAllBytes(copy)).isEqualTo(stored(object));
      assertThat(copies()).isLessThanOrEqualTo(2);
    }
    assertThat(copies()).isEqualTo(2);
  }

  /** A folder as a store on this machine, or as one elsewhere. Reads only. */
  private record FolderStore(Path root, boolean local) implements ObjectStore {
    @Override
    public byte[] getRange(String path, long offset, int length) {
      try {
        byte[] all = Files.readAllBytes(root.resolve(path));
        return Arrays.copyOfRange(all, (int) offset, (int) offset + length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public OptionalLong size(String path) {
      Path file = root.resolve(path);
      return Files.exists(file) ? OptionalLong.of(file.toFile().length()) : OptionalLong.empty();
    }

    @Override
    public Optional<Path> localPath(String path) {
      return local ? Optional.of(root.resolve(path)) : Optional.empty();
    }

    @Override
    public Optional<StoredObject> get(String path) {
      try {
        Path file = root.resolve(path);
        return Files.exists(file)
            ? Optional.of(new StoredObject(Files.readAllBytes(file), "tag"))
            : Optional.empty();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public Optional<String> putIfAbsent(String path, byte[] content) {
      throw new AssertionError("not used");
    }

    @Override
    public Optional<String> putFileIfAbsent(String path, Path file) {
      throw new AssertionError("not used");
    }

    @Override
    public Optional<String> putIfMatch(String path, byte[] content, String tag) {
      throw new AssertionError("not used");
    }

    @Override
    public List<ObjectInfo> list(String prefix) {
      throw new AssertionError("not used");
    }

    @Override
    public void delete(String path) {
      throw new AssertionError("not used");
    }

    @Override
    public void force(Collection<String> paths) {
      throw new AssertionError("not used");
    }

    @Override
    public String uri(String path) {
      throw new AssertionError("not used");
    }

    @Override
    public void close() {
      // Holds nothing.
    }
  }
}
