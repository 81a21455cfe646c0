package io.loam;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.error.Suggestion;
import io.loam.index.ChildParts;
import io.loam.index.PartRunner;
import io.loam.lance.LanceFiles;
import io.loam.lance.LanceStore;
import io.loam.lance.LanceVerification;
import io.loam.lance.LanceWorkspace;
import io.loam.leaf.CachedCopies;
import io.loam.leaf.CollectionFiles;
import io.loam.leaf.FileCache;
import io.loam.leaf.MemoryBudget;
import io.loam.maintain.DroppedCollections;
import io.loam.maintain.Garbage;
import io.loam.maintain.GcOptions;
import io.loam.maintain.Ticker;
import io.loam.manifest.Catalog;
import io.loam.manifest.FileRef;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.schema.CollectionSchema;
import io.loam.store.ObjectStore;
import io.loam.store.ObjectStore.ObjectInfo;
import io.loam.store.Traffic;
import io.loam.store.Ulid;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A warehouse on an object store. */
final class LoamWarehouse implements Warehouse {
  private static final long LANCE_INDEX_CACHE_BYTES = 64L << 20;
  private static final long LANCE_METADATA_CACHE_BYTES = 128L << 20;
  private static final long COPIES_BYTES = 20L << 30;
  private static final long PIN_TICK_MILLIS = 1_000;
  private static final Pattern PLAN = Pattern.compile("collections/([^/]+)/plans/[^/]+\\.json");
  private static final int CREATE_ATTEMPTS = 10;

  private final ObjectStore store;
  private final Catalog catalog;
  private final FileCache copies;
  private final MemoryBudget memory;
  private final ExecutorService executor;
  private final Ticker pins;
  private final BackgroundUpkeep upkeep;
  private final Parts parts;
  private final Map<String, LoamCollection> open = new HashMap<>();
  private @Nullable LanceStore lance;
  private volatile boolean closed;

  LoamWarehouse(WarehouseOptions options) {
    this(options, options.location().open());
  }

  /** Over a store that is closed with the warehouse. */
  LoamWarehouse(WarehouseOptions options, ObjectStore store) {
    this(options, store, Parts.of(options));
  }

  /** Who builds parts of the indexes of a collection. */
  interface Parts {
    /** Nothing: this process. */
    Optional<PartRunner> runner(CollectionFiles files);

    private static Parts of(WarehouseOptions options) {
      int processes = options.buildProcesses();
      Optional<PartJvm> jvm =
          processes == 0
              ? Optional.empty()
              : PartJvm.of(options.location(), CacheFolder.of(options));
      return files -> jvm.map(command -> new ChildParts(files, command, processes));
    }
  }

  LoamWarehouse(WarehouseOptions options, ObjectStore store, Parts parts) {
    this.store = store;
    this.catalog = new Catalog(store);
    Path cache = CacheFolder.of(options);
    this.copies = new FileCache(cache, COPIES_BYTES);
    this.parts = parts;
    long budget =
        options.cacheBytes() > 0 ? options.cacheBytes() : Runtime.getRuntime().maxMemory() / 4;
    this.memory = new MemoryBudget(budget);
    this.executor =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "loam-writer");
              thread.setDaemon(true);
              return thread;
            });
    this.upkeep = options.autoOptimize() ? BackgroundUpkeep.on() : BackgroundUpkeep.off();
    this.pins = new Ticker("loam-pins", PIN_TICK_MILLIS, this::renewPins);
  }

  @Override
  public boolean isNewFolder() {
    checkOpen();
    return catalog.isNewFolder();
  }

  @Override
  public List<String> schemas() {
    checkOpen();
    List<String> names = new ArrayList<>(catalog.schemas());
    if (names.stream().noneMatch(CollectionName.DEFAULT_SCHEMA::equalsIgnoreCase)) {
      names.add(CollectionName.DEFAULT_SCHEMA);
    }
    return names;
  }

  @Override
  public List<CollectionName> collections(String schema) {
    checkOpen();
    return catalog.list(schema).stream().map(n -> new CollectionName(schema, n)).toList();
  }

  @Override
  public Optional<Collection> find(CollectionName name) {
    checkOpen();
    return Glance.of(new CatalogKey(catalog, name), () -> catalog.find(name.schema(), name.name()))
        .map(id -> open(id, name));
  }

  private record CatalogKey(Catalog catalog, CollectionName name) {}

  private synchronized LoamCollection open(String id, CollectionName name) {
    return open.computeIfAbsent(
        id,
        i -> {
          CollectionFiles files = files(i);
          return new LoamCollection(
              name,
              new Metastore(store, i),
              files,
              task -> executor.execute(Traffic.ofCaller(task)),
              upkeep,
              parts.runner(files));
        });
  }

  /**
   * Builds a part of a stored plan.
   *
   * @param part counted from 0
   * @param checkpoint called now and then
   */
  void buildPart(String planPath, int part, Runnable checkpoint) {
    Matcher path = PLAN.matcher(planPath);
    if (!path.matches()) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          "not the path of a plan: path="
              + planPath
              + "; give one such as collections/<id>/plans/<name>.json");
    }
    open(path.group(1), new CollectionName(CollectionName.DEFAULT_SCHEMA, path.group(1)))
        .buildPart(planPath, part, checkpoint);
  }

  private CollectionFiles files(String id) {
    String folder = new Metastore(store, id).path("");
    return new CollectionFiles(
        store,
        folder,
        lance(),
        LanceFiles.in(
            store, folder, LanceVerification.SMALL, lance(), new CachedCopies(store, copies)),
        copies,
        memory);
  }

  private synchronized LanceStore lance() {
    if (lance == null) {
      lance = LanceStore.open(LANCE_INDEX_CACHE_BYTES, LANCE_METADATA_CACHE_BYTES);
    }
    return lance;
  }

  @Override
  public Collection get(CollectionName name) {
    return find(name)
        .orElseThrow(
            () ->
                new LoamException(
                    ErrorCode.UNKNOWN_COLLECTION,
                    "no such table: name="
                        + name
                        + Suggestion.mend(
                            name.name(),
                            collections(name.schema()).stream()
                                .map(CollectionName::name)
                                .toList())));
  }

  @Override
  public Collection create(CollectionName name, CollectionSchema schema) {
    checkOpen();
    for (int attempt = 0; attempt < CREATE_ATTEMPTS; attempt++) {
      String id = Ulid.next();
      if (!catalog.begin(name.schema(), name.name(), id)) {
        throw exists(name);
      }
      make(id, schema);
      if (catalog.finish(name.schema(), name.name(), id)) {
        return open(id, name);
      }
      store.deleteAll(
          store.list(new Metastore(store, id).path("")).stream().map(ObjectInfo::path).toList());
      catalog.forget(name.schema(), name.name(), Set.of(id));
      // Either another one has the name now, or garbage collection took ours for abandoned.
    }
    throw new LoamException(
        ErrorCode.CONFLICT,
        "garbage collection was always faster: name=" + name + "; run the statement again");
  }

  private static LoamException exists(CollectionName name) {
    return new LoamException(
        ErrorCode.DUPLICATE_COLLECTION,
        "table exists: name=" + name + "; choose another name, drop it, or use IF NOT EXISTS");
  }

  /** Makes an empty collection that has no name yet. */
  private void make(String id, CollectionSchema schema) {
    Metastore metastore = new Metastore(store, id);
    EmptyDataset dataset = createDataset(files(id), schema);
    String schemaPath = metastore.writeSchema(schema);
    Manifest manifest =
        new Manifest(
            1,
            0,
            "",
            schema.version(),
            schemaPath,
            System.currentTimeMillis(),
            Manifest.CommitKind.SCHEMA,
            dataset.version(),
            dataset.manifest(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            1,
            1,
            0,
            Optional.empty());
    metastore.createHead(Head.first(metastore.writeManifest(manifest)));
  }

  private record EmptyDataset(long version, FileRef manifest) {}

  private EmptyDataset createDataset(CollectionFiles files, CollectionSchema schema) {
    try (LanceWorkspace workspace = files.lanceFiles().workspace()) {
      long version = lance().create(workspace.uri(), schema);
      List<String> created = workspace.list();
      workspace.publish(created);
      store.force(created.stream().map(p -> files.folder() + LanceFiles.FOLDER + p).toList());
      String manifest =
          created.stream().filter(p -> p.endsWith(".manifest")).findFirst().orElseThrow();
      return new EmptyDataset(version, workspace.describe(manifest));
    }
  }

  @Override
  public boolean drop(CollectionName name) {
    checkOpen();
    return catalog.drop(name.schema(), name.name());
  }

  @Override
  public List<Garbage> collectGarbage(CollectionName name, GcOptions options) {
    checkOpen();
    List<Garbage> garbage =
        new ArrayList<>(
            new DroppedCollections(store, catalog).run(name.schema(), name.name(), options));
    Optional<String> id = catalog.find(name.schema(), name.name());
    if (id.isPresent()) {
      garbage.addAll(open(id.get(), name).collectGarbage(options));
    } else if (garbage.isEmpty() && catalog.leftovers(name.schema(), name.name()).isEmpty()) {
      get(name); // names the nearest collection
    }
    return garbage;
  }

  private void renewPins() {
    List<LoamCollection> collections;
    synchronized (this) {
      collections = List.copyOf(open.values());
    }
    collections.forEach(LoamCollection::renewPins);
  }

  private void checkOpen() {
    if (closed) {
      throw new LoamException(ErrorCode.CLOSED, "warehouse is closed; open it again");
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    upkeep.closeThen(
        () -> {
          pins.close(); // outside the lock, which its work takes
          closeAll();
        });
  }

  private synchronized void closeAll() {
    executor.shutdown();
    open.values().forEach(LoamCollection::close);
    if (lance != null) {
      lance.close();
    }
    store.close();
  }

  /** Where copies of remote objects go. */
  private static final class CacheFolder {
    static Path of(WarehouseOptions options) {
      if (options.cacheFolder() != null) {
        return options.cacheFolder();
      }
      String property = System.getProperty("loam.cache");
      if (property != null && !property.isEmpty()) {
        return Path.of(property);
      }
      Path home = Path.of(System.getProperty("user.home", ""));
      if (home.isAbsolute() && java.nio.file.Files.isWritable(home)) {
        return home.resolve(".cache").resolve("loam");
      }
      return Path.of(System.getProperty("java.io.tmpdir"), "loam-cache");
    }
  }
}
