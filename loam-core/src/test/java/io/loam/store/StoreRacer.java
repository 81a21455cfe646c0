package io.loam.store;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A process that races others on a folder: it adds one to the number in {@code counter} some times
 * by compare-and-swap, and tries to create {@code once/0}, {@code once/1} and so on. It prints how
 * many of these it made.
 */
final class StoreRacer {
  private StoreRacer() {}

  public static void main(String[] args) {
    int rounds = Integer.parseInt(args[1]);
    int made = 0;
    try (ObjectStore store = new LocalObjectStore(Path.of(args[0]))) {
      for (int i = 0; i < rounds; i++) {
        byte[] owner = args[2].getBytes(StandardCharsets.UTF_8);
        made += store.putIfAbsent("once/" + i, owner).isPresent() ? 1 : 0;
        increment(store);
      }
    }
    System.out.printf(Locale.ROOT, "%d%n", made);
  }

  private static void increment(ObjectStore store) {
    while (true) {
      ObjectStore.StoredObject counter = store.get("counter").orElseThrow();
      int value = Integer.parseInt(new String(counter.content(), StandardCharsets.UTF_8));
      byte[] next = Integer.toString(value + 1).getBytes(StandardCharsets.UTF_8);
      if (store.putIfMatch("counter", next, counter.tag()).isPresent()) {
        return;
      }
    }
  }
}
