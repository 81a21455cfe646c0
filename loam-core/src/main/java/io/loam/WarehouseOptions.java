package io.loam;

import io.loam.store.StoreLocation;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a warehouse is opened.
 *
 * @param location of its objects
 * @param cacheFolder for copies of remote files, or null for the default: the system property
 *     {@code loam.cache}, else {@code ~/.cache/loam}, else a folder under {@code java.io.tmpdir}
 * @param cacheBytes heap that decoded columns and vectors may take, or 0 for a quarter of the
 *     largest heap
 * @param autoOptimize whether collections are kept up in the background after writes of this
 *     process
 * @param buildProcesses how many processes build parts of a vector index at a time; 0 to build them
 *     in this one
 */
public record WarehouseOptions(
    StoreLocation location,
    @Nullable Path cacheFolder,
    long cacheBytes,
    boolean autoOptimize,
    int buildProcesses) {

  /** A warehouse without upkeep in the background, whose indexes are built in this process. */
  public WarehouseOptions(StoreLocation location, @Nullable Path cacheFolder, long cacheBytes) {
    this(location, cacheFolder, cacheBytes, false, 0);
  }

  /** Likewise, in a folder. */
  public WarehouseOptions(Path folder, @Nullable Path cacheFolder, long cacheBytes) {
    this(new StoreLocation.Folder(folder), cacheFolder, cacheBytes);
  }

  /** The same with upkeep in the background. */
  public WarehouseOptions withAutoOptimize() {
    return new WarehouseOptions(location, cacheFolder, cacheBytes, true, buildProcesses);
  }

  /** The same with parts of indexes built in processes of their own. */
  public WarehouseOptions withBuildProcesses(int count) {
    return new WarehouseOptions(location, cacheFolder, cacheBytes, autoOptimize, count);
  }

  public static WarehouseOptions at(Path folder) {
    return new WarehouseOptions(folder, null, 0);
  }
}
