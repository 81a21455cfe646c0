package io.loam.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A folder store whose disk fails one sync of each kind of file and folder. A temporary file is
 * torn, too: half of it is lost.
 */
public final class TornDisk {
  private final Map<String, Integer> met = new HashMap<>();
  private final List<String> failed = new ArrayList<>();
  private final int occurrence;

  /**
   * @param occurrence which sync of a kind fails, from 1 on
   */
  public TornDisk(int occurrence) {
    this.occurrence = occurrence;
  }

  public ObjectStore over(Path root) {
    return new LocalObjectStore(root, path -> sync(root, path));
  }

  /** The files and folders whose syncs failed. */
  public synchronized List<String> failed() {
    return List.copyOf(failed);
  }

  private void sync(Path root, Path path) throws IOException {
    String kind =
        path.startsWith(root) ? TracedStore.kind(root.relativize(path).toString()) : "outside";
    if (!kind.equals("outside") && fails(kind)) {
      if (kind.startsWith(".loam") && Files.isRegularFile(path)) {
        tear(path);
      }
      throw new IOException("disk failed");
    }
    DiskSync.FSYNC.sync(path);
  }

  private synchronized boolean fails(String kind) {
    return met.merge(kind, 1, Integer::sum) == occurrence && failed.add(kind);
  }

  private static void tear(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() / 2);
    }
  }
}
