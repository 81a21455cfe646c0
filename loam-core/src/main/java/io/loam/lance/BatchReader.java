package io.loam.lance;

import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.jspecify.annotations.Nullable;

/** Batches that Lance pulls while it writes, which remembers why one could not be had. */
abstract class BatchReader extends ArrowReader {
  private @Nullable RuntimeException failure;

  BatchReader(BufferAllocator allocator) {
    super(allocator);
  }

  /** Fills in the next batch, or returns false after the last. */
  abstract boolean load(VectorSchemaRoot root) throws IOException;

  /** What went wrong here; it reaches Lance as text only. */
  @Nullable RuntimeException failure() {
    return failure;
  }

  @Override
  public final boolean loadNextBatch() throws IOException {
    prepareLoadNextBatch();
    try {
      return load(getVectorSchemaRoot());
    } catch (RuntimeException e) {
      failure = e;
      throw e;
    }
  }

  @Override
  public long bytesRead() {
    return 0;
  }
}
