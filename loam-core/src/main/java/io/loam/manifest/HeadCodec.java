package io.loam.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.loam.schema.SealedJson;
import io.loam.store.Ulid;

/**
 * Heads as {@link SealedJson}. The member {@code "write"} is a fresh ULID in each encoding, so that
 * no two heads ever have equal bytes: a tag seen once never comes back, and a head that has our
 * bytes was written by us.
 */
final class HeadCodec {
  private static final int FORMAT = 1;

  private HeadCodec() {}

  static byte[] encode(Head head) {
    ObjectNode json =
        SealedJson.ofFormat(FORMAT)
            .put("version", head.version())
            .put("manifest", head.manifestPath())
            .put("leaseEpoch", head.leaseEpoch())
            .put("gcEpoch", head.gcEpoch());
    ObjectNode tags = json.putObject("tags");
    head.tags().forEach(tags::put);
    return SealedJson.seal(json.put("write", Ulid.next()));
  }

  /** Fails with {@code CORRUPT_OBJECT}, naming the path. */
  static Head decode(byte[] bytes, String path) {
    SealedJson json = SealedJson.open(bytes, FORMAT, path);
    return new Head(
        json.number("version"),
        json.text("manifest"),
        json.number("leaseEpoch"),
        json.number("gcEpoch"),
        json.numbers("tags"));
  }
}
