package io.loam.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.loam.schema.SealedJson;
import io.loam.store.Ulid;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Heads as {@link SealedJson}. The member {@code "write"} is a fresh ULID in each encoding, so that
 * no two heads ever have equal bytes: a tag seen once never comes back, and a head that has our
 * bytes was written by us.
 */
final class HeadCodec {
  private static final int FORMAT = 2;

  /** Knew neither tags nor garbage collection. */
  private static final int FORMAT_WITHOUT_COLLECTION = 1;

  private HeadCodec() {}

  static byte[] encode(Head head) {
    ObjectNode json =
        SealedJson.ofFormat(FORMAT)
            .put("version", head.version())
            .put("manifest", head.manifestPath())
            .put("leaseEpoch", head.leaseEpoch())
            .put("gcEpoch", head.gcEpoch())
            .put("oldestVersion", head.oldestVersion());
    ObjectNode tags = json.putObject("tags");
    head.tags()
        .forEach(
            (name, tag) ->
                tags.putObject(name)
                    .put("version", tag.version())
                    .put("manifest", tag.manifestPath())
                    .put("createdAt", tag.createdAtMillis()));
    return SealedJson.seal(json.put("write", Ulid.next()));
  }

  /** Fails with {@code CORRUPT_OBJECT}, naming the path. */
  static Head decode(byte[] bytes, String path) {
    SealedJson json = SealedJson.open(bytes, FORMAT, path);
    boolean plain = json.format() == FORMAT_WITHOUT_COLLECTION;
    return new Head(
        json.number("version"),
        json.text("manifest"),
        json.number("leaseEpoch"),
        json.number("gcEpoch"),
        plain ? 1 : json.number("oldestVersion"),
        plain ? new TreeMap<>() : tags(json));
  }

  private static SortedMap<String, Tag> tags(SealedJson json) {
    SortedMap<String, Tag> tags = new TreeMap<>();
    json.members("tags")
        .forEach(
            (name, tag) ->
                tags.put(
                    name,
                    new Tag(tag.number("version"), tag.text("manifest"), tag.number("createdAt"))));
    return tags;
  }
}
