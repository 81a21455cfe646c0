package io.loam.lance;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.FileRef;
import io.loam.store.FreshObject;
import io.loam.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** A local folder with some files of a dataset in a remote store. */
final class Staging implements LanceWorkspace {
  private final ObjectStore store;
  private final String collectionFolder;
  private final LanceStore lance;
  private final LocalCopies copies;
  private final Path folder;
  private final Set<String> brought = ConcurrentHashMap.newKeySet();
  private final Map<String, FileRef> described = new ConcurrentHashMap<>();
  private final Set<String> published = ConcurrentHashMap.newKeySet();

  Staging(ObjectStore store, String collectionFolder, LanceStore lance, LocalCopies copies) {
    this.store = store;
    this.collectionFolder = collectionFolder;
    this.lance = lance;
    this.copies = copies;
    this.folder = copies.newFolder();
  }

  @Override
  public String uri() {
    return folder.toString();
  }

  @Override
  public synchronized void bring(Collection<FileRef> files) {
    for (FileRef file : files) {
      if (brought.contains(file.path())) {
        continue;
      }
      Path target = folder.resolve(file.path().substring(LanceFiles.FOLDER.length()));
      try {
        Files.createDirectories(target.getParent());
      } catch (IOException e) {
        throw unusable(e);
      }
      copies.place(collectionFolder, file, target);
      brought.add(file.path());
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
  public FileRef describe(String path) {
    Path file = folder.resolve(path);
    try {
      long size = Files.size(file);
      int crc = LocalLanceFiles.crc32c(file, size);
      FileRef described = new FileRef(LanceFiles.FOLDER + path, size, crc);
      this.described.put(path, described);
      return described;
    } catch (IOException e) {
      throw LocalLanceFiles.unreadable(file.toString(), e);
    }
  }

  @Override
  public void publish(Collection<String> paths) {
    for (String path : paths) {
      String object = collectionFolder + LanceFiles.FOLDER + path;
      FreshObject.putFile(store, object, folder.resolve(path));
      published.add(path);
    }
  }

  /** Keeps what this process is likely to read again. */
  @Override
  public void close() {
    lance.forget(uri());
    described.forEach(
        (path, file) -> {
          if (published.contains(path) && file.size() <= RemoteLanceFiles.COPIED_FILE_BYTES) {
            copies.keep(collectionFolder, file, folder.resolve(path));
          }
        });
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
