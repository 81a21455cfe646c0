package io.loam.jdbc;

import io.loam.CollectionName;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.sql.DriverPropertyInfo;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** Every property of a connection: its name, its default, what it may be and what it does. */
enum ConnectionProperty {
  SCHEMA("schema", CollectionName.DEFAULT_SCHEMA, Kind.TEXT, "Schema of unqualified names."),
  CACHE_FOLDER(
      "cacheFolder",
      "",
      Kind.TEXT,
      "Folder for copies of remote files and native libraries; empty for" + " ~/.cache/loam."),
  CACHE_BYTES(
      "cacheBytes",
      "0",
      Kind.WHOLE_NUMBER,
      "Heap in bytes that decoded columns and vectors may take; 0 for a quarter of the heap."),
  QUERY_TIMEOUT_SECONDS(
      "queryTimeoutSeconds",
      "0",
      Kind.WHOLE_NUMBER,
      "Time that a new statement's queries may take, in seconds; 0 for no bound."),
  AUTO_OPTIMIZE(
      "autoOptimize",
      "true",
      Kind.BOOLEAN,
      "Whether tables are kept up in the background after writes: true or false."),
  BUILD_PROCESSES(
      "buildProcesses",
      "2",
      Kind.WHOLE_NUMBER,
      "Processes that build parts of a vector index at a time; 0 to build them in this one."),
  ENDPOINT(
      "endpoint",
      "",
      Kind.BUCKET_TEXT,
      "Address of an S3 server other than AWS, as http(s)://host[:port]."),
  REGION(
      "region",
      "",
      Kind.BUCKET_TEXT,
      "Region of the bucket; empty for that of AWS's default chain."),
  PATH_STYLE(
      "pathStyle",
      "false",
      Kind.BUCKET_BOOLEAN,
      "Whether the bucket's name is part of the path instead of the host's name: true or false."),
  ACCESS_KEY_ID(
      "accessKeyId", "", Kind.BUCKET_SECRET, "Key of S3; empty for AWS's default chain of keys."),
  SECRET_ACCESS_KEY("secretAccessKey", "", Kind.BUCKET_SECRET, "Secret of the key."),
  SESSION_TOKEN("sessionToken", "", Kind.BUCKET_SECRET, "Session of a temporary key."),
  USER("user", "", Kind.TEXT, "Shown as the user's name; not used otherwise."),
  PASSWORD("password", "", Kind.SECRET, "Not used.");

  private enum Kind {
    TEXT,
    WHOLE_NUMBER,
    BOOLEAN,
    SECRET,
    BUCKET_TEXT,
    BUCKET_BOOLEAN,
    BUCKET_SECRET
  }

  private final String propertyName;
  private final String defaultValue;
  private final Kind kind;
  private final String description;

  ConnectionProperty(String propertyName, String defaultValue, Kind kind, String description) {
    this.propertyName = propertyName;
    this.defaultValue = defaultValue;
    this.kind = kind;
    this.description = description;
  }

  /** As in URLs, in any letter case. */
  String propertyName() {
    return propertyName;
  }

  String defaultValue() {
    return defaultValue;
  }

  String description() {
    return description;
  }

  /** The property of this name in any letter case, or {@code INVALID_CONNECTION_PROPERTY}. */
  static ConnectionProperty named(String name) {
    return Arrays.stream(values())
        .filter(p -> p.propertyName.equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new LoamException(
                    ErrorCode.INVALID_CONNECTION_PROPERTY,
                    "unknown connection property: name=" + name + "; use one of " + names()));
  }

  /** Fails with {@code INVALID_CONNECTION_PROPERTY} where the value is none of this property's. */
  void check(String value) {
    if (kind == Kind.WHOLE_NUMBER && !value.matches("[0-9]{1,18}")) {
      throw new LoamException(
          ErrorCode.INVALID_CONNECTION_PROPERTY,
          "connection property is not a whole number: name="
              + propertyName
              + ", value="
              + value
              + "; write digits only");
    }
    if (isBoolean() && !value.matches("true|false")) {
      throw new LoamException(
          ErrorCode.INVALID_CONNECTION_PROPERTY,
          "connection property is not a truth value: name="
              + propertyName
              + ", value="
              + value
              + "; write true or false");
    }
  }

  private boolean isBoolean() {
    return kind == Kind.BOOLEAN || kind == Kind.BUCKET_BOOLEAN;
  }

  /** Whether the value must not be shown. */
  boolean isSecret() {
    return kind == Kind.SECRET || kind == Kind.BUCKET_SECRET;
  }

  /** Whether this is about warehouses in buckets only. */
  boolean isOfBuckets() {
    return switch (kind) {
      case BUCKET_TEXT, BUCKET_BOOLEAN, BUCKET_SECRET -> true;
      case TEXT, WHOLE_NUMBER, BOOLEAN, SECRET -> false;
    };
  }

  String in(Map<ConnectionProperty, String> values) {
    return values.getOrDefault(this, defaultValue);
  }

  long longIn(Map<ConnectionProperty, String> values) {
    return Long.parseLong(in(values));
  }

  boolean booleanIn(Map<ConnectionProperty, String> values) {
    return Boolean.parseBoolean(in(values));
  }

  DriverPropertyInfo info(Map<ConnectionProperty, String> values) {
    DriverPropertyInfo info = new DriverPropertyInfo(propertyName, isSecret() ? null : in(values));
    info.description = description;
    if (isBoolean()) {
      info.choices = new String[] {"true", "false"};
    }
    return info;
  }

  private static String names() {
    return Arrays.stream(values())
        .map(p -> p.propertyName)
        .sorted(String.CASE_INSENSITIVE_ORDER)
        .collect(Collectors.joining(", "));
  }
}
