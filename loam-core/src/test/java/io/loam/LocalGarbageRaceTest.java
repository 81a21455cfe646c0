package io.loam;

import io.loam.store.StoreLocation;
import java.nio.file.Path;

/** In a folder. */
class LocalGarbageRaceTest extends GarbageRaceContract {
  @Override
  StoreLocation location() {
    return new StoreLocation.Folder(files());
  }

  @Override
  String argument() {
    return files().toString();
  }

  @Override
  Path files() {
    return folder.resolve("warehouse");
  }
}
