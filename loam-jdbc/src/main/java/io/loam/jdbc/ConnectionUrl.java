package io.loam.jdbc;

import io.loam.WarehouseOptions;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.store.StoreLocation;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * What a URL and the properties beside it ask for.
 *
 * @param shownUrl the URL without secrets
 * @param location a folder's path is absolute
 * @param values only those that were given
 */
record ConnectionUrl(
    String shownUrl, StoreLocation location, Map<ConnectionProperty, String> values) {

  /** What begins a URL, in any letter case, and a folder only where ./ or / stands before it. */
  private static final Pattern SCHEME = Pattern.compile("(?i)file:|[a-z][a-z0-9+.-]*:/");

  ConnectionUrl {
    values = Map.copyOf(values);
  }

  /**
   * Reads {@code jdbc:loam:<folder or s3://bucket/prefix>[?name=value&…]}; what the URL says wins
   * over {@code info}. The folder is taken as it is written, a leading {@code ~/} being the user's
   * home, or is a {@code file:} URL; names and values are percent-decoded. Fails with {@code
   * INVALID_CONNECTION_PROPERTY}.
   */
  static ConnectionUrl parse(String url, Properties info) {
    String rest = url.substring(LoamDriver.URL_PREFIX.length());
    int question = rest.indexOf('?');
    String place = question < 0 ? rest : rest.substring(0, question);
    Map<ConnectionProperty, String> values = new EnumMap<>(ConnectionProperty.class);
    for (String name : info.stringPropertyNames()) {
      put(values, ConnectionProperty.named(name), info.getProperty(name));
    }
    List<String> shown = new ArrayList<>();
    if (question >= 0) {
      putQuery(values, rest.substring(question + 1), shown);
    }
    String shownQuery = shown.isEmpty() ? "" : "?" + String.join("&", shown);
    return new ConnectionUrl(
        LoamDriver.URL_PREFIX + place + shownQuery, location(place, values), values);
  }

  /** How the warehouse is opened; equal for connections that may share one. */
  WarehouseOptions warehouseOptions() {
    String cacheFolder = ConnectionProperty.CACHE_FOLDER.in(values);
    return new WarehouseOptions(
        location,
        cacheFolder.isEmpty() ? null : path(cacheFolder),
        ConnectionProperty.CACHE_BYTES.longIn(values),
        ConnectionProperty.AUTO_OPTIMIZE.booleanIn(values),
        (int) Math.min(64, ConnectionProperty.BUILD_PROCESSES.longIn(values)));
  }

  private static void putQuery(
      Map<ConnectionProperty, String> values, String query, List<String> shown) {
    for (String pair : query.split("&", -1)) {
      if (pair.isEmpty()) {
        continue;
      }
      int equals = pair.indexOf('=');
      if (equals < 0) {
        throw new LoamException(
            ErrorCode.INVALID_CONNECTION_PROPERTY,
            "connection property without a value: name=" + pair + "; write name=value");
      }
      String name = pair.substring(0, equals);
      ConnectionProperty property = ConnectionProperty.named(decode(name, name));
      String value = pair.substring(equals + 1);
      put(values, property, decode(value, property.isSecret() ? "(hidden)" : value));
      if (!property.isSecret()) {
        shown.add(pair);
      }
    }
  }

  private static void put(
      Map<ConnectionProperty, String> values, ConnectionProperty property, String value) {
    property.check(value);
    values.put(property, value);
  }

  private static String decode(String text, String shownText) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) { // its text shows the value
      throw new LoamException(
          ErrorCode.INVALID_CONNECTION_PROPERTY,
          "connection URL is not percent-encoded: text=" + shownText + "; write % as %25");
    }
  }

  private static StoreLocation location(String place, Map<ConnectionProperty, String> values) {
    if (place.isEmpty()) {
      throw new LoamException(
          ErrorCode.INVALID_CONNECTION_PROPERTY,
          "connection URL without a folder; write " + LoamDriver.URL_PREFIX + "/path/to/folder");
    }
    if (place.startsWith(BucketUrl.SCHEME)) {
      return BucketUrl.location(place, values);
    }
    values.keySet().stream()
        .filter(ConnectionProperty::isOfBuckets)
        .findFirst()
        .ifPresent(
            p -> {
              throw new LoamException(
                  ErrorCode.INVALID_CONNECTION_PROPERTY,
                  "connection property of buckets only: name="
                      + p.propertyName()
                      + "; leave it out, or write "
                      + LoamDriver.URL_PREFIX
                      + "s3://bucket/prefix");
            });
    return new StoreLocation.Folder(folder(place));
  }

  /** A path, or a {@code file:} URL; other schemes would be folders of such names by mistake. */
  private static Path folder(String place) {
    if (!SCHEME.matcher(place).lookingAt()) {
      return path(place);
    }
    try {
      URI uri = new URI(place);
      boolean local = uri.getAuthority() == null && uri.getPath() != null;
      if (uri.getScheme().equalsIgnoreCase("file") && local) {
        return path(uri.getPath());
      }
    } catch (URISyntaxException e) { // told of below
    }
    throw new LoamException(
        ErrorCode.INVALID_CONNECTION_PROPERTY,
        "not a place of warehouses: location="
            + place
            + "; write a folder such as /path/to/folder or file:///path/to/folder, or "
            + "s3://bucket/prefix");
  }

  private static Path path(String text) {
    try {
      Path path =
          text.equals("~") || text.startsWith("~/")
              ? Path.of(System.getProperty("user.home"), text.substring(1))
              : Path.of(text);
      Path absolute = path.toAbsolutePath().normalize();
      // Two ways to one folder must share one warehouse.
      return Files.exists(absolute) ? absolute.toRealPath() : absolute;
    } catch (InvalidPathException | IOException e) {
      throw new LoamException(
          ErrorCode.INVALID_CONNECTION_PROPERTY,
          "not a usable folder: path=" + text + "; use another path",
          e);
    }
  }

  /** Without the values, secrets among them. */
  @Override
  public String toString() {
    return shownUrl;
  }
}
