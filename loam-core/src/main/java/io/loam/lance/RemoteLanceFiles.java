package io.loam.lance;

import io.loam.manifest.FileRef;
import io.loam.store.ObjectStore;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/**
 * A dataset in a remote store. Lance writes it in local folders, from which files are uploaded.
 * Versions of small files are read from local copies, each downloaded and checked when it is first
 * needed; other versions are read in the store, file by file after each was checked.
 */
final class RemoteLanceFiles extends LanceFiles {
  static final long COPIED_FILE_BYTES = 64L << 20;

  /** A version's share of the local copies, as a divisor. */
  private static final int COPIED_SHARE = 4;

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
    return new Staging(store, collectionFolder, lance, copies);
  }

  @Override
  public LanceSource source(FileRef manifest, List<FileRef> files) {
    LanceSource source = isCopied(files) ? new Copied() : new InStore();
    try {
      source.require(() -> List.of(manifest));
      return source;
    } catch (RuntimeException | Error e) {
      source.close();
      throw e;
    }
  }

  private boolean isCopied(List<FileRef> files) {
    return files.stream().allMatch(f -> f.size() <= COPIED_FILE_BYTES)
        && files.stream().mapToLong(FileRef::size).sum() <= copies.maxBytes() / COPIED_SHARE;
  }

  @Override
  State state(String path) {
    return new State(store.size(path).orElseThrow(() -> missing(path, null)), UNCHANGING);
  }

  @Override
  int crc32c(String path, long size) {
    return store.crc32c(path, size);
  }

  private final class Copied implements LanceSource {
    private final LanceWorkspace folder = workspace();

    @Override
    public LanceAddress address() {
      return LanceAddress.local(folder.uri());
    }

    @Override
    public void require(Supplier<Collection<FileRef>> files) {
      folder.bring(files.get());
    }

    @Override
    public void close() {
      folder.close();
    }
  }

  /** Objects never change, so a file is asked for once. */
  private final class InStore implements LanceSource {
    @Override
    public LanceAddress address() {
      return new LanceAddress(store.uri(collectionFolder + "lance"), store.nativeOptions());
    }

    @Override
    public void require(Supplier<Collection<FileRef>> files) {
      for (FileRef file : files.get()) {
        if (!isTrusted(file, UNCHANGING)) {
          verify(file);
        }
      }
    }

    @Override
    public void close() {}
  }
}
