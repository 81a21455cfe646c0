package io.loam.verify;

import io.loam.schema.Key;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Finds keys that two live documents have: in a first pass, hashes that come twice, of eight bytes
 * each; in a second one, which is seldom needed, the keys behind them.
 */
final class KeyCheck {
  private static final long FNV_OFFSET = 0xCBF2_9CE4_8422_2325L;
  private static final long FNV_PRIME = 0x100_0000_01B3L;

  private final LongStream.Builder hashes = LongStream.builder();
  private final Map<Key, Long> suspects = new HashMap<>();

  void add(byte[] key) {
    hashes.add(hash(key));
  }

  /** Hashes of keys that may be there twice; called once, after all keys were added. */
  Set<Long> repeatedHashes() {
    long[] sorted = hashes.build().sorted().toArray();
    Set<Long> repeated = new HashSet<>();
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] == sorted[i - 1]) {
        repeated.add(sorted[i]);
      }
    }
    return repeated;
  }

  /** Takes a document of the second pass. */
  void compare(byte[] key, long rowId, Set<Long> repeatedHashes, String object, Findings findings) {
    if (repeatedHashes.contains(hash(key))) {
      Key suspect = Key.fromBytes(Arrays.copyOf(key, key.length));
      Long other = suspects.putIfAbsent(suspect, rowId);
      if (other != null) {
        findings.add(
            object,
            "two documents of one key",
            "key=%s, rowId=%d, otherRowId=%d".formatted(suspect, rowId, other));
      }
    }
  }

  private static long hash(byte[] key) {
    long hash = FNV_OFFSET;
    for (byte b : key) {
      hash = (hash ^ (b & 0xFF)) * FNV_PRIME;
    }
    return hash;
  }
}
