package io.loam.query;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.leaf.OpenVersion;
import io.loam.schema.CollectionSchema;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A snapshot over an open version, whose owner closes it. */
public final class VersionSnapshot implements Snapshot {
  private final OpenVersion version;
  private final SnapshotOwner owner;
  private final AtomicBoolean closed = new AtomicBoolean();

  public VersionSnapshot(OpenVersion version, SnapshotOwner owner) {
    this.version = version;
    this.owner = owner;
  }

  @Override
  public long version() {
    return version.manifest().version();
  }

  @Override
  public CollectionSchema schema() {
    return version.schema();
  }

  @Override
  public long liveDocuments() {
    return version.liveDocuments();
  }

  @Override
  public BatchCursor query(SearchRequest request, QueryProfile profile) {
    checkOpen();
    BatchCursor cursor =
        explained(() -> profile.watched(() -> new RequestExecutor(version, profile).run(request)));
    return new ExplainedCursor(cursor, profile);
  }

  @Override
  public RowBatch aggregate(SearchRequest request, Aggregation aggregation, QueryProfile profile) {
    checkOpen();
    return explained(
        () ->
            profile.watched(
                () -> new RequestExecutor(version, profile).aggregate(request, aggregation)));
  }

  @Override
  public VectorStrategy strategy(Search.Vector search) {
    checkOpen();
    return explained(() -> new SearchRunner(version, new QueryProfile()).strategy(search));
  }

  private <T extends @Nullable Object> T explained(Supplier<T> read) {
    try {
      return read.get();
    } catch (LoamException e) {
      throw owner.explain(e);
    }
  }

  /** A cursor whose errors the owner explains. */
  private final class ExplainedCursor implements BatchCursor {
    private final BatchCursor cursor;
    private final QueryProfile profile;

    ExplainedCursor(BatchCursor cursor, QueryProfile profile) {
      this.cursor = cursor;
      this.profile = profile;
    }

    @Override
    public @Nullable RowBatch next() {
      return explained(() -> profile.<@Nullable RowBatch>watched(cursor::next));
    }

    @Override
    public void close() {
      cursor.close();
    }
  }

  private void checkOpen() {
    if (closed.get()) {
      throw new LoamException(
          ErrorCode.CLOSED, "snapshot is closed: version=" + version() + "; take a new snapshot");
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      owner.closed();
    }
  }
}
