package io.loam.verify;

import io.loam.schema.Key;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Finds keys that two live documents have: in a first pass, hashes that come twice, of eight bytes
 * each; in a second one, which is seldom needed, the keys behind them.
 */
final class KeyCheck implements KeyVisitor {
  private static final long FNV_OFFSET = 0xCBF2_9CE4_8422_2325L;
  private static final long FNV_PRIME = 0x100_0000_01B3L;

  private final Findings findings;
  private final LongStream.Builder hashes = LongStream.builder();
  private final Map<Key, Long> suspects = new HashMap<>();
  private long documents;

  KeyCheck(Findings findings) {
    this.findings = findings;
  }

  /** Takes a document of the first pass. */
  @Override
  public void visit(String object, long rowId, byte[] key) {
    documents++;
    hashes.add(hash(key));
  }

  /** Documents of the first pass. */
  long documents() {
    return documents;
  }

  /** Hashes that came twice; called once, after the first pass. */
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

  /** Takes the documents of the second pass. */
  KeyVisitor secondPass(Set<Long> repeatedHashes) {
    return (object, rowId, key) -> {
      if (repeatedHashes.contains(hash(key))) {
        Key suspect = Key.fromBytes(key);
        Long other = suspects.putIfAbsent(suspect, rowId);
        if (other != null) {
          findings.add(
              object,
              "two documents of one key",
              "key=%s, rowId=%d, otherRowId=%d".formatted(suspect, rowId, other));
        }
      }
    };
  }

  private static long hash(byte[] key) {
    long hash = FNV_OFFSET;
    for (byte b : key) {
      hash = (hash ^ (b & 0xFF)) * FNV_PRIME;
    }
    return hash;
  }
}
