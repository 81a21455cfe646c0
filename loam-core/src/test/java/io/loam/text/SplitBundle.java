package io.loam.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads a Quickwit bundle: the index's files one after another, 8 bytes of version and JSON {@code
 * {"files":{name:{"start":…,"end":…}}}}, u32 length of these two, the hot cache, u32 length of it;
 * little-endian.
 */
final class SplitBundle {
  private static final int VERSION_BYTES = 8;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A file's place in the bundle. */
  record Part(long start, long end) {}

  /** Copies the bundle's files into an existing folder. */
  static void unpack(Path bundle, Path folder) throws IOException {
    try (FileChannel in = FileChannel.open(bundle, StandardOpenOption.READ)) {
      for (Map.Entry<String, Part> entry : parts(in).entrySet()) {
        Path target = folder.resolve(entry.getKey());
        if (!folder.equals(target.getParent())) {
          throw new IOException("bundle names a file outside its folder");
        }
        Part part = entry.getValue();
        try (FileChannel out =
            FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
          long at = part.start();
          while (at < part.end()) {
            at += in.transferTo(at, part.end() - at, out);
          }
        }
      }
    }
    if (!Files.exists(folder.resolve("meta.json"))) {
      throw new IOException("bundle has no meta.json");
    }
  }

  private static Map<String, Part> parts(FileChannel in) throws IOException {
    long size = in.size();
    long hotCacheEnd = size - Integer.BYTES;
    long lengthAt = hotCacheEnd - readLength(in, hotCacheEnd) - Integer.BYTES;
    int length = readLength(in, lengthAt);
    ByteBuffer metadata = read(in, lengthAt - length, length);
    byte[] json = new byte[length - VERSION_BYTES];
    metadata.get(VERSION_BYTES, json);
    Map<String, Part> parts = new TreeMap<>();
    Iterator<Map.Entry<String, JsonNode>> files = JSON.readTree(json).path("files").fields();
    while (files.hasNext()) {
      Map.Entry<String, JsonNode> file = files.next();
      Part part =
          new Part(file.getValue().path("start").asLong(), file.getValue().path("end").asLong());
      if (part.start() < 0 || part.start() > part.end() || part.end() > lengthAt - length) {
        throw new IOException("bundle has a file outside of it");
      }
      parts.put(file.getKey(), part);
    }
    return parts;
  }

  private static int readLength(FileChannel in, long at) throws IOException {
    int length = read(in, at, Integer.BYTES).getInt(0);
    if (length < 0 || length > at) {
      throw new IOException("bundle has a wrong length");
    }
    return length;
  }

  private static ByteBuffer read(FileChannel in, long at, int length) throws IOException {
    if (at < 0 || length < 0 || at + length > in.size()) {
      throw new IOException("bundle is too short");
    }
    ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining() && in.read(bytes, at + bytes.position()) > 0) {
      // Reads on.
    }
    return bytes.flip();
  }

  private SplitBundle() {}
}
