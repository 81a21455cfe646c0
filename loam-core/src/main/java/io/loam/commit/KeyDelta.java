package io.loam.commit;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.Key;
import io.loam.store.Envelope;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The keys that one commit changed. Body of the object: u32 count, then for each entry u16 length
 * and bytes of the key, i64 row id that the key has now (0: none), i64 row id that it had before
 * (0: none); big-endian.
 */
public record KeyDelta(List<Entry> entries) {
  static final String MAGIC = "LMKD";
  static final int FORMAT = 1;

  /**
   * One key's change.
   *
   * @param rowId the key's document now, or 0
   * @param previousRowId the key's document before, or 0
   */
  public record Entry(Key key, long rowId, long previousRowId) {}

  public KeyDelta {
    entries = List.copyOf(entries);
  }

  /** One of some keys that the commit changed, if there is one. */
  Optional<Key> firstOf(Set<Key> keys) {
    return entries.stream().map(Entry::key).filter(keys::contains).findFirst();
  }

  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(16 + entries.size() * 32);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(entries.size());
      for (Entry e : entries) {
        out.writeShort(e.key().bytes().length);
        out.write(e.key().bytes());
        out.writeLong(e.rowId());
        out.writeLong(e.previousRowId());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Envelope.wrap(MAGIC, FORMAT, bytes.toByteArray());
  }

  /** Reads an object's bytes; {@code CORRUPT_OBJECT} names its path. */
  public static KeyDelta decode(byte[] bytes, String path) {
    byte[] body = Envelope.unwrap(MAGIC, FORMAT, bytes, path);
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(body))) {
      int count = in.readInt();
      List<Entry> entries = new ArrayList<>(Math.min(count, body.length / 18));
      for (int i = 0; i < count; i++) {
        byte[] key = in.readNBytes(in.readUnsignedShort());
        entries.add(new Entry(Key.fromBytes(key), in.readLong(), in.readLong()));
      }
      return new KeyDelta(entries);
    } catch (IOException e) {
      throw new LoamException(
          ErrorCode.CORRUPT_OBJECT,
          "key delta ends early: path=" + path + "; restore the object from a copy",
          e);
    }
  }
}
