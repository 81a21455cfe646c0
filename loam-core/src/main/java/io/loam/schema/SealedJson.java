package io.loam.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * Loam's own JSON objects: one line whose first member is {@code "format"}, a format version, and
 * whose last is {@code "crc32c"}, eight hexadecimal digits over all bytes before the comma in front
 * of it. Reading fails with {@code CORRUPT_OBJECT}, naming the path, if a byte was changed or a
 * member is missing.
 */
public final class SealedJson {
  private static final ObjectMapper MAPPER = JsonMapper.builder().build();
  private static final String FORMAT = "format";
  private static final int SEAL_BYTES = seal(0).length;

  private final JsonNode node;
  private final String path;

  private SealedJson(JsonNode node, String path) {
    this.node = node;
    this.path = path;
  }

  /** An object to be filled and sealed. */
  public static ObjectNode ofFormat(int format) {
    return MAPPER.createObjectNode().put(FORMAT, format);
  }

  /** The object as bytes. */
  public static byte[] seal(ObjectNode object) {
    try {
      byte[] json = MAPPER.writeValueAsBytes(object);
      int bodyBytes = json.length - 1;
      byte[] seal = seal(crc32c(json, bodyBytes));
      byte[] sealed = Arrays.copyOf(json, bodyBytes + seal.length);
      System.arraycopy(seal, 0, sealed, bodyBytes, seal.length);
      return sealed;
    } catch (JsonProcessingException e) {
      throw new LoamException(
          ErrorCode.INTERNAL, "cannot write JSON: reason=" + e + "; report this", e);
    }
  }

  /** Opens what {@link #seal} gave, in format {@code currentFormat} or the one before it. */
  public static SealedJson open(byte[] sealed, int currentFormat, String path) {
    int bodyBytes = sealed.length - SEAL_BYTES;
    if (bodyBytes < 1
        || !Arrays.equals(
            sealed, bodyBytes, sealed.length, seal(crc32c(sealed, bodyBytes)), 0, SEAL_BYTES)) {
      throw corrupt("object damaged, checksum differs", path, "bytes=" + sealed.length);
    }
    JsonNode node;
    try {
      node = MAPPER.readTree(sealed);
    } catch (IOException e) {
      throw corrupt("object is not JSON", path, "reason=" + e.getMessage());
    }
    SealedJson json = new SealedJson(node, path);
    int format = json.integer(FORMAT);
    if (format > currentFormat) {
      throw new LoamException(
          ErrorCode.CORRUPT_OBJECT,
          "object of a newer format: path=%s, format=%d, supported=%d; upgrade Loam to read it"
              .formatted(path, format, currentFormat));
    }
    if (format < 1 || format < currentFormat - 1) {
      throw corrupt("object of an old format", path, "format=" + format);
    }
    return json;
  }

  /** The format version that the object was written in. */
  public int format() {
    return integer(FORMAT);
  }

  public String text(String member) {
    JsonNode value = member(member);
    require(value.isTextual(), member, "text");
    return value.textValue();
  }

  public long number(String member) {
    JsonNode value = member(member);
    require(
        value.isIntegralNumber() && value.canConvertToLong(), member, "a whole number of 64 bits");
    return value.longValue();
  }

  public int integer(String member) {
    JsonNode value = member(member);
    require(
        value.isIntegralNumber() && value.canConvertToInt(), member, "a whole number of 32 bits");
    return value.intValue();
  }

  public boolean flag(String member) {
    JsonNode value = member(member);
    require(value.isBoolean(), member, "true or false");
    return value.booleanValue();
  }

  /** The object that a member is. */
  public SealedJson object(String member) {
    JsonNode value = member(member);
    require(value.isObject(), member, "an object");
    return new SealedJson(value, path);
  }

  /** The objects of an array. */
  public List<SealedJson> objects(String member) {
    JsonNode array = member(member);
    require(array.isArray(), member, "an array");
    List<SealedJson> objects = new ArrayList<>(array.size());
    array.forEach(item -> objects.add(new SealedJson(item, path)));
    return objects;
  }

  /** The texts of an array. */
  public List<String> textList(String member) {
    JsonNode array = member(member);
    require(array.isArray(), member, "an array");
    List<String> texts = new ArrayList<>(array.size());
    for (JsonNode item : array) {
      require(item.isTextual(), member, "an array of texts");
      texts.add(item.textValue());
    }
    return texts;
  }

  /** The objects of an object by member name. */
  public SortedMap<String, SealedJson> members(String member) {
    JsonNode object = member(member);
    SortedMap<String, SealedJson> members = new TreeMap<>();
    object
        .fieldNames()
        .forEachRemaining(name -> members.put(name, new SealedJson(object.get(name), path)));
    return members;
  }

  /** The texts of an object by member name. */
  public SortedMap<String, String> texts(String member) {
    SealedJson object = new SealedJson(member(member), path);
    SortedMap<String, String> texts = new TreeMap<>();
    object.node.fieldNames().forEachRemaining(name -> texts.put(name, object.text(name)));
    return texts;
  }

  private JsonNode member(String name) {
    JsonNode value = node.get(name);
    require(value != null, name, "there");
    return value;
  }

  private void require(boolean holds, String member, String wanted) {
    if (!holds) {
      throw corrupt("object has an invalid member", path, member + " is not " + wanted);
    }
  }

  private static byte[] seal(int crc) {
    return ",\"crc32c\":\"%08x\"}\n".formatted(crc).getBytes(StandardCharsets.US_ASCII);
  }

  private static int crc32c(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  private static LoamException corrupt(String problem, String path, String detail) {
    return new LoamException(
        ErrorCode.CORRUPT_OBJECT,
        "%s: path=%s, %s; restore it from a copy".formatted(problem, path, detail));
  }
}
