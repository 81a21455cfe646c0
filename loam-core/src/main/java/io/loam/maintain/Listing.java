package io.loam.maintain;

import io.loam.store.ObjectStore;
import io.loam.store.ObjectStore.ObjectInfo;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The objects under a folder, and the store's time just before they were listed.
 *
 * @param storeMillis by the clock that objects' ages go by
 */
record Listing(long storeMillis, List<ObjectInfo> objects, Map<String, ObjectInfo> byPath) {

  static Listing of(ObjectStore store, String folder) {
    long storeMillis = StoreClock.millis(store, folder);
    List<ObjectInfo> objects = store.list(folder);
    Map<String, ObjectInfo> byPath = new HashMap<>();
    objects.forEach(object -> byPath.put(object.path(), object));
    return new Listing(storeMillis, objects, byPath);
  }

  boolean isOlderThan(Duration age, ObjectInfo object) {
    return storeMillis - object.modifiedMillis() >= age.toMillis();
  }

  /** When an object was last written, or nothing where it was not there. */
  OptionalLong modifiedMillis(String path) {
    ObjectInfo object = byPath.get(path);
    return object == null ? OptionalLong.empty() : OptionalLong.of(object.modifiedMillis());
  }
}
