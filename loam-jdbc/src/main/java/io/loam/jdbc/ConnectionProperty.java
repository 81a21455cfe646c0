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
      "Folder for unpacked splits and native libraries; empty for ~/.cache/loam."),
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
  USER("user", "", Kind.TEXT, "Shown as the user's name; folders need no login."),
  PASSWORD("password", "", Kind.TEXT, "Not used; folders need no login.");

  private enum Kind {
    TEXT,
    WHOLE_NUMBER
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
  }

  String in(Map<ConnectionProperty, String> values) {
    return values.getOrDefault(this, defaultValue);
  }

  long longIn(Map<ConnectionProperty, String> values) {
    return Long.parseLong(in(values));
  }

  DriverPropertyInfo info(Map<ConnectionProperty, String> values) {
    DriverPropertyInfo info = new DriverPropertyInfo(propertyName, in(values));
    info.description = description;
    return info;
  }

  private static String names() {
    return Arrays.stream(values())
        .map(p -> p.propertyName)
        .sorted(String.CASE_INSENSITIVE_ORDER)
        .collect(Collectors.joining(", "));
  }
}
