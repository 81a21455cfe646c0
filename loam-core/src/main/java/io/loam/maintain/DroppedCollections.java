package io.loam.maintain;

import io.loam.manifest.Catalog;
import io.loam.manifest.Metastore;
import io.loam.store.ObjectStore;
import io.loam.store.ObjectStore.ObjectInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Removes the folders of collections that were dropped, or that somebody began to make and left.
 * The head goes first, so that a writer that has not heard of the drop cannot commit into a folder
 * that is being removed; and before that, an unfinished collection is counted as dropped, so that
 * whoever still makes it cannot finish, but starts again.
 */
public final class DroppedCollections {
  private final ObjectStore store;
  private final Catalog catalog;

  public DroppedCollections(ObjectStore store, Catalog catalog) {
    this.store = store;
    this.catalog = catalog;
  }

  /** What was removed, or would be, of the dropped and unfinished collections of a name. */
  public List<Garbage> run(String schema, String name, GcOptions options) {
    Catalog.Leftovers leftovers = catalog.leftovers(schema, name);
    List<Garbage> garbage = new ArrayList<>();
    Set<String> gone = new HashSet<>();
    for (String id : leftovers.dropped()) {
      if (isDue(id, leftovers, options.grace())) {
        garbage.addAll(remove(id, "table was dropped", options, gone));
      }
    }
    for (String id : leftovers.unfinished()) {
      if (isDue(id, leftovers, options.grace())
          && (options.dryRun() || catalog.abandon(schema, name, id))) {
        garbage.addAll(remove(id, "table was never finished", options, gone));
      }
    }
    if (!gone.isEmpty()) {
      catalog.forget(schema, name, gone);
    }
    return garbage;
  }

  /** Long enough dropped, and not read any more. */
  private boolean isDue(String id, Catalog.Leftovers leftovers, Duration grace) {
    Metastore metastore = new Metastore(store, id);
    long storeMillis = StoreClock.millis(store, metastore.path(""));
    return storeMillis - leftovers.sinceMillis() >= grace.toMillis()
        && new Pins(store, metastore).live(storeMillis).isEmpty();
  }

  /**
   * @param gone gets the id if nothing is left of it
   */
  private List<Garbage> remove(String id, String reason, GcOptions options, Set<String> gone) {
    Metastore metastore = new Metastore(store, id);
    List<ObjectInfo> objects = store.list(metastore.path(""));
    if (!options.dryRun()) {
      store.delete(metastore.path("head"));
      store.deleteAll(objects.stream().map(ObjectInfo::path).toList());
      if (store.list(metastore.path("")).isEmpty()) {
        gone.add(id); // else a writer has just left something, for the next time
      }
    }
    return objects.stream()
        .map(object -> new Garbage(object.path(), object.size(), reason))
        .toList();
  }
}
