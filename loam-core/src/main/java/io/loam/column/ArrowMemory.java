package io.loam.column;

import io.loam.arrow.ArrowAccess;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Arrow memory for one read or write. */
final class ArrowMemory {
  private ArrowMemory() {}

  /** An allocator whose close fails if a buffer was not freed. */
  static BufferAllocator newAllocator() {
    ArrowAccess.open();
    return new RootAllocator();
  }
}
