package io.loam.write;

import io.loam.error.Futures;
import io.loam.lance.LanceFiles;
import io.loam.lance.LanceRow;
import io.loam.lance.LanceWorkspace;
import io.loam.lance.WrittenFragment;
import io.loam.leaf.CollectionFiles;
import io.loam.leaf.LeafData;
import io.loam.leaf.MemoryRows;
import io.loam.manifest.FileRef;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.SplitRef;
import io.loam.schema.CollectionSchema;
import io.loam.store.Ulid;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Writes rows as one Lance fragment and, side by side with it, one split. */
final class FragmentWriter {
  private final CollectionFiles files;
  private final SplitFiles splitFiles;
  private final Executor executor;

  FragmentWriter(CollectionFiles files, Executor executor) {
    this.files = files;
    this.splitFiles = new SplitFiles(files);
    this.executor = executor;
  }

  /**
   * Rows that are written.
   *
   * @param forced done when the fragment is on stable storage, as the split is
   */
  record Written(
      WrittenFragment fragment, FragmentRef ref, SplitRef split, CompletableFuture<Void> forced) {

    /** Waits until all is on stable storage. */
    void join() {
      Futures.join(forced);
    }

    /** Waits for the end of what runs, however it ends. */
    void settle() {
      forced.exceptionally(e -> null).join();
    }
  }

  /**
   * Writes rows.
   *
   * @param fragmentId never used before
   * @param rowIds of the rows, ascending
   * @param rows in the order of their ids
   * @param index of the same rows in the same order
   */
  Written write(
      CollectionSchema schema,
      int fragmentId,
      List<RowIdRange> rowIds,
      List<MemoryRows.Row> rows,
      Supplier<LeafData> index) {
    CompletableFuture<SplitRef> split =
        CompletableFuture.supplyAsync(
            () -> splitFiles.write(schema, index.get(), vectors(schema, rows), rowIds), executor);
    try {
      Data data = writeData(schema, fragmentId, rowIds, rows);
      int count = rowIds.stream().mapToInt(RowIdRange::count).sum();
      FragmentRef ref = new FragmentRef(fragmentId, count, rowIds, data.files(), Optional.empty());
      return new Written(data.fragment(), ref, Futures.join(split), data.forced());
    } finally {
      split.exceptionally(e -> null).join(); // nothing of a commit outlives it
    }
  }

  /** The same rows in files of fresh names, all of it on stable storage when this returns. */
  Written renamed(Written written) {
    FragmentRef ref = written.ref();
    WrittenFragment fragment = written.fragment().inFile(Ulid.next() + ".lance");
    FileRef data =
        files.copy(ref.files().get(0), LanceFiles.FOLDER + fragment.files().get(0));
    return new Written(
        fragment,
        new FragmentRef(ref.id(), ref.physicalRows(), ref.rowIds(), List.of(data), ref.deletion()),
        splitFiles.renamed(written.split()),
        CompletableFuture.completedFuture(null));
  }

  private static SplitFiles.Vectors vectors(CollectionSchema schema, List<MemoryRows.Row> rows) {
    return (field, doc) -> (float[]) rows.get(doc).values()[schema.position(field.number())];
  }

  /** A fragment whose files are being brought to stable storage. */
  private record Data(
      WrittenFragment fragment, List<FileRef> files, CompletableFuture<Void> forced) {}

  private Data writeData(
      CollectionSchema schema, int fragmentId, List<RowIdRange> rowIds, List<MemoryRows.Row> rows) {
    LanceWorkspace workspace = files.lanceFiles().workspace();
    try {
      WrittenFragment fragment =
          files
              .lance()
              .write(
                  workspace.uri(),
                  schema,
                  fragmentId,
                  rowIds,
                  () ->
                      rows.stream().map(r -> LanceRow.of(schema, r.key(), r.values())).iterator());
      List<FileRef> described = fragment.files().stream().map(workspace::describe).toList();
      CompletableFuture<Void> forced =
          CompletableFuture.runAsync(() -> force(workspace, fragment.files()), executor);
      return new Data(fragment, described, forced);
    } catch (RuntimeException | Error e) {
      workspace.close();
      throw e;
    }
  }

  private void force(LanceWorkspace workspace, List<String> datasetPaths) {
    try (workspace) {
      workspace.publish(datasetPaths);
      String folder = files.folder() + LanceFiles.FOLDER;
      files.store().force(datasetPaths.stream().map(path -> folder + path).toList());
    }
  }
}
