package io.loam.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.CollectionSchema;
import io.loam.schema.SchemaCodec;
import io.loam.schema.SealedJson;
import io.loam.store.FreshObject;
import io.loam.store.ObjectStore;
import io.loam.store.ObjectStore.StoredObject;
import io.loam.store.Ulid;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Head, id blocks, manifests and schemas of one collection. All paths taken and given are relative
 * to the warehouse. Safe for use by several threads.
 */
public final class Metastore {
  private static final int IDS_FORMAT = 1;
  private static final int UNKNOWN_ATTEMPTS = 3;
  private static final int CACHED_MANIFESTS = 64;
  private static final int CACHED_SCHEMAS = 16;

  private final ObjectStore store;
  private final String collectionId;
  private final String folder;

  /** The head as it was last read or written: a tag stands for one content. */
  private volatile @Nullable Versioned<Head> lastHead;

  private final Cache<String, Manifest> manifests =
      Caffeine.newBuilder().maximumSize(CACHED_MANIFESTS).build();
  private final Cache<String, CollectionSchema> schemas =
      Caffeine.newBuilder().maximumSize(CACHED_SCHEMAS).build();

  public Metastore(ObjectStore store, String collectionId) {
    this.store = store;
    this.collectionId = collectionId;
    this.folder = "collections/" + collectionId + "/";
  }

  /** The same collection, of which nothing is in memory yet. */
  public Metastore uncached() {
    return new Metastore(store, collectionId);
  }

  /** The path of something in the collection's folder. */
  public String path(String relative) {
    return folder + relative;
  }

  /** The head now; {@code MISSING_OBJECT} where there is none. */
  public Versioned<Head> head() {
    String path = path("head");
    StoredObject object = read(path);
    Versioned<Head> last = lastHead;
    if (last == null || !last.tag().equals(object.tag())) {
      last = new Versioned<>(HeadCodec.decode(object.content(), path), object.tag());
      lastHead = last;
    }
    return last;
  }

  /**
   * Replaces the head if it is still {@code expected}: the one commit point. Returns nothing if
   * another writer was faster. On {@code OUTCOME_UNKNOWN} the new head may or may not be in place.
   *
   * @param next never of a lower version, epoch or oldest version than the expected head
   */
  public Optional<Versioned<Head>> swapHead(Versioned<Head> expected, Head next) {
    Head before = expected.value();
    if (next.version() < before.version()
        || next.leaseEpoch() < before.leaseEpoch()
        || next.gcEpoch() < before.gcEpoch()
        || next.oldestVersion() < before.oldestVersion()) {
      throw new LoamException(
          ErrorCode.INTERNAL,
          "head would go back: before=%s, next=%s; report this".formatted(before, next));
    }
    Optional<Versioned<Head>> swapped =
        store
            .putIfMatch(path("head"), HeadCodec.encode(next), expected.tag())
            .map(tag -> new Versioned<>(next, tag));
    swapped.ifPresent(head -> lastHead = head);
    return swapped;
  }

  /** Waits a little for a turn at swapping the head; see {@link ObjectStore#turn}. */
  public ObjectStore.Turn turn() {
    return store.turn(path("head"));
  }

  /** The newest head that is known without asking the store; it may be out of date. */
  public Versioned<Head> newestKnown(Versioned<Head> head) {
    Versioned<Head> last = lastHead;
    return last != null && last.value().version() > head.value().version() ? last : head;
  }

  /**
   * Changes what a head says beside its version, however many writers are at work.
   *
   * @param change asked again for each newer head; it has to know its own work where it finds it,
   *     since an outcome may have been unknown. What it throws is thrown; the same head is no
   *     change
   */
  public Versioned<Head> updateHead(UnaryOperator<Head> change) {
    Backoff backoff = new Backoff();
    int unknowns = 0;
    while (true) {
      Versioned<Head> head = head();
      Head next = change.apply(head.value());
      if (next.equals(head.value())) {
        return head;
      }
      try {
        Optional<Versioned<Head>> swapped = swapHead(head, next);
        if (swapped.isPresent()) {
          return swapped.get();
        }
      } catch (LoamException e) {
        if (e.code() != ErrorCode.OUTCOME_UNKNOWN || ++unknowns == UNKNOWN_ATTEMPTS) {
          throw e;
        }
      }
      backoff.pause();
    }
  }

  /** Makes a new collection's head and id counters; the collection exists from here on. */
  public void createHead(Head head) {
    // The counters come first: a head without them would be a collection that cannot be written.
    FreshObject.put(store, path("ids"), encodeIds(1, 1));
    FreshObject.put(store, path("head"), HeadCodec.encode(head));
  }

  /** The next ids; nothing below them is free. */
  public IdBlock nextIds() {
    String path = path("ids");
    SealedJson ids = SealedJson.open(read(path).content(), IDS_FORMAT, path);
    return new IdBlock(ids.number("nextRowId"), 0, ids.integer("nextFragmentId"), 0);
  }

  /**
   * Reserves row ids and fragment ids for the caller alone; what it does not use stays unused. The
   * caller must check that the block is not below its manifest's high-water marks.
   */
  public IdBlock reserve(long rows, int fragments) {
    String path = path("ids");
    Backoff backoff = new Backoff();
    while (true) {
      StoredObject object = read(path);
      SealedJson ids = SealedJson.open(object.content(), IDS_FORMAT, path);
      long row = ids.number("nextRowId");
      int fragment = ids.integer("nextFragmentId");
      if (fragments > Integer.MAX_VALUE - fragment) {
        throw new LoamException(
            ErrorCode.LIMIT_EXCEEDED,
            "fragment ids used up: collection=%s, next=%d, wanted=%d; copy it to a new collection"
                .formatted(folder, fragment, fragments));
      }
      byte[] next = encodeIds(row + rows, fragment + fragments);
      if (swapped(path, next, object.tag())) {
        return new IdBlock(row, rows, fragment, fragments);
      }
      backoff.pause();
    }
  }

  /** Whether the counters were moved by us. An unknown outcome costs a gap, and gaps are fine. */
  private boolean swapped(String path, byte[] next, String tag) {
    try {
      return store.putIfMatch(path, next, tag).isPresent();
    } catch (LoamException e) {
      if (e.code() == ErrorCode.OUTCOME_UNKNOWN) {
        return false;
      }
      throw e;
    }
  }

  private static byte[] encodeIds(long nextRowId, int nextFragmentId) {
    ObjectNode json =
        SealedJson.ofFormat(IDS_FORMAT)
            .put("nextRowId", nextRowId)
            .put("nextFragmentId", nextFragmentId)
            .put("write", Ulid.next());
    return SealedJson.seal(json);
  }

  /** A manifest, read once; {@code MISSING_OBJECT} or {@code CORRUPT_OBJECT} name the path. */
  public Manifest readManifest(String path) {
    return manifests.get(path, p -> named(ManifestCodec.decode(read(p).content(), p), p));
  }

  /** A manifest that its name belongs to; one in another's place could lead round in circles. */
  private static Manifest named(Manifest manifest, String path) {
    if (!path.substring(path.lastIndexOf('/') + 1).startsWith(namePrefix(manifest))) {
      throw new LoamException(
          ErrorCode.CORRUPT_OBJECT,
          "a manifest is in another's place: path=%s, version=%d; restore it from a copy"
              .formatted(path, manifest.version()));
    }
    return manifest;
  }

  private static String namePrefix(Manifest manifest) {
    return "%020d-".formatted(manifest.version());
  }

  /** Writes a manifest under a fresh name and returns its path; see {@link ObjectStore#stage}. */
  public String stageManifest(Manifest manifest) {
    String path = path("manifests/" + namePrefix(manifest) + Ulid.next() + ".pb");
    FreshObject.stage(store, path, ManifestCodec.encode(manifest));
    manifests.put(path, manifest);
    return path;
  }

  /** Writes a manifest under a fresh name and returns its path. */
  public String writeManifest(Manifest manifest) {
    String path = stageManifest(manifest);
    store.force(List.of(path));
    return path;
  }

  /** A schema, read once; {@code MISSING_OBJECT} or {@code CORRUPT_OBJECT} name the path. */
  public CollectionSchema readSchema(String path) {
    return schemas.get(path, p -> SchemaCodec.decode(read(p).content(), p));
  }

  /** Writes a schema under a fresh name and returns its path. */
  public String writeSchema(CollectionSchema schema) {
    String path = path("schemas/%d-%s.json".formatted(schema.version(), Ulid.next()));
    FreshObject.put(store, path, SchemaCodec.encode(schema));
    return path;
  }

  private StoredObject read(String path) {
    return store
        .get(path)
        .orElseThrow(
            () ->
                new LoamException(
                    ErrorCode.MISSING_OBJECT,
                    "no such object: path=" + path + "; restore it from a copy"));
  }
}
