package io.loam.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A folder store that knows what a power cut would leave for sure: of each file the bytes that it
 * had when it was last synced, of each folder the names that it had then. All else is lost in the
 * {@link #image}.
 */
public final class PowerCut extends ForwardingStore {
  /** What a synced file held, by what stands for the file whatever its name. */
  private final Map<Object, byte[]> contents = new HashMap<>();

  /** The files and folders that a synced folder named. */
  private final Map<Path, Map<String, Object>> names = new HashMap<>();

  private final Path root;
  private Consumer<byte[]> beforeHeadSwap = content -> {};

  private PowerCut(Path root, Synced synced) {
    super(new LocalObjectStore(root, synced));
    this.root = root;
    synced.owner = this;
  }

  public static PowerCut over(Path root) {
    return new PowerCut(root, new Synced());
  }

  /** Called before each head is replaced, with its new content. */
  public void beforeHeadSwap(Consumer<byte[]> observer) {
    beforeHeadSwap = observer;
  }

  private static final class Synced implements DiskSync {
    private @Nullable PowerCut owner;

    @Override
    public void sync(Path path) throws IOException {
      PowerCut to = owner;
      if (to == null) { // while the store is being opened
        FSYNC.sync(path);
      } else {
        to.sync(path);
      }
    }
  }

  private void sync(Path path) throws IOException {
    // What is there before the sync begins is what it brings to the disk.
    Object key = key(path);
    if (Files.isDirectory(path)) {
      Map<String, Object> found = new HashMap<>();
      try (Stream<Path> children = Files.list(path)) {
        for (Path child : (Iterable<Path>) children::iterator) {
          keyIfThere(child).ifPresent(k -> found.put(child.getFileName().toString(), k));
        }
      }
      DiskSync.FSYNC.sync(path);
      synchronized (this) {
        names.put(path, found);
      }
    } else {
      byte[] content = Files.readAllBytes(path);
      DiskSync.FSYNC.sync(path);
      synchronized (this) {
        contents.put(key, content);
      }
    }
  }

  private static Object key(Path path) throws IOException {
    Object key =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey();
    if (key == null) {
      throw new IOException("file system gives files no keys");
    }
    return key;
  }

  private static Optional<Object> keyIfThere(Path path) {
    try {
      return Optional.of(key(path));
    } catch (IOException e) {
      return Optional.empty(); // removed meanwhile
    }
  }

  @Override
  public Optional<String> putIfMatch(String path, byte[] content, String tag) {
    if (path.endsWith("/head")) {
      beforeHeadSwap.accept(content);
    }
    return super.putIfMatch(path, content, tag);
  }

  /** Makes a folder of what is on the disk for sure. */
  public synchronized void image(Path target) {
    try {
      image(root, target);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void image(Path folder, Path target) throws IOException {
    Files.createDirectories(target);
    Map<String, Object> children = names.getOrDefault(folder, Map.of());
    for (Map.Entry<String, Object> child : children.entrySet()) {
      Path path = folder.resolve(child.getKey());
      byte[] content = contents.get(child.getValue());
      if (Files.isDirectory(path)) {
        image(path, target.resolve(child.getKey()));
      } else if (content != null) {
        Files.write(target.resolve(child.getKey()), content);
      }
    }
  }
}
