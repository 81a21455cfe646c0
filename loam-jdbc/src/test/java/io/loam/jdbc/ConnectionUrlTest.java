package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.WarehouseOptions;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.store.S3Keys;
import io.loam.store.S3Settings;
import io.loam.store.StoreLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverPropertyInfo;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectionUrlTest {
  private static ConnectionUrl parse(String rest) {
    return ConnectionUrl.parse("jdbc:loam:" + rest, new Properties());
  }

  private static StoreLocation folder(Path path) {
    return new StoreLocation.Folder(path);
  }

  @Test
  void defaultsAreThese() {
    ConnectionUrl url = parse("/data/w h");
    assertThat(url.location()).isEqualTo(folder(Path.of("/data/w h")));
    assertThat(url.warehouseOptions())
        .isEqualTo(
            WarehouseOptions.at(Path.of("/data/w h")).withAutoOptimize().withBuildProcesses(2));
    assertThat(ConnectionProperty.SCHEMA.in(url.values())).isEqualTo("loam");
    assertThat(ConnectionProperty.QUERY_TIMEOUT_SECONDS.in(url.values())).isEqualTo("0");
  }

  @Test
  void urlWinsOverPropertiesAndNamesMatchInAnyCase() {
    Properties info = new Properties();
    info.setProperty("CACHEBYTES", "1");
    info.setProperty("user", "ann");
    ConnectionUrl url =
        ConnectionUrl.parse(
            "jdbc:loam:/d?autoOptimize=false&buildProcesses=1&cacheBytes=2&cacheFolder=%2Fc%20d",
            info);
    assertThat(url.warehouseOptions())
        .isEqualTo(new WarehouseOptions(Path.of("/d"), Path.of("/c d"), 2).withBuildProcesses(1));
    assertThat(ConnectionProperty.USER.in(url.values())).isEqualTo("ann");
  }

  @Test
  void homeAndRelativeFoldersBecomeAbsolute() {
    assertThat(parse("~/x").location())
        .isEqualTo(folder(Path.of(System.getProperty("user.home"), "x")));
    assertThat(parse("x/../y").location()).isEqualTo(folder(Path.of("y").toAbsolutePath()));
  }

  @Test
  void fileUrlsAreFolders() {
    for (String url : List.of("file:/data/w%20h", "file:///data/w%20h", "FILE:/data/x/../w%20h")) {
      assertThat(parse(url).location()).isEqualTo(folder(Path.of("/data/w h")));
    }
    assertThat(parse("/data/http://x").location()).isEqualTo(folder(Path.of("/data/http:/x")));
    assertThat(parse("/data/a:b").location()).isEqualTo(folder(Path.of("/data/a:b")));
  }

  @Test
  void otherSchemesAreRefused() {
    for (String url :
        List.of(
            "http://x/y",
            "https://x",
            "gs://bucket/x",
            "hdfs:/x",
            "S3A://bucket/x",
            "file:",
            "file:x",
            "file://host/x",
            "file:///a b")) {
      assertRefused(url, "not a place of warehouses", "location=" + url, "file:///", "s3://");
    }
  }

  @Test
  void twoWaysToOneFolderAreOne(@TempDir Path folder) throws IOException {
    Path real = Files.createDirectory(folder.resolve("real"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), real);
    assertThat(parse(link.toString()).location()).isEqualTo(parse(real + "/.").location());
  }

  @Test
  void unknownPropertyNamesTheKnown() {
    assertRefused(
        "/d?cacheSize=1",
        "name=cacheSize",
        "accessKeyId, autoOptimize, buildProcesses, cacheBytes, cacheFolder, endpoint, password");
    assertRefused("/d?autoOptimize=no", "name=autoOptimize, value=no", "write true or false");
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

  private static StoreLocation bucket(
      String bucket, String prefix, @Nullable String endpoint, @Nullable S3Keys keys) {
    return new StoreLocation.Bucket(
        new S3Settings(bucket, prefix, endpoint, null, endpoint != null, keys));
  }

  @Test
  void bucketsAreLocations() {
    assertThat(parse("s3://my.bucket").location()).isEqualTo(bucket("my.bucket", "", null, null));
    assertThat(parse("s3://bucket/a/b/").location()).isEqualTo(bucket("bucket", "a/b", null, null));
    Properties keys = new Properties();
    keys.setProperty("accessKeyId", "id");
    keys.setProperty("secretAccessKey", "secret");
    ConnectionUrl url =
        ConnectionUrl.parse(
            "jdbc:loam:s3://bucket/p?endpoint=http://localhost:9000/&pathStyle=true", keys);
    assertThat(url.location())
        .isEqualTo(
            bucket("bucket", "p", "http://localhost:9000", new S3Keys("id", "secret", null)));
  }

  @Test
  void whatIsNoBucketIsRefused() {
    for (String place : List.of("s3:", "s3:/x", "s3://", "s3://B/p", "s3://bucket//p", "s3://b!")) {
      assertRefused(place, "location=" + place, "s3://bucket/prefix");
    }
    assertRefused("s3://bucket/p?endpoint=localhost:9000", "endpoint=localhost:9000");
    assertRefused("s3://bucket/p?endpoint=ftp://h", "endpoint=ftp://h");
    assertRefused("s3://bucket/p?pathStyle=yes", "name=pathStyle, value=yes");
    assertRefused("s3://bucket/p?accessKeyId=id", "missing=secretAccessKey");
    assertRefused("s3://bucket/p?sessionToken=t", "missing=accessKeyId");
    assertRefused("/folder?region=eu-west-1", "name=region", "s3://bucket/prefix");
  }

  @Test
  void secretsAreNeverShown() {
    assertThatThrownBy(() -> parse("s3://AKIAxyz:top/secret@bucket/p"))
        .hasMessageContaining("location=s3://***@bucket/p")
        .hasMessageNotContainingAny("AKIAxyz", "top", "secret");
    String secrets =
        "accessKeyId=AKIAxyz&secretAccessKey=top%2Fsecret&region=eu-west-1&sessionToken=tok"
            + "&password=pw";
    ConnectionUrl url = parse("s3://bucket/p?" + secrets);
    assertThat(url.shownUrl()).isEqualTo("jdbc:loam:s3://bucket/p?region=eu-west-1");
    assertThat(url + " " + url.location() + " " + url.warehouseOptions())
        .doesNotContain("AKIAxyz", "top", "tok");
    for (ConnectionProperty property : ConnectionProperty.values()) {
      DriverPropertyInfo info = property.info(url.values());
      assertThat(String.valueOf(info.value)).isNotIn("AKIAxyz", "top/secret", "tok", "pw");
    }
    for (String bad :
        List.of(
            "secretAccessKey=top%zz&accessKeyId=AKIAxyz",
            "accessKeyId=AKIAxyz&secretAccessKey=top&pathStyle=1",
            "accessKeyId=AKIAxyz&secretAccessKey=top&sessionToken=%",
            "endpoint=http://AKIAxyz:top@host/")) {
      assertThatThrownBy(() -> parse("s3://bucket/p?" + bad))
          .isInstanceOf(LoamException.class)
          .satisfies(e -> assertThat(stackTrace(e)).doesNotContain("AKIAxyz", "top", "%z"));
    }
  }

  private static String stackTrace(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
