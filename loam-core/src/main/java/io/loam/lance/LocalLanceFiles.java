package io.loam.lance;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.FileRef;
import io.loam.store.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/** A dataset on this machine: Lance reads and writes it in place. */
final class LocalLanceFiles extends LanceFiles {
  private static final int BLOCK_BYTES = 128 << 10;

  LocalLanceFiles(ObjectStore store, String collectionFolder, LanceVerification verification) {
    super(store, collectionFolder, verification);
  }

  @Override
  public LanceWorkspace workspace() {
    return new InPlace();
  }

  @Override
  public LanceSource source(FileRef manifest, List<FileRef> files) {
    verify(manifest);
    files.forEach(this::verify);
    return new Checked(LanceAddress.local(store.uri(collectionFolder + "lance")));
  }

  /** All files were checked at opening. */
  private record Checked(LanceAddress address) implements LanceSource {
    @Override
    public void require(Supplier<Collection<FileRef>> files) {}

    @Override
    public void close() {}
  }

  @Override
  State state(String path) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(local(path), BasicFileAttributes.class);
      return new State(attributes.size(), attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS));
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  @Override
  int crc32c(String path, long size) {
    try {
      return crc32c(local(path), size);
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  static int crc32c(Path file, long size) throws IOException {
    CRC32C crc = new CRC32C();
    try (InputStream in = Files.newInputStream(file)) {
      byte[] block = new byte[(int) Math.min(BLOCK_BYTES, Math.max(1, size))];
      for (int n = in.read(block); n >= 0; n = in.read(block)) {
        crc.update(block, 0, n);
      }
    }
    return (int) crc.getValue();
  }

  private Path local(String path) {
    return store.localPath(path).orElseThrow();
  }

  static LoamException unreadable(String path, IOException e) {
    return e instanceof NoSuchFileException
        ? missing(path, e)
        : new LoamException(
            ErrorCode.STORE_UNAVAILABLE,
            "file cannot be read: path=" + path + "; check the folder and its permissions",
            e);
  }

  private final class InPlace implements LanceWorkspace {
    @Override
    public String uri() {
      return store.uri(collectionFolder + "lance");
    }

    @Override
    public void bring(Collection<FileRef> files) {}

    @Override
    public List<String> list() {
      String folder = collectionFolder + FOLDER;
      return store.list(folder).stream().map(o -> o.path().substring(folder.length())).toList();
    }

    @Override
    public FileRef describe(String datasetPath) {
      String path = collectionFolder + FOLDER + datasetPath;
      State state = state(path);
      FileRef file =
          new FileRef(
              FOLDER + datasetPath, state.size(), LocalLanceFiles.this.crc32c(path, state.size()));
      trust(file, state.modifiedNanos());
      return file;
    }

    @Override
    public void publish(Collection<String> paths) {}

    @Override
    public void close() {}
  }
}
