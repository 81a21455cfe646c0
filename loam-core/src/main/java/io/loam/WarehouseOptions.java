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
 */
public record WarehouseOptions(
    StoreLocation location, @Nullable Path cacheFolder, long cacheBytes, boolean autoOptimize) {

  /** A warehouse without upkeep in the background. */
  public WarehouseOptions(StoreLocation location, @Nullable Path cacheFolder, long cacheBytes) {
    this(location, cacheFolder, cacheBytes, false);
  }

  /** A warehouse in a folder, without upkeep in the background. */
  public WarehouseOptions(Path folder, @Nullable Path cacheFolder, long cacheBytes) {
    this(new StoreLocation.Folder(folder), cacheFolder, cacheBytes);
  }

  /** The same with upkeep in the background. */
  public WarehouseOptions withAutoOptimize() {
    return new WarehouseOptions(location, cacheFolder, cacheBytes, true);
  }

  public static WarehouseOptions at(Path folder) {
    return new WarehouseOptions(folder, null, 0);
  }
}
