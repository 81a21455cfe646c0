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
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Names of collections, compared in any letter case. A dropped name stays as a marker, which the
 * next collection of that name replaces. Safe for use by several threads and processes.
 */
public final class Catalog {
  private static final int FORMAT = 3;

  /** Did not know of collections that were not finished. */
  private static final int FORMAT_WITHOUT_UNFINISHED = 2;

  private static final String FOLDER = "catalog/";

  private static final int CACHED = 1_024;
  private static final int UNKNOWN_ATTEMPTS = 3;

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
   * @param unfinished ids of collections that somebody makes, or began to make, under the name
   */
  private record Entry(
      String schema,
      String name,
      String collectionId,
      List<String> dropped,
      List<String> unfinished) {
    Entry {
      dropped = List.copyOf(dropped);
      unfinished = List.copyOf(unfinished);
    }

    boolean isDropped() {
      return collectionId.isEmpty();
    }

    /** Of a name that nothing had. */
    static Entry none(String schema, String name) {
      return new Entry(schema, name, "", List.of(), List.of());
    }

    Entry named(String newSchema, String newName) {
      return new Entry(newSchema, newName, collectionId, dropped, unfinished);
    }

    Entry begin(String id) {
      return new Entry(schema, name, collectionId, dropped, with(unfinished, id));
    }

    Entry finish(String id) {
      return new Entry(schema, name, id, dropped, without(unfinished, Set.of(id)));
    }

    Entry drop() {
      return new Entry(schema, name, "", with(dropped, collectionId), unfinished);
    }

    Entry abandon(String id) {
      return new Entry(
          schema, name, collectionId, with(dropped, id), without(unfinished, Set.of(id)));
    }

    Entry forget(Set<String> ids) {
      return new Entry(schema, name, collectionId, without(dropped, ids), without(unfinished, ids));
    }

    private static List<String> with(List<String> ids, String id) {
      List<String> more = new ArrayList<>(ids);
      more.add(id);
      return more;
    }

    private static List<String> without(List<String> ids, Set<String> gone) {
      return ids.stream().filter(id -> !gone.contains(id)).toList();
    }
  }

  /**
   * Collections that a name stood for or was to stand for.
   *
   * @param dropped oldest first
   * @param unfinished oldest first
   * @param sinceMillis when the last of them was dropped or begun, or later, by the store's clock
   */
  public record Leftovers(List<String> dropped, List<String> unfinished, long sinceMillis) {
    /** What a name has that nothing is left of. */
    static final Leftovers NONE = new Leftovers(List.of(), List.of(), 0);

    public boolean isEmpty() {
      return dropped.isEmpty() && unfinished.isEmpty();
    }
  }

  /** Whether the store is a folder in which no name was ever given. */
  public boolean isNewFolder() {
    return store.localPath(FOLDER.replace("/", "")).filter(path -> !Files.exists(path)).isPresent();
  }

  /** The collection id of a name. */
  public Optional<String> find(String schema, String name) {
    return read(path(schema, name))
        .map(Versioned::value)
        .filter(entry -> !entry.isDropped())
        .map(Entry::collectionId);
  }

  /**
   * Notes that a collection is being made, so that its objects are found should that end early;
   * false if the name is taken.
   */
  public boolean begin(String schema, String name, String collectionId) {
    return update(
            path(schema, name),
            Entry.none(schema, name),
            entry ->
                !entry.isDropped() || entry.unfinished().contains(collectionId)
                    ? entry
                    : entry.begin(collectionId))
        .unfinished()
        .contains(collectionId);
  }

  /**
   * Gives a collection that was begun its name, as declared when none had it last; false if the
   * name was taken meanwhile, or the collection was abandoned.
   */
  public boolean finish(String schema, String name, String collectionId) {
    return update(
            path(schema, name),
            Entry.none(schema, name),
            entry ->
                entry.isDropped() && entry.unfinished().contains(collectionId)
                    ? entry.finish(collectionId).named(schema, name)
                    : entry)
        .collectionId()
        .equals(collectionId);
  }

  /**
   * Counts a collection that was begun as dropped, so that nobody can finish it any more; false if
   * somebody did.
   */
  public boolean abandon(String schema, String name, String collectionId) {
    return update(
            path(schema, name),
            Entry.none(schema, name),
            entry ->
                entry.unfinished().contains(collectionId) ? entry.abandon(collectionId) : entry)
        .dropped()
        .contains(collectionId);
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

  /** What is left of a name's former and unfinished collections. */
  public Leftovers leftovers(String schema, String name) {
    String path = path(schema, name);
    Optional<Entry> entry = read(path).map(Versioned::value);
    if (entry.isEmpty()
        || (entry.get().dropped().isEmpty() && entry.get().unfinished().isEmpty())) {
      return Leftovers.NONE;
    }
    // After the ids: a drop that happens meanwhile makes the entry younger.
    return store.list(path).stream()
        .filter(object -> object.path().equals(path))
        .map(
            object ->
                new Leftovers(
                    entry.get().dropped(), entry.get().unfinished(), object.modifiedMillis()))
        .findFirst()
        .orElse(Leftovers.NONE);
  }

  /** Takes collections, whose objects are gone, off a name's lists. */
  public void forget(String schema, String name, Set<String> ids) {
    update(path(schema, name), Entry.none(schema, name), entry -> entry.forget(ids));
  }

  /**
   * Changes an entry, whoever else does meanwhile.
   *
   * @param first what an entry that is not there is taken for
   * @param change knows its own work where it finds it, since an outcome may have been unknown; the
   *     same entry is no change
   */
  private Entry update(String path, Entry first, UnaryOperator<Entry> change) {
    Backoff backoff = new Backoff();
    int unknowns = 0;
    while (true) {
      Optional<Versioned<Entry>> current = read(path);
      Entry before = current.map(Versioned::value).orElse(first);
      Entry next = change.apply(before);
      if (next.equals(before)) {
        return before;
      }
      try {
        Optional<String> tag =
            current.isEmpty()
                ? store.putIfAbsent(path, encode(next))
                : store.putIfMatch(path, encode(next), current.get().tag());
        if (tag.isPresent()) {
          return next;
        }
      } catch (LoamException e) {
        if (e.code() != ErrorCode.OUTCOME_UNKNOWN || ++unknowns == UNKNOWN_ATTEMPTS) {
          throw e;
        }
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
    ArrayNode unfinished = json.putArray("unfinished");
    entry.unfinished().forEach(unfinished::add);
    return SealedJson.seal(json.put("write", Ulid.next()));
  }

  private static Entry decode(byte[] bytes, String path) {
    SealedJson json = SealedJson.open(bytes, FORMAT, path);
    Entry entry =
        new Entry(
            json.text("schema"),
            json.text("name"),
            json.text("collection"),
            json.textList("dropped"),
            json.format() == FORMAT_WITHOUT_UNFINISHED ? List.of() : json.textList("unfinished"));
    if (!path.equals(path(entry.schema(), entry.name()))) {
      throw new LoamException(
          ErrorCode.CORRUPT_OBJECT,
          "catalog entry of another name: path=%s, name=%s.%s; restore it from a copy"
              .formatted(path, entry.schema(), entry.name()));
    }
    return entry;
  }
}
