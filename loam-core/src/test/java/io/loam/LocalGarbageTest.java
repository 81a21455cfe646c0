package io.loam;

import io.loam.store.StoreLocation;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

/** Garbage collection in a folder. */
class LocalGarbageTest {
  private record Folder(Path files) implements GarbageCase.Place {
    @Override
    public StoreLocation location() {
      return new StoreLocation.Folder(files);
    }

    @Override
    public void letTimePass() {}
  }

  @Nested
  class Kept extends GarbageContract {
    @Override
    Place newPlace() {
      return new Folder(folder.resolve("warehouse"));
    }
  }

  @Nested
  class Writers extends GarbageWritersContract {
    @Override
    Place newPlace() {
      return new Folder(folder.resolve("warehouse"));
    }
  }

  @Nested
  class Readers extends GarbageReadersContract {
    @Override
    Place newPlace() {
      return new Folder(folder.resolve("warehouse"));
    }
  }

  @Nested
  class Stopped extends StoppedGarbageContract {
    @Override
    Place newPlace() {
      return new Folder(folder.resolve("warehouse"));
    }

    @Override
    int stride() {
      return 1;
    }
  }
}
