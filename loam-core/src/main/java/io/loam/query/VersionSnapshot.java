package io.loam.query;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.leaf.OpenVersion;
import io.loam.leaf.VersionOpener;
import io.loam.schema.CollectionSchema;
import java.util.concurrent.atomic.AtomicBoolean;

/** A snapshot over an open version, which it gives back when closed. */
public final class VersionSnapshot implements Snapshot {
  private final VersionOpener opener;
  private final OpenVersion version;
  private final AtomicBoolean closed = new AtomicBoolean();

  public VersionSnapshot(VersionOpener opener, OpenVersion version) {
    this.opener = opener;
    this.version = version;
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
    return version.manifest().liveDocuments();
  }

  @Override
  public BatchCursor query(SearchRequest request, QueryProfile profile) {
    checkOpen();
    return new RequestExecutor(version, profile).run(request);
  }

  @Override
  public RowBatch aggregate(SearchRequest request, Aggregation aggregation) {
    checkOpen();
    return new RequestExecutor(version, new QueryProfile()).aggregate(request, aggregation);
  }

  @Override
  public long count(SearchRequest request) {
    checkOpen();
    return new RequestExecutor(version, new QueryProfile()).count(request);
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
      opener.release(version);
    }
  }
}
