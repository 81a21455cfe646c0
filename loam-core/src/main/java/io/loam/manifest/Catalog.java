package io.loam.manifest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.SealedJson;
import io.loam.store.ObjectStore;
import io.loam.store.ObjectStore.ObjectInfo;
import io.loam.store.ObjectStore.StoredObject;
import io.loam.store.Ulid;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Names of collections, compared in any letter case. A dropped name stays as a marker, which the
 * next collection of that name replaces. Safe for use by several threads and processes.
 */
public final class Catalog {
  private static final int FORMAT = 2;

  /** Forgot the collections that it dropped. */
  private static final int FORMAT_WITHOUT_DROPPED = 1;

  private static final String FOLDER = "catalog/";

  private static final int CACHED = 1_024;

  private final ObjectStore store;

  /** Entries as they were last read, by path: a tag stands for one content. */
  private final Cache<String, Versioned<Entry>> decoded =
      Caffeine.newBuilder().maximumSize(CACHED).build();

  public Catalog(ObjectStore store) {
    this.store = store;
  }

  /**
   * What a name stands for.
   *
   * @param collectionId empty for a dropped name
   * @param dropped ids of collections that had the name and may still have objects
   */
  private record Entry(String schema, String name, String collectionId, List<String> dropped) {
    Entry {
      dropped = List.copyOf(dropped);
    }

    boolean isDropped() {
      return collectionId.isEmpty();
    }

    Entry drop() {
      List<String> ids = new ArrayList<>(dropped);
      ids.add(collectionId);
      return new Entry(schema, name, "", ids);
    }

    Entry forget(Set<String> ids) {
      return new Entry(
          schema, name, collectionId, dropped.stream().filter(id -> !ids.contains(id)).toList());
    }
  }

  /**
   * Collections that a name stood for.
   *
   * @param ids oldest first
   * @param sinceMillis when the last of them was dropped, or later, by the store's clock
   */
  public record Dropped(List<String> ids, long sinceMillis) {}

  /** The collection id of a name. */
  public Optional<String> find(String schema, String name) {
    return read(path(schema, name))
        .map(Versioned::value)
        .filter(entry -> !entry.isDropped())
        .map(Entry::collectionId);
  }

  /** Gives a collection a name; false if the name is taken. */
  public boolean create(String schema, String name, String collectionId) {
    String path = path(schema, name);
    Optional<Versioned<Entry>> current = read(path);
    if (current.isEmpty()) {
      Entry first = new Entry(schema, name, collectionId, List.of());
      return store.putIfAbsent(path, encode(first)).isPresent();
    }
    Entry before = current.get().value();
    Entry next = new Entry(schema, name, collectionId, before.dropped());
    return before.isDropped()
        && store.putIfMatch(path, encode(next), current.get().tag()).isPresent();
  }

  /** Takes a collection's name away; false if it has none. */
  public boolean drop(String schema, String name) {
    String path = path(schema, name);
    Backoff backoff = new Backoff();
    while (true) {
      Optional<Versioned<Entry>> current = read(path);
      if (current.isEmpty() || current.get().value().isDropped()) {
        return false;
      }
      byte[] marker = encode(current.get().value().drop());
      if (store.putIfMatch(path, marker, current.get().tag()).isPresent()) {
        return true;
      }
      backoff.pause();
    }
  }

  /** The dropped collections of a name, if it has any. */
  public Optional<Dropped> dropped(String schema, String name) {
    String path = path(schema, name);
    List<String> ids = read(path).map(entry -> entry.value().dropped()).orElse(List.of());
    if (ids.isEmpty()) {
      return Optional.empty();
    }
    // After the ids: a drop that happens meanwhile makes the entry younger.
    return store.list(path).stream()
        .filter(object -> object.path().equals(path))
        .map(object -> new Dropped(ids, object.modifiedMillis()))
        .findFirst();
  }

  /** Takes dropped collections, whose objects are gone, off a name's list. */
  public void forget(String schema, String name, Set<String> ids) {
    String path = path(schema, name);
    Backoff backoff = new Backoff();
    while (true) {
      Optional<Versioned<Entry>> current = read(path);
      if (current.isEmpty()
          || store
              .putIfMatch(path, encode(current.get().value().forget(ids)), current.get().tag())
              .isPresent()) {
        return;
      }
      backoff.pause();
    }
  }

  /** Names of a schema's collections, as declared, in the order of their paths. */
  public List<String> list(String schema) {
    return entries(FOLDER + PathName.encode(schema) + "/").stream().map(Entry::name).toList();
  }

  /** Names of the schemas that have collections, as first declared, in the order of their paths. */
  public List<String> schemas() {
    TreeMap<String, String> byPath = new TreeMap<>();
    for (Entry entry : entries(FOLDER)) {
      byPath.putIfAbsent(PathName.encode(entry.schema()), entry.schema());
    }
    return List.copyOf(byPath.values());
  }

  private List<Entry> entries(String prefix) {
    return store.list(prefix).stream()
        .map(ObjectInfo::path)
        .filter(path -> path.endsWith(".json"))
        .flatMap(path -> read(path).stream())
        .map(Versioned::value)
        .filter(entry -> !entry.isDropped())
        .toList();
  }

  private Optional<Versioned<Entry>> read(String path) {
    Optional<StoredObject> object = store.get(path);
    return object.map(
        o -> {
          Versioned<Entry> known = decoded.getIfPresent(path);
          if (known == null || !known.tag().equals(o.tag())) {
            known = new Versioned<>(decode(o.content(), path), o.tag());
            decoded.put(path, known);
          }
          return known;
        });
  }

  private static String path(String schema, String name) {
    return FOLDER + PathName.encode(schema) + "/" + PathName.encode(name) + ".json";
  }

  private static byte[] encode(Entry entry) {
    ObjectNode json =
        SealedJson.ofFormat(FORMAT)
            .put("schema", entry.schema())
            .put("name", entry.name())
            .put("collection", entry.collectionId());
    ArrayNode dropped = json.putArray("dropped");
    entry.dropped().forEach(dropped::add);
    return SealedJson.seal(json.put("write", Ulid.next()));
  }

  private static Entry decode(byte[] bytes, String path) {
    SealedJson json = SealedJson.open(bytes, FORMAT, path);
    Entry entry =
        new Entry(
            json.text("schema"),
            json.text("name"),
            json.text("collection"),
            json.format() == FORMAT_WITHOUT_DROPPED ? List.of() : json.textList("dropped"));
    if (!path.equals(path(entry.schema(), entry.name()))) {
      throw new LoamException(
          ErrorCode.CORRUPT_OBJECT,
          "catalog entry of another name: path=%s, name=%s.%s; restore it from a copy"
              .formatted(path, entry.schema(), entry.name()));
    }
    return entry;
  }
}
