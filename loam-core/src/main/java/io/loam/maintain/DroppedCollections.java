package io.loam.maintain;

import io.loam.manifest.Catalog;
import io.loam.manifest.Metastore;
import io.loam.store.ObjectStore;
import io.loam.store.ObjectStore.ObjectInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Removes the folders of dropped collections. The head goes first, so that a writer that has not
 * heard of the drop cannot commit into a folder that is being removed.
 */
public final class DroppedCollections {
  private final ObjectStore store;
  private final Catalog catalog;

  public DroppedCollections(ObjectStore store, Catalog catalog) {
    this.store = store;
    this.catalog = catalog;
  }

  /** What was removed, or would be, of the dropped collections of a name. */
  public List<Garbage> run(String schema, String name, GcOptions options) {
    Optional<Catalog.Dropped> dropped = catalog.dropped(schema, name);
    if (dropped.isEmpty()) {
      return List.of();
    }
    List<Garbage> garbage = new ArrayList<>();
    Set<String> gone = new HashSet<>();
    for (String id : dropped.get().ids()) {
      Metastore metastore = new Metastore(store, id);
      if (isDue(metastore, dropped.get().sinceMillis(), options.grace())) {
        garbage.addAll(remove(metastore, options.dryRun()));
        if (store.list(metastore.path("")).isEmpty()) {
          gone.add(id); // else a writer has just left something, for the next time
        }
      }
    }
    if (!options.dryRun() && !gone.isEmpty()) {
      catalog.forget(schema, name, gone);
    }
    return garbage;
  }

  /** Long enough dropped, and not read any more. */
  private boolean isDue(Metastore metastore, long droppedMillis, Duration grace) {
    long storeMillis = StoreClock.millis(store, metastore.path(""));
    return storeMillis - droppedMillis >= grace.toMillis()
        && new Pins(store, metastore).live(storeMillis).isEmpty();
  }

  private List<Garbage> remove(Metastore metastore, boolean dryRun) {
    List<ObjectInfo> objects = store.list(metastore.path(""));
    if (!dryRun) {
      store.delete(metastore.path("head"));
      objects.forEach(object -> store.delete(object.path()));
    }
    return objects.stream()
        .map(object -> new Garbage(object.path(), object.size(), "table was dropped"))
        .toList();
  }
}
