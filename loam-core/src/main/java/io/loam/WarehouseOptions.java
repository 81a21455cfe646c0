package io.loam;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a warehouse is opened.
 *
 * @param location a folder, made if it is missing
 * @param cacheFolder for unpacked splits, or null for the default: the system property {@code
 *     loam.cache}, else {@code ~/.cache/loam}, else a folder under {@code java.io.tmpdir}
 * @param cacheBytes heap that decoded columns and vectors may take, or 0 for a quarter of the
 *     largest heap
 */
public record WarehouseOptions(Path location, @Nullable Path cacheFolder, long cacheBytes) {

  public static WarehouseOptions at(Path location) {
    return new WarehouseOptions(location, null, 0);
  }
}
