package io.loam;

import io.loam.store.StoreLocation;
import java.nio.file.Path;

/** In a folder. */
class LocalIndexRaceTest extends IndexRaceContract {
  @Override
  StoreLocation location() {
    return new StoreLocation.Folder(folder.resolve("warehouse"));
  }

  @Override
  Path files() {
    return folder.resolve("warehouse");
  }

  @Override
  void letTimePass() {}
}
