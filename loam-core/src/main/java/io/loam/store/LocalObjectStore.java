package io.loam.store;

import io.loam.error.ErrorCode;
import io.loam.error.Futures;
import io.loam.error.LoamException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Objects as files under a folder of a local file system with hard links and file locks. Safe for
 * use by several threads, and by several processes on one folder.
 *
 * <p>A new object is written to a temporary file, synced, and hard-linked to its name. Replacing an
 * object happens under a file lock that everyone takes: the tag is compared, the new content
 * written to a temporary file, synced, and renamed. Then the object's folder is synced; if that
 * fails, the outcome is unknown. Temporary files and locks lie in {@code .loam} under the root,
 * which {@link #list} leaves out, as it does every name that starts with a dot.
 *
 * <p>The tag is the SHA-256 of the content. An object that changed and changed back has its old tag
 * again; Loam's mutable objects carry a fresh ULID in each content, so theirs never do.
 */
public final class LocalObjectStore implements ObjectStore {
  private static final String PRIVATE_FOLDER = ".loam";
  private static final Duration TEMPORARY_LIFETIME = Duration.ofDays(1);

  private final Path root;
  private final Path temporary;
  private final Path locks;
  private final FileMutex mutex;
  private @Nullable FileTurns turns;
  private boolean prepared;
  private final DiskSync disk;

  /** File systems make syncs that run side by side one. */
  private final ExecutorService syncers =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "loam-sync");
            thread.setDaemon(true);
            return thread;
          });

  /** Folders whose own names are known to be on stable storage, up to the root. */
  private final Set<Path> durableFolders = ConcurrentHashMap.newKeySet();

  /** Opens a folder. Nothing is made in it, nor is a missing one, before the first write. */
  public LocalObjectStore(Path root) {
    this(root, DiskSync.FSYNC);
  }

  LocalObjectStore(Path root, DiskSync disk) {
    this.disk = disk;
    try {
      this.root = realPath(root.toAbsolutePath().normalize());
    } catch (IOException e) {
      throw cannotOpen(root, e);
    }
    this.temporary = this.root.resolve(PRIVATE_FOLDER).resolve("tmp");
    this.locks = this.root.resolve(PRIVATE_FOLDER).resolve("locks");
    this.mutex = new FileMutex(locks);
  }

  /** The real path that a folder has, or will have once it is made. */
  private static Path realPath(Path folder) throws IOException {
    Path existing = folder;
    while (!Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (!Files.isDirectory(existing)) {
      throw new NotDirectoryException(existing.toString());
    }
    return existing.toRealPath().resolve(existing.relativize(folder)).normalize();
  }

  /** Makes what writers need, before the first write. */
  private synchronized void prepare() {
    if (prepared) {
      return;
    }
    try {
      createRoot();
      if (!root.toRealPath().equals(root)) {
        throw new IOException("the folder was replaced by a link");
      }
      Files.createDirectories(temporary);
      Files.createDirectories(locks);
      LocalFiles.sweep(temporary, "", TEMPORARY_LIFETIME);
    } catch (IOException e) {
      throw cannotOpen(root, e);
    }
    durableFolders.add(root);
    prepared = true;
  }

  /** Makes the root, bringing the name of each new folder to stable storage. */
  private void createRoot() throws IOException {
    Path existing = root;
    while (existing != null && !Files.isDirectory(existing)) {
      existing = existing.getParent();
    }
    Files.createDirectories(root);
    for (Path made = root; !made.equals(existing); made = made.getParent()) {
      disk.sync(made.getParent());
    }
  }

  @Override
  public Optional<StoredObject> get(String path) {
    Path file = file(path);
    try {
      return DiskSync.uninterrupted(
          () -> {
            byte[] content = Files.readAllBytes(file);
            return Optional.of(new StoredObject(content, tag(content)));
          });
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      if (Files.isDirectory(file)) {
        return Optional.empty();
      }
      throw unavailable("cannot read object", path, e);
    }
  }

  @Override
  public byte[] getRange(String path, long offset, int length) {
    Path file = file(path);
    try {
      return DiskSync.uninterrupted(() -> readRange(file, path, offset, length));
    } catch (NoSuchFileException e) {
      throw missing(path, e);
    } catch (IOException e) {
      if (Files.isDirectory(file)) {
        throw missing(path, e);
      }
      throw unavailable("cannot read object", path, e);
    }
  }

  private static byte[] readRange(Path file, String path, long offset, int length)
      throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer buffer = ByteBuffer.allocate(length);
      while (buffer.hasRemaining()) {
        if (channel.read(buffer, offset + buffer.position()) < 0) {
          throw new LoamException(
              ErrorCode.CORRUPT_OBJECT,
              "object too short: path=%s, size=%d, wanted=%d+%d; restore it from a copy"
                  .formatted(path, channel.size(), offset, length));
        }
      }
      return buffer.array();
    }
  }

  @Override
  public OptionalLong size(String path) {
    Path file = file(path);
    try {
      return Files.isRegularFile(file) ? OptionalLong.of(Files.size(file)) : OptionalLong.empty();
    } catch (NoSuchFileException e) {
      return OptionalLong.empty();
    } catch (IOException e) {
      throw unavailable("cannot read object", path, e);
    }
  }

  @Override
  public Optional<String> putIfAbsent(String path, byte[] content) {
    return create(path, target -> write(target, content));
  }

  @Override
  public Optional<String> stage(String path, byte[] content) {
    Path file = file(path);
    prepare();
    Path temp = temporaryFile();
    try {
      Files.createDirectories(file.getParent());
      String tag = DiskSync.uninterrupted(() -> write(temp, content));
      return link(temp, file) ? Optional.of(tag) : Optional.empty();
    } catch (IOException e) {
      throw unavailable("cannot write object", path, e);
    } finally {
      discard(temp);
    }
  }

  @Override
  public Optional<String> putFileIfAbsent(String path, Path file) {
    return create(path, target -> copy(file, target));
  }

  /** Writes a temporary file and gives its tag. */
  @FunctionalInterface
  private interface TemporaryWriter {
    String write(Path target) throws IOException;
  }

  private Optional<String> create(String path, TemporaryWriter writer) {
    Path file = file(path);
    prepare();
    Path temp = temporaryFile();
    try {
      String tag;
      boolean created;
      try {
        makeDurable(file.getParent());
        tag = DiskSync.uninterrupted(() -> writer.write(temp));
        disk.sync(temp);
        created = link(temp, file);
      } catch (IOException e) {
        throw unavailable("cannot write object", path, e);
      }
      // Also where the name was taken: whoever took it may have died before this.
      syncName(file, path);
      return created ? Optional.of(tag) : Optional.empty();
    } finally {
      discard(temp);
    }
  }

  private static boolean link(Path temp, Path file) throws IOException {
    try {
      Files.createLink(file, temp);
      return true;
    } catch (FileAlreadyExistsException e) {
      // A network file system may repeat a request whose answer was lost.
      return Files.isSameFile(temp, file);
    }
  }

  @Override
  public Optional<String> putIfMatch(String path, byte[] content, String tag) {
    Path file = file(path);
    prepare();
    try {
      return mutex.locked(path, () -> replace(file, path, content, tag));
    } catch (IOException e) {
      throw unavailable("cannot lock object", path, e);
    }
  }

  private Optional<String> replace(Path file, String path, byte[] content, String tag) {
    Optional<StoredObject> current = get(path);
    if (current.isEmpty() || !current.get().tag().equals(tag)) {
      return Optional.empty();
    }
    Path temp = temporaryFile();
    try {
      String newTag;
      try {
        makeDurable(file.getParent());
        newTag = DiskSync.uninterrupted(() -> write(temp, content));
        disk.sync(temp);
        Files.move(temp, file, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        throw unavailable("cannot write object", path, e);
      }
      syncName(file, path);
      return Optional.of(newTag);
    } finally {
      discard(temp);
    }
  }

  @Override
  public List<ObjectInfo> list(String prefix) {
    ObjectPath.checkPrefix(prefix);
    Path folder = root.resolve(prefix.substring(0, prefix.lastIndexOf('/') + 1));
    try {
      return FolderListing.of(root, folder, prefix);
    } catch (IOException e) {
      throw unavailable("cannot list objects", prefix, e);
    }
  }

  /** Does not wait for stable storage: a removed object may be back after a crash. */
  @Override
  public void delete(String path) {
    Path file = file(path);
    prepare();
    try {
      // Under the lock, so that no replacement in progress brings the object back.
      mutex.locked(path, () -> Files.isDirectory(file) || Files.deleteIfExists(file));
    } catch (IOException e) {
      throw unavailable("cannot delete object", path, e);
    }
  }

  @Override
  public void force(Collection<String> paths) {
    prepare();
    List<Runnable> work = new ArrayList<>();
    paths.forEach(path -> work.add(() -> forceFile(path)));
    paths.stream()
        .map(path -> file(path).getParent())
        .distinct()
        .forEach(folder -> work.add(() -> forceFolder(folder)));
    List<CompletableFuture<Void>> syncs = new ArrayList<>();
    work.forEach(sync -> syncs.add(CompletableFuture.runAsync(sync, syncers)));
    Futures.joinAll(syncs);
  }

  private void forceFile(String path) {
    try {
      disk.sync(file(path));
    } catch (NoSuchFileException e) {
      throw missing(path, e);
    } catch (IOException e) {
      throw unavailable("cannot sync object", path, e);
    }
  }

  private void forceFolder(Path folder) {
    try {
      disk.sync(folder);
      makeDurable(folder);
    } catch (IOException e) {
      throw unavailable("cannot sync folder", root.relativize(folder).toString(), e);
    }
  }

  /** Opened by the first writer: readers need no folder that can be written to. */
  private synchronized FileTurns turns() throws IOException {
    FileTurns open = turns;
    if (open == null) {
      prepare();
      open = new FileTurns(root.resolve(PRIVATE_FOLDER).resolve("turns"));
      turns = open;
    }
    return open;
  }

  @Override
  public Turn turn(String path) {
    try {
      return turns().take(path);
    } catch (IOException e) {
      throw unavailable("cannot lock object", path, e);
    }
  }

  @Override
  public String uri(String path) {
    return file(path).toString();
  }

  @Override
  public Optional<Path> localPath(String path) {
    return Optional.of(file(path));
  }

  @Override
  public synchronized void close() {
    syncers.shutdown();
    try {
      if (turns != null) {
        turns.close();
      }
    } catch (IOException e) {
      throw unavailable("cannot close warehouse folder", root.toString(), e);
    }
  }

  private Path file(String path) {
    return root.resolve(ObjectPath.check(path));
  }

  private Path temporaryFile() {
    return temporary.resolve(Ulid.next());
  }

  /**
   * Makes a folder if it is missing and brings its name, and those of the folders above it, to
   * stable storage: once per folder, also for folders that others made, who may have died before.
   */
  private void makeDurable(Path folder) throws IOException {
    if (durableFolders.contains(folder)) {
      return;
    }
    Path parent = folder.getParent();
    makeDurable(parent);
    Files.createDirectories(folder);
    disk.sync(parent);
    durableFolders.add(folder);
  }

  private void syncName(Path file, String path) {
    try {
      disk.sync(file.getParent());
    } catch (IOException e) {
      throw new LoamException(
          ErrorCode.OUTCOME_UNKNOWN,
          "object written but maybe not to stay: path=%s, reason=%s; read it to learn which"
              .formatted(path, e),
          e);
    }
  }

  private static String write(Path target, byte[] content) throws IOException {
    Files.write(target, content);
    return tag(content);
  }

  private static String copy(Path source, Path target) throws IOException {
    MessageDigest digest = sha256();
    try (InputStream in = Files.newInputStream(source);
        OutputStream out = new DigestOutputStream(Files.newOutputStream(target), digest)) {
      in.transferTo(out);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static String tag(byte[] content) {
    return HexFormat.of().formatHex(sha256().digest(content));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new LoamException(
          ErrorCode.INTERNAL, "no SHA-256 in this Java runtime; use a complete runtime", e);
    }
  }

  private static void discard(Path temp) {
    try {
      Files.deleteIfExists(temp);
    } catch (IOException e) {
      // The object's fate is settled and nobody reads this file, so it must not fail the write.
      temp.toFile().deleteOnExit();
    }
  }

  private static LoamException cannotOpen(Path root, IOException cause) {
    return unavailable("cannot open warehouse folder", root.toString(), cause);
  }

  private static LoamException missing(String path, IOException cause) {
    return new LoamException(
        ErrorCode.MISSING_OBJECT,
        "no such object: path=" + path + "; restore it from a copy",
        cause);
  }

  private static LoamException unavailable(String problem, String path, IOException cause) {
    return new LoamException(
        ErrorCode.STORE_UNAVAILABLE,
        "%s: path=%s, reason=%s; mend the file system and try again"
            .formatted(problem, path, cause),
        cause);
  }
}
