package io.loam.store;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A folder that tells a test of every step by which something becomes, or stops being, part of it:
 * before and after each operation of the store that writes, and each sync of a file or folder. A
 * step is named by what it does to which kind of object.
 */
public final class TracedStore extends ForwardingStore {
  private static final String ID = "[0-9a-z]{26}";

  private final Consumer<String> tracer;

  private TracedStore(Path root, Consumer<String> tracer) {
    super(new LocalObjectStore(root, path -> sync(root, path, tracer)));
    this.tracer = tracer;
  }

  /**
   * @param tracer called by any thread
   */
  public static TracedStore open(Path root, Consumer<String> tracer) {
    return new TracedStore(root.toAbsolutePath(), tracer);
  }

  private static void sync(Path root, Path path, Consumer<String> tracer)
      throws java.io.IOException {
    String step = "sync " + kind(path.startsWith(root) ? root.relativize(path).toString() : "..");
    tracer.accept("before " + step);
    DiskSync.FSYNC.sync(path);
    tracer.accept("after " + step);
  }

  /** A path without what is different in each run. */
  static String kind(String path) {
    return path.replaceAll(ID, "*")
        .replaceAll("lance/data/.*\\.lance", "lance/data/*.lance")
        .replaceAll("[0-9a-f-]{36}\\.txn", "*.txn")
        .replaceAll("\\d{3,}", "0")
        .replaceAll("_deletions/\\d+-", "_deletions/0-");
  }

  private <T> T traced(String step, Supplier<T> work) {
    tracer.accept("before " + step);
    T result = work.get();
    tracer.accept("after " + step);
    return result;
  }

  @Override
  public Optional<String> putIfAbsent(String path, byte[] content) {
    return traced("create " + kind(path), () -> super.putIfAbsent(path, content));
  }

  @Override
  public Optional<String> stage(String path, byte[] content) {
    return traced("stage " + kind(path), () -> super.stage(path, content));
  }

  @Override
  public Optional<String> putFileIfAbsent(String path, Path file) {
    return traced("create " + kind(path), () -> super.putFileIfAbsent(path, file));
  }

  @Override
  public Optional<String> putIfMatch(String path, byte[] content, String tag) {
    return traced("swap " + kind(path), () -> super.putIfMatch(path, content, tag));
  }

  @Override
  public void delete(String path) {
    traced(
        "delete " + kind(path),
        () -> {
          super.delete(path);
          return path;
        });
  }

  @Override
  public void force(Collection<String> paths) {
    String kinds =
        paths.stream().map(TracedStore::kind).distinct().sorted().collect(Collectors.joining(" "));
    traced(
        "force " + kinds,
        () -> {
          super.force(paths);
          return kinds;
        });
  }
}
