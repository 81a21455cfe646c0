package io.loam.jdbc;

import io.loam.Collection;
import io.loam.CollectionName;
import io.loam.Transaction;
import io.loam.VersionFiles;
import io.loam.Warehouse;
import io.loam.commit.CommitResult;
import io.loam.commit.WriteBatch;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.maintain.Garbage;
import io.loam.maintain.GcOptions;
import io.loam.maintain.Part;
import io.loam.maintain.Step;
import io.loam.maintain.Upkeep;
import io.loam.manifest.FileRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.Manifest.CommitKind;
import io.loam.manifest.Tag;
import io.loam.manifest.VectorIndexRef;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.FieldType;
import io.loam.schema.TypeKind;
import io.loam.vector.IndexKind;
import io.loam.verify.Verification;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Names and schemas without documents. */
final class FakeWarehouse implements Warehouse {
  volatile int closed;

  /** Runs whenever a collection is looked for. */
  volatile Runnable onFind = () -> {};

  /** Runs when a collection was created. */
  volatile Runnable onCreated = () -> {};

  private final List<Collection> collections = new ArrayList<>();

  /** A warehouse with one collection that has a field of every kind, {@code Every_Kind}. */
  static FakeWarehouse withEveryKind() {
    FakeWarehouse warehouse = new FakeWarehouse();
    List<Field> fields = new ArrayList<>();
    for (TypeKind kind : TypeKind.values()) {
      FieldType type =
          switch (kind) {
            case DECIMAL -> FieldType.decimal(12, 2);
            case VECTOR -> FieldType.vector(3);
            default -> FieldType.of(kind);
          };
      fields.add(
          new Field(
              fields.size() + 1,
              "c_" + kind.name().toLowerCase(java.util.Locale.ROOT),
              type,
              kind != TypeKind.BIGINT,
              kind == TypeKind.TEXT ? "english" : "",
              kind == TypeKind.VECTOR ? "cosine" : ""));
    }
    warehouse.add("Every_Kind", new CollectionSchema(1, fields, 1, fields.size() + 1, Map.of()));
    return warehouse;
  }

  void add(String name, CollectionSchema schema) {
    collections.add(new FakeCollection(CollectionName.of(name), schema));
  }

  @Override
  public boolean isNewFolder() {
    return false;
  }

  @Override
  public List<String> schemas() {
    return List.of(CollectionName.DEFAULT_SCHEMA);
  }

  @Override
  public List<CollectionName> collections(String schema) {
    return collections.stream().map(Collection::name).toList();
  }

  @Override
  public Optional<Collection> find(CollectionName name) {
    onFind.run();
    return collections.stream()
        .filter(c -> c.name().name().equalsIgnoreCase(name.name()))
        .findFirst();
  }

  @Override
  public Collection get(CollectionName name) {
    return find(name)
        .orElseThrow(() -> new LoamException(ErrorCode.UNKNOWN_COLLECTION, "no " + name));
  }

  @Override
  public Collection create(CollectionName name, CollectionSchema schema) {
    add(name.name(), schema);
    onCreated.run();
    return get(name);
  }

  @Override
  public boolean drop(CollectionName name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Garbage> collectGarbage(CollectionName name, GcOptions options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public synchronized void close() {
    closed = closed + 1;
  }

  private record FakeCollection(CollectionName name, CollectionSchema schema)
      implements Collection {
    @Override
    public void alter(UnaryOperator<CollectionSchema> change) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void reindex() {
      throw new UnsupportedOperationException();
    }

    @Override
    public CollectionSchema schema(VersionSpec version) {
      return schema;
    }

    @Override
    public Snapshot snapshot(VersionSpec version) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CommitResult commit(WriteBatch batch) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Transaction begin() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Manifest manifest(VersionSpec version) {
      FileRef none = new FileRef("none", 0, 0);
      return new Manifest(
          1,
          0,
          "",
          1,
          "",
          0,
          CommitKind.SCHEMA,
          1,
          none,
          List.of(),
          List.of(),
          List.of(),
          List.of(
              new VectorIndexRef(
                  "by_vector",
                  schema.fields().get(0).number(),
                  "ivf_sq",
                  "l2",
                  2,
                  Map.of(),
                  List.of())),
          0,
          0,
          0,
          Optional.empty());
    }

    @Override
    public void createIndex(
        String index, String column, IndexKind kind, Map<String, String> options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean dropIndex(String index) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void rebuildIndex(String index) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<Step> optimize(Set<Part> parts) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Upkeep upkeep() {
      throw new UnsupportedOperationException();
    }

    @Override
    public SortedMap<String, Tag> tags() {
      return new TreeMap<>();
    }

    @Override
    public void createTag(String tag, VersionSpec version) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Verification verify(VersionSpec version) {
      throw new UnsupportedOperationException();
    }

    @Override
    public VersionFiles files(VersionSpec version) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean dropTag(String tag) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<Manifest> manifests() {
      return List.of();
    }
  }
}
