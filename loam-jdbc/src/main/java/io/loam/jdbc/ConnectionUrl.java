package io.loam.jdbc;

import io.loam.WarehouseOptions;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Properties;

/**
 * What a URL and the properties beside it ask for.
 *
 * @param folder absolute
 * @param values only those that were given
 */
record ConnectionUrl(String url, Path folder, Map<ConnectionProperty, String> values) {

  ConnectionUrl {
    values = Map.copyOf(values);
  }

  /**
   * Reads {@code jdbc:loam:<folder>[?name=value&…]}; what the URL says wins over {@code info}. The
   * folder is taken as it is written, a leading {@code ~/} being the user's home; names and values
   * are percent-decoded. Fails with {@code INVALID_CONNECTION_PROPERTY}.
   */
  static ConnectionUrl parse(String url, Properties info) {
    String rest = url.substring(LoamDriver.URL_PREFIX.length());
    int question = rest.indexOf('?');
    Map<ConnectionProperty, String> values = new EnumMap<>(ConnectionProperty.class);
    for (String name : info.stringPropertyNames()) {
      put(values, name, info.getProperty(name));
    }
    if (question >= 0) {
      putQuery(values, rest.substring(question + 1));
    }
    return new ConnectionUrl(
        url, folder(question < 0 ? rest : rest.substring(0, question)), values);
  }

  /** How the warehouse is opened; equal for connections that may share one. */
  WarehouseOptions warehouseOptions() {
    String cacheFolder = ConnectionProperty.CACHE_FOLDER.in(values);
    return new WarehouseOptions(
        folder,
        cacheFolder.isEmpty() ? null : path(cacheFolder),
        ConnectionProperty.CACHE_BYTES.longIn(values));
  }

  private static void putQuery(Map<ConnectionProperty, String> values, String query) {
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
      put(values, decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
    }
  }

  private static void put(Map<ConnectionProperty, String> values, String name, String value) {
    ConnectionProperty property = ConnectionProperty.named(name);
    property.check(value);
    values.put(property, value);
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new LoamException(
          ErrorCode.INVALID_CONNECTION_PROPERTY,
          "connection URL is not percent-encoded: text=" + text + "; write % as %25",
          e);
    }
  }

  private static Path folder(String text) {
    if (text.isEmpty()) {
      throw new LoamException(
          ErrorCode.INVALID_CONNECTION_PROPERTY,
          "connection URL without a folder; write " + LoamDriver.URL_PREFIX + "/path/to/folder");
    }
    if (text.startsWith("s3:")) {
      throw new LoamException(
          ErrorCode.UNSUPPORTED,
          "store not supported: location=" + text + "; use a folder of a local file system");
    }
    return path(text);
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
}
