package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.WarehouseOptions;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectionUrlTest {
  private static ConnectionUrl parse(String rest) {
    return ConnectionUrl.parse("jdbc:loam:" + rest, new Properties());
  }

  @Test
  void defaultsAreThese() {
    ConnectionUrl url = parse("/data/w h");
    assertThat(url.folder()).isEqualTo(Path.of("/data/w h"));
    assertThat(url.warehouseOptions()).isEqualTo(WarehouseOptions.at(Path.of("/data/w h")));
    assertThat(ConnectionProperty.SCHEMA.in(url.values())).isEqualTo("loam");
    assertThat(ConnectionProperty.QUERY_TIMEOUT_SECONDS.in(url.values())).isEqualTo("0");
  }

  @Test
  void urlWinsOverPropertiesAndNamesMatchInAnyCase() {
    Properties info = new Properties();
    info.setProperty("CACHEBYTES", "1");
    info.setProperty("user", "ann");
    ConnectionUrl url = ConnectionUrl.parse("jdbc:loam:/d?cacheBytes=2&cacheFolder=%2Fc%20d", info);
    assertThat(url.warehouseOptions())
        .isEqualTo(new WarehouseOptions(Path.of("/d"), Path.of("/c d"), 2));
    assertThat(ConnectionProperty.USER.in(url.values())).isEqualTo("ann");
  }

  @Test
  void homeAndRelativeFoldersBecomeAbsolute() {
    assertThat(parse("~/x").folder()).isEqualTo(Path.of(System.getProperty("user.home"), "x"));
    assertThat(parse("x/../y").folder()).isEqualTo(Path.of("y").toAbsolutePath());
  }

  @Test
  void twoWaysToOneFolderAreOne(@TempDir Path folder) throws IOException {
    Path real = Files.createDirectory(folder.resolve("real"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), real);
    assertThat(parse(link.toString()).folder()).isEqualTo(parse(real + "/.").folder());
  }

  @Test
  void unknownPropertyNamesTheKnown() {
    assertRefused("/d?cacheSize=1", "name=cacheSize", "cacheBytes, cacheFolder, password");
    assertRefused("/d?cacheBytes=1MB", "name=cacheBytes, value=1MB");
    assertRefused("/d?cacheBytes=-1", "value=-1");
    assertRefused("/d?cacheBytes", "name=cacheBytes; write name=value");
    assertRefused("/d?user=%zz", "text=%zz");
    assertRefused("", "without a folder");
    assertRefused("/a\0b", "not a usable folder");
  }

  private static void assertRefused(String rest, String... parts) {
    assertThatThrownBy(() -> parse(rest))
        .isInstanceOfSatisfying(
            LoamException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONNECTION_PROPERTY))
        .hasMessageContainingAll(parts);
  }

  @Test
  void objectStoresAreNotSupportedYet() {
    assertThatThrownBy(() -> parse("s3://bucket/prefix"))
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED));
  }
}
