package io.loam.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.FileRef;
import io.loam.manifest.SplitRef;
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
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
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

class SplitCacheTest {
  private static final TextQuery WING = new TextQuery.Term(1, "wing", 1);
  private static final String PREFIX = "collections/c1/";
  private static final int DOCUMENTS = 50;

  @TempDir Path folder;
  private Path root;

  @BeforeEach
  void makeRoot() throws IOException {
    root = Files.createDirectories(folder.resolve("root"));
    Files.createDirectories(root.resolve(PREFIX + "text"));
  }

  private SplitRef split(String ulid) throws IOException {
    TokenBuilder tokens = new TokenBuilder();
    for (int doc = 0; doc < DOCUMENTS; doc++) {
      tokens.add(doc % 5 == 0 ? List.of("wing", ulid) : List.of("flow"));
    }
    SplitFile written =
        SplitWriter.write(
            root.resolve(PREFIX + "text"),
            ulid,
            DOCUMENTS,
            doc -> doc,
            new TreeMap<>(Map.of(1, tokens.build())));
    return TextFixtures.splitRef(
        ulid, DOCUMENTS, "text/" + ulid + ".split", written.path(), written);
  }

  @Test
  void writingLeavesTheBundleAlone() throws IOException {
    split("s1");
    try (Stream<Path> files = Files.list(root.resolve(PREFIX + "text"))) {
      assertThat(files.map(p -> p.getFileName().toString())).containsExactly("s1.split");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void opensAndHealsItsOwnCopy(boolean local) throws IOException {
    SplitRef split = split("s1");
    FolderStore store = new FolderStore(root, local);
    Path cache = folder.resolve("cache");
    for (int run = 0; run < 3; run++) {
      SplitCache splits = new SplitCache(cache, 1 << 30);
      try (SplitIndex index = splits.open(store, PREFIX, split)) {
        assertThat(index.search(WING, 100).size()).isEqualTo(DOCUMENTS / 5);
        assertThat(index.search(WING, 0).size()).isEqualTo(1);
        assertThat(index.search(WING, Integer.MAX_VALUE).size()).isEqualTo(DOCUMENTS / 5);
      }
      damageLargest(cache.resolve("splits/s1"));
      try (Stream<Path> left = Files.list(cache.resolve("tmp"))) {
        assertThat(left).isEmpty();
      }
    }
  }

  private static void damageLargest(Path unpacked) throws IOException {
    try (Stream<Path> files = Files.list(unpacked)) {
      Path largest =
          files.max((a, b) -> Long.compare(a.toFile().length(), b.toFile().length())).orElseThrow();
      byte[] bytes = Files.readAllBytes(largest);
      bytes[bytes.length / 2] ^= 1;
      Files.write(largest, bytes);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void p10DamagedAndMissingObjectsAreNamed(boolean local) throws IOException {
    SplitRef split = split("s1");
    FolderStore store = new FolderStore(root, local);
    Path bundle = root.resolve(PREFIX + "text/s1.split");
    FileRef side = split.bundle().orElseThrow();
    byte[] whole = Files.readAllBytes(bundle);
    for (int at = 0; at < whole.length; at += 97) {
      byte[] bytes = whole.clone();
      bytes[at] ^= 4;
      Files.write(bundle, bytes);
      assertRefused(store, split, side, ErrorCode.CORRUPT_OBJECT);
    }
    Files.write(bundle, Arrays.copyOf(whole, whole.length - 1));
    assertRefused(store, split, side, ErrorCode.CORRUPT_OBJECT);
    Files.delete(bundle);
    assertRefused(store, split, side, ErrorCode.MISSING_OBJECT);
    Files.write(bundle, whole);
    SplitCache cache = new SplitCache(folder.resolve("cache"), 1 << 30);
    assertThat(Files.readAllBytes(cache.file(store, PREFIX, side))).isEqualTo(whole);
    assertThat(cache.file(store, PREFIX, side)).isEqualTo(cache.file(store, PREFIX, side));
  }

  private void assertRefused(FolderStore store, SplitRef split, FileRef side, ErrorCode code) {
    SplitCache cache = new SplitCache(folder.resolve("cache"), 1 << 30);
    for (Callable<?> use :
        List.<Callable<?>>of(
            () -> cache.open(store, PREFIX, split), () -> cache.file(store, PREFIX, side))) {
      assertThatThrownBy(use::call)
          .isInstanceOfSatisfying(LoamException.class, e -> assertThat(e.code()).isEqualTo(code))
          .hasMessageContaining("object=" + PREFIX + "text/s1.split");
    }
  }

  @Test
  void threadsAndOtherCachesOnOneFolderShareSplits() throws Exception {
    List<SplitRef> splits = List.of(split("s1"), split("s2"), split("s3"));
    FolderStore store = new FolderStore(root, false);
    Path cacheFolder = folder.resolve("cache");
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      // So small that each cache throws out all that nobody has open.
      List<SplitCache> caches =
          List.of(new SplitCache(cacheFolder, 1), new SplitCache(cacheFolder, 1));
      List<Callable<Integer>> uses = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        SplitCache cache = caches.get(i % 2);
        SplitRef split = splits.get(i % 3);
        uses.add(
            () -> {
              try (SplitIndex index = cache.open(store, PREFIX, split)) {
                return index.search(new TextQuery.Term(1, split.ulid(), 1), 50).size();
              }
            });
      }
      for (Future<Integer> use : pool.invokeAll(uses)) {
        assertThat(use.get()).isEqualTo(DOCUMENTS / 5);
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
    assertThat(new SplitCache(folder.resolve("cache"), 1)).isNotNull();
    assertThat(old).doesNotExist();
    assertThat(temporary.resolve("young")).exists();
  }

  @Test
  void leastRecentlyUsedEntriesMakeRoom() throws IOException {
    List<SplitRef> splits = List.of(split("s1"), split("s2"), split("s3"));
    FolderStore store = new FolderStore(root, true);
    long size = splits.get(0).bundle().orElseThrow().size();
    SplitCache cache = new SplitCache(folder.resolve("cache"), size);
    try (SplitIndex held = cache.open(store, PREFIX, splits.get(0))) {
      cache.open(store, PREFIX, splits.get(1)).close();
      cache.open(store, PREFIX, splits.get(2)).close();
      assertThat(folder.resolve("cache/splits/s1")).exists();
      assertThat(folder.resolve("cache/splits/s2")).doesNotExist();
      assertThat(folder.resolve("cache/splits/s3")).exists();
      assertThat(held.search(WING, 100).size()).isEqualTo(DOCUMENTS / 5);
    }
  }

  @Test
  void anOtherProcessDoesNotRemoveASplitInUse() throws Exception {
    List<SplitRef> splits = List.of(split("s1"), split("s2"));
    FolderStore store = new FolderStore(root, true);
    Path cacheFolder = folder.resolve("cache");
    SplitCache cache = new SplitCache(cacheFolder, 1);
    Path held = cacheFolder.resolve("splits/s1");
    cache.open(store, PREFIX, splits.get(0)).close();
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                HoldFolder.class.getName(),
                held.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(other.getInputStream().read()).isEqualTo('h');
      cache.open(store, PREFIX, splits.get(1)).close();
      assertThat(held).exists();
    } finally {
      other.getOutputStream().close();
      assertThat(other.waitFor()).isZero();
    }
    assertThat(cacheFolder.resolve("splits/s2")).exists();
    cache.open(store, PREFIX, split("s3")).close();
    assertThat(held).doesNotExist();
  }

  /** A process that uses a folder until its input ends. */
  static final class HoldFolder {
    public static void main(String[] args) throws IOException {
      if (FolderUse.acquire(Path.of(args[0]))) {
        System.out.print("h");
        System.out.flush();
      }
      while (System.in.read() >= 0) {
        // Waits for the end.
      }
    }

    private HoldFolder() {}
  }

  @Test
  void p12CyclesLeaveNoHandlesOrFilesBehind() throws IOException {
    SplitRef split = split("s1");
    FolderStore store = new FolderStore(root, true);
    SplitCache cache = new SplitCache(folder.resolve("cache"), 1 << 30);
    long before = 0;
    for (int i = 0; i < 500; i++) {
      if (i == 20) {
        before = handles();
      }
      SplitIndex index = cache.open(store, PREFIX, split);
      assertThat(index.search(WING, 10).size()).isEqualTo(10);
      index.close();
      assertThatThrownBy(() -> index.search(WING, 10))
          .isInstanceOfSatisfying(
              LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    }
    assertThat(handles()).isLessThanOrEqualTo(before + 20);
    try (Stream<Path> libraries = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      assertThat(libraries.filter(p -> p.getFileName().toString().startsWith("tantivy4java")))
          .isEmpty();
    }
  }

  private static long handles() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    }
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
