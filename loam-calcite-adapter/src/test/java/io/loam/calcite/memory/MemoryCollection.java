package io.loam.calcite.memory;

import io.loam.Collection;
import io.loam.CollectionName;
import io.loam.Transaction;
import io.loam.VersionFiles;
import io.loam.commit.CommitResult;
import io.loam.commit.WriteBatch;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.maintain.Due;
import io.loam.maintain.Part;
import io.loam.maintain.Step;
import io.loam.maintain.Task;
import io.loam.maintain.Upkeep;
import io.loam.manifest.FileRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.Tag;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.schema.CollectionSchema;
import io.loam.vector.IndexKind;
import io.loam.verify.Verification;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A collection whose versions are lists of rows. */
final class MemoryCollection implements Collection {
  private final CollectionName name;
  private final CollectionSchema schema;
  private final AtomicInteger openSnapshots;
  private final List<List<MemoryRow>> versions = new ArrayList<>();
  private final SortedMap<String, Tag> tags = new TreeMap<>();
  private long nextRowId;

  MemoryCollection(CollectionName name, CollectionSchema schema, AtomicInteger openSnapshots) {
    this.name = name;
    this.schema = schema;
    this.openSnapshots = openSnapshots;
    versions.add(List.of());
  }

  @Override
  public CollectionName name() {
    return name;
  }

  @Override
  public CollectionSchema schema() {
    return schema;
  }

  @Override
  public CollectionSchema schema(VersionSpec version) {
    number(version);
    return schema;
  }

  @Override
  public synchronized Snapshot snapshot(VersionSpec version) {
    int number = number(version);
    return new MemorySnapshot(number, schema, versions.get(number - 1), openSnapshots);
  }

  private int number(VersionSpec version) {
    if (version instanceof VersionSpec.Latest) {
      return versions.size();
    }
    if (version instanceof VersionSpec.At at
        && at.version() >= 1
        && at.version() <= versions.size()) {
      return (int) at.version();
    }
    if (version instanceof VersionSpec.Tag tag && tags.containsKey(tag.name())) {
      return (int) tags.get(tag.name()).version();
    }
    throw new LoamException(
        ErrorCode.UNKNOWN_VERSION, "unknown version: version=" + version + "; use a retained one");
  }

  @Override
  public Transaction begin() {
    throw new UnsupportedOperationException();
  }

  @Override
  public synchronized CommitResult commit(WriteBatch batch) {
    if (batch.baseVersion() != 0 && batch.baseVersion() != versions.size()) {
      throw new LoamException(ErrorCode.CONFLICT, "rows changed; run the statement again");
    }
    List<MemoryRow> rows = new ArrayList<>(versions.get(versions.size() - 1));
    for (WriteBatch.Change change : batch.changes()) {
      if (change instanceof WriteBatch.Insert insert) {
        if (find(rows, insert.values()) >= 0) {
          throw new LoamException(ErrorCode.DUPLICATE_KEY, "key exists; use another");
        }
        rows.add(row(insert.values()));
      } else if (change instanceof WriteBatch.Upsert upsert) {
        int found = find(rows, upsert.values());
        if (found >= 0) {
          rows.remove(found);
        }
        rows.add(row(upsert.values()));
      } else if (change instanceof WriteBatch.Replace replace) {
        rows.removeIf(r -> r.rowId() == replace.rowId());
        rows.add(row(replace.values()));
      } else if (change instanceof WriteBatch.Delete delete) {
        rows.removeIf(r -> r.rowId() == delete.rowId());
      }
    }
    versions.add(List.copyOf(rows));
    return new CommitResult(versions.size(), 0, 0, 0);
  }

  @Override
  public Manifest manifest(VersionSpec version) {
    return manifests().get(versions.size() - number(version));
  }

  @Override
  public List<Step> optimize(Set<Part> parts) {
    return List.of(new Step(Part.SPLITS, parts.toString(), versions.size()));
  }

  @Override
  public Upkeep upkeep() {
    return new Upkeep(
        List.of(new Upkeep.Running("building", 0)),
        List.of(new Due(Part.SPLITS, new Task.MergeSplits(List.of()), "many")),
        Optional.of(new Upkeep.Failure("disk full", 1)),
        List.of(new Upkeep.Done(new Step(Part.FRAGMENTS, "few", 2), 3)));
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
  public synchronized SortedMap<String, Tag> tags() {
    return new TreeMap<>(tags);
  }

  @Override
  public synchronized void createTag(String tag, VersionSpec version) {
    tags.put(tag, new Tag(number(version), "", 0));
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
  public synchronized boolean dropTag(String tag) {
    return tags.remove(tag) != null;
  }

  @Override
  public void alter(UnaryOperator<CollectionSchema> change) {
    throw new UnsupportedOperationException("columns in memory are fixed");
  }

  @Override
  public void reindex() {}

  private MemoryRow row(@Nullable Object[] values) {
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null && !schema.fields().get(i).nullable()) {
        throw new LoamException(
            ErrorCode.NULL_NOT_ALLOWED,
            "column does not allow NULL: column=" + schema.fields().get(i).name() + "; give one");
      }
    }
    return new MemoryRow(nextRowId++, values.clone());
  }

  private int find(List<MemoryRow> rows, @Nullable Object[] values) {
    if (schema.hasHiddenKey()) {
      return -1;
    }
    int key = schema.position(schema.keyField());
    for (int i = 0; i < rows.size(); i++) {
      if (Objects.equals(rows.get(i).values()[key], values[key])) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public synchronized List<Manifest> manifests() {
    List<Manifest> manifests = new ArrayList<>();
    for (int v = versions.size(); v > 0; v--) {
      manifests.add(
          new Manifest(
              v,
              v - 1,
              "",
              1,
              "",
              v,
              Manifest.CommitKind.WRITE,
              1,
              new FileRef("", 0, 0),
              List.of(),
              List.of(),
              List.of(),
              List.of(),
              nextRowId,
              1,
              versions.get(v - 1).size(),
              Optional.empty()));
    }
    return manifests;
  }
}
