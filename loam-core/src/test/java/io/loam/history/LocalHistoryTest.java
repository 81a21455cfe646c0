package io.loam.history;

import io.loam.store.StoreLocation;

/** Processes on one folder. */
class LocalHistoryTest extends HistoryContract {
  @Override
  StoreLocation location() {
    return new StoreLocation.Folder(folder.resolve("warehouse"));
  }

  @Override
  String argument() {
    return folder.resolve("warehouse").toString();
  }
}
