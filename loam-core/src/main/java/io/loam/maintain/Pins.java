package io.loam.maintain;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Metastore;
import io.loam.schema.SealedJson;
import io.loam.store.ObjectStore;
import io.loam.store.ObjectStore.ObjectInfo;
import io.loam.store.ObjectStore.StoredObject;
import io.loam.store.Ulid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The pins of one collection: objects that name a version which somebody reads. Garbage collection
 * keeps what live pins name. A pin lives as long as its object was written not long ago, by the
 * store's clock. Safe for use by several threads and processes.
 */
public final class Pins {
  /** How long a pin lives without renewal. */
  public static final Duration LIFETIME = Duration.ofMinutes(10);

  static final String FOLDER = "pins/";
  private static final int FORMAT = 1;

  private final ObjectStore store;
  private final Metastore metastore;

  public Pins(ObjectStore store, Metastore metastore) {
    this.store = store;
    this.metastore = metastore;
  }

  /**
   * A pin as its owner knows it.
   *
   * @param tag of the object's content
   */
  record Pin(String path, String tag) {}

  /**
   * What a pin keeps.
   *
   * @param manifestPath of the version
   */
  record Pinned(String path, long version, String manifestPath) {}

  /**
   * Pins a version, if that is in time: if the head still retained the version after the pin was
   * there, since any later garbage collection looks for pins after it has said in the head what it
   * retains.
   */
  Optional<Pin> create(long version, String manifestPath) {
    String path = metastore.path(FOLDER + Ulid.next());
    Optional<String> tag = store.putIfAbsent(path, encode(version, manifestPath));
    if (tag.isEmpty()) {
      throw new LoamException(
          ErrorCode.INTERNAL, "a fresh name was taken: path=" + path + "; report this");
    }
    Pin pin = new Pin(path, tag.get());
    if (metastore.head().value().retains(version)) {
      return Optional.of(pin);
    }
    remove(pin);
    return Optional.empty();
  }

  /** Makes a pin young again; nothing if it was removed, having been too old. */
  Optional<Pin> renew(Pin pin, long version, String manifestPath) {
    return store
        .putIfMatch(pin.path(), encode(version, manifestPath), pin.tag())
        .map(tag -> new Pin(pin.path(), tag));
  }

  void remove(Pin pin) {
    store.delete(pin.path());
  }

  /** The pins that are alive at a time by the store's clock. */
  List<Pinned> live(long storeMillis) {
    List<Pinned> live = new ArrayList<>();
    for (ObjectInfo object : store.list(metastore.path(FOLDER))) {
      if (!isExpired(object.modifiedMillis(), storeMillis)) {
        store.get(object.path()).map(o -> decode(o, object.path())).ifPresent(live::add);
      }
    }
    return live;
  }

  static boolean isExpired(long modifiedMillis, long storeMillis) {
    return storeMillis - modifiedMillis > LIFETIME.toMillis();
  }

  private static byte[] encode(long version, String manifestPath) {
    return SealedJson.seal(
        SealedJson.ofFormat(FORMAT)
            .put("version", version)
            .put("manifest", manifestPath)
            .put("write", Ulid.next()));
  }

  private static Pinned decode(StoredObject object, String path) {
    SealedJson json = SealedJson.open(object.content(), FORMAT, path);
    return new Pinned(path, json.number("version"), json.text("manifest"));
  }
}
