package io.loam.query;

import java.util.function.LongConsumer;

/** Numbers distinct longs from 0 on, in the order in which they come. */
final class LongNumbering {
  private long[] keys = new long[64];

  /** Number + 1 of the key at a place; 0 where there is none. */
  private int[] places = new int[64];

  private int size;

  int size() {
    return size;
  }

  int number(long key) {
    int place = place(key);
    if (places[place] == 0) {
      if (2 * size >= places.length) {
        grow();
        place = place(key);
      }
      keys[place] = key;
      places[place] = ++size;
    }
    return places[place] - 1;
  }

  /** Gives each key once. */
  void forEach(LongConsumer consumer) {
    for (int i = 0; i < keys.length; i++) {
      if (places[i] != 0) {
        consumer.accept(keys[i]);
      }
    }
  }

  /** Where the key is, or would be. */
  private int place(long key) {
    int mask = places.length - 1;
    int place = (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    while (places[place] != 0 && keys[place] != key) {
      place = (place + 1) & mask;
    }
    return place;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldPlaces = places;
    keys = new long[2 * oldKeys.length];
    places = new int[keys.length];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldPlaces[i] != 0) {
        int place = place(oldKeys[i]);
        keys[place] = oldKeys[i];
        places[place] = oldPlaces[i];
      }
    }
  }
}
