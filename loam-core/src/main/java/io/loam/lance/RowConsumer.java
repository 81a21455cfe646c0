package io.loam.lance;

/** Takes rows one by one. */
@FunctionalInterface
public interface RowConsumer {
  void accept(long rowId, LanceRow row);
}
