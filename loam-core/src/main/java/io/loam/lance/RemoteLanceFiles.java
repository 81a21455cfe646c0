package io.loam.lance;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.FileRef;
import io.loam.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * A dataset in a remote store: Lance reads it there, file by file after each was checked, and
 * writes in local folders, from which the files are uploaded. Objects never change, so a file is
 * asked for once.
 */
final class RemoteLanceFiles extends LanceFiles {
  private static final int BLOCK_BYTES = 8 << 20;
  private static final long UNCHANGING = 0;

  private final LanceStore lance;
  private final LocalCopies copies;

  RemoteLanceFiles(
      ObjectStore store,
      String collectionFolder,
      LanceVerification verification,
      LanceStore lance,
      LocalCopies copies) {
    super(store, collectionFolder, verification);
    this.lance = lance;
    this.copies = copies;
  }

  @Override
  public LanceWorkspace workspace() {
    return new Staging(copies.newFolder());
  }

  @Override
  public void verifyOpening(FileRef manifest, Collection<FileRef> files) {
    verifyOnce(manifest);
  }

  @Override
  public void verifyReading(Supplier<Collection<FileRef>> files) {
    files.get().forEach(this::verifyOnce);
  }

  private void verifyOnce(FileRef file) {
    if (!isTrusted(file, UNCHANGING)) {
      verify(file);
    }
  }

  @Override
  State state(String path) {
    return new State(store.size(path).orElseThrow(() -> missing(path, null)), UNCHANGING);
  }

  @Override
  int crc32c(String path, long size) {
    CRC32C crc = new CRC32C();
    for (long at = 0; at < size; at += BLOCK_BYTES) {
      crc.update(store.getRange(path, at, (int) Math.min(BLOCK_BYTES, size - at)));
    }
    return (int) crc.getValue();
  }

  private final class Staging implements LanceWorkspace {
    private final Path folder;

    Staging(Path folder) {
      this.folder = folder;
    }

    @Override
    public String uri() {
      return folder.toString();
    }

    @Override
    public void bring(Collection<FileRef> files) {
      for (FileRef file : files) {
        Path target = folder.resolve(file.path().substring(FOLDER.length()));
        try {
          Files.createDirectories(target.getParent());
          Files.copy(copies.copy(collectionFolder, file), target);
        } catch (IOException e) {
          throw unusable(e);
        }
      }
    }

    @Override
    public List<String> list() {
      try (Stream<Path> tree = Files.walk(folder)) {
        return tree.filter(Files::isRegularFile)
            .map(file -> folder.relativize(file).toString())
            .sorted()
            .toList();
      } catch (IOException e) {
        throw unusable(e);
      }
    }

    @Override
    public FileRef describe(String datasetPath) {
      Path path = folder.resolve(datasetPath);
      try {
        long size = Files.size(path);
        FileRef file = new FileRef(FOLDER + datasetPath, size, LocalLanceFiles.crc32c(path, size));
        trust(file, UNCHANGING);
        return file;
      } catch (IOException e) {
        throw LocalLanceFiles.unreadable(path.toString(), e);
      }
    }

    @Override
    public void publish(Collection<String> paths) {
      for (String path : paths) {
        String object = collectionFolder + FOLDER + path;
        if (store.putFileIfAbsent(object, folder.resolve(path)).isEmpty()) {
          throw new LoamException(
              ErrorCode.INTERNAL, "a fresh name was taken: path=" + object + "; report this");
        }
      }
    }

    @Override
    public void close() {
      lance.forget(uri());
      copies.remove(folder);
    }

    private LoamException unusable(IOException e) {
      return new LoamException(
          ErrorCode.STORE_UNAVAILABLE,
          "cache folder cannot be used: path="
              + folder
              + "; check its permissions and free space, or name another",
          e);
    }
  }
}
