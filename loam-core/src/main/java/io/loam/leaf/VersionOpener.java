package io.loam.leaf;

import io.loam.manifest.Manifest;
import io.loam.manifest.SplitRef;
import io.loam.manifest.TailRef;
import io.loam.schema.CollectionSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Opens versions of one collection. Versions and their splits are shared while in use, and the last
 * few versions stay open afterwards. Safe for use by several threads.
 */
public final class VersionOpener implements AutoCloseable {
  private static final int KEPT = 3;

  private final CollectionFiles files;
  private final LeafLoader loader;
  private final Map<Long, OpenVersion> open = new LinkedHashMap<>();
  private final Map<String, SharedSplit> splits = new HashMap<>();

  private static final class SharedSplit {
    private final OpenSplit split;
    private int users;

    SharedSplit(OpenSplit split) {
      this.split = split;
    }
  }

  public VersionOpener(CollectionFiles files) {
    this.files = files;
    this.loader = new LeafLoader(files);
  }

  /** Opens a version, to be given back by {@link #release}. */
  public synchronized OpenVersion acquire(Manifest manifest, CollectionSchema schema) {
    OpenVersion version = open.remove(manifest.version());
    if (version == null) {
      version = load(manifest, schema);
    }
    open.put(manifest.version(), version);
    version.addUser(1);
    return version;
  }

  /** Keeps rows just written, so that this process need not read them back. */
  public void putTail(TailRef ref, MemoryRows rows) {
    loader.putTail(ref, rows);
  }

  private OpenVersion load(Manifest manifest, CollectionSchema schema) {
    List<OpenSplit> opened = new ArrayList<>();
    for (SplitRef ref : manifest.splits()) {
      SharedSplit shared =
          splits.computeIfAbsent(
              ref.ulid(), u -> new SharedSplit(new OpenSplit(files, ref, schema)));
      shared.users++;
      opened.add(shared.split);
    }
    OpenVersion version = new OpenVersion(files, manifest, schema, opened);
    try {
      version.openLeaves(loader);
    } catch (RuntimeException | Error e) {
      close(version);
      throw e;
    }
    return version;
  }

  public synchronized void release(OpenVersion version) {
    version.addUser(-1);
    trim(KEPT);
  }

  /**
   * Closes the least recently acquired versions that nobody uses, down to {@code keep} open ones.
   */
  private void trim(int keep) {
    List<OpenVersion> idle = open.values().stream().filter(v -> v.addUser(0) == 0).toList();
    for (OpenVersion v : idle) {
      if (open.size() <= keep) {
        return;
      }
      open.remove(v.manifest().version());
      close(v);
    }
  }

  private void close(OpenVersion version) {
    version.close();
    for (SplitRef ref : version.manifest().splits()) {
      SharedSplit shared = splits.get(ref.ulid());
      if (--shared.users == 0) {
        splits.remove(ref.ulid());
      }
    }
  }

  /** Closes all versions, also those in use. */
  @Override
  public synchronized void close() {
    open.values().forEach(this::close);
    open.clear();
  }
}
