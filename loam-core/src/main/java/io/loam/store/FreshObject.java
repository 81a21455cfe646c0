package io.loam.store;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Writes objects under names that nobody else uses: where an outcome is unknown, the same write is
 * tried again, and an object of the very same content is taken for our own.
 */
public final class FreshObject {
  private static final int ATTEMPTS = 3;

  private FreshObject() {}

  /** Creates an object; see {@link ObjectStore#putIfAbsent}. */
  public static void put(ObjectStore store, String path, byte[] content) {
    create(store, path, content, () -> store.putIfAbsent(path, content));
  }

  /** Creates an object that is not on stable storage yet; see {@link ObjectStore#stage}. */
  public static void stage(ObjectStore store, String path, byte[] content) {
    create(store, path, content, () -> store.stage(path, content));
  }

  /** Creates an object from a local file; see {@link ObjectStore#putFileIfAbsent}. */
  public static void putFile(ObjectStore store, String path, Path file) {
    create(path, () -> store.putFileIfAbsent(path, file), () -> isThere(store, path, file));
  }

  private static void create(
      ObjectStore store, String path, byte[] content, Supplier<Optional<String>> write) {
    create(path, write, () -> isThere(store, path, content));
  }

  private static void create(
      String path, Supplier<Optional<String>> write, BooleanSupplier isThere) {
    for (int attempt = 1; ; attempt++) {
      try {
        if (write.get().isPresent() || isThere.getAsBoolean()) {
          return;
        }
        throw new LoamException(
            ErrorCode.CONFLICT, "object name is taken: path=" + path + "; try again");
      } catch (LoamException e) {
        if (e.code() != ErrorCode.OUTCOME_UNKNOWN || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static boolean isThere(ObjectStore store, String path, Path file) {
    try {
      long size = Files.size(file);
      return store.size(path).equals(OptionalLong.of(size))
          && store.crc32c(path, size) == LocalFiles.crc32c(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // read a moment ago
    }
  }

  private static boolean isThere(ObjectStore store, String path, byte[] content) {
    return store.get(path).filter(o -> Arrays.equals(o.content(), content)).isPresent();
  }
}
