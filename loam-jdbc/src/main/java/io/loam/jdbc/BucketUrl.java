package io.loam.jdbc;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.store.S3Keys;
import io.loam.store.S3Settings;
import io.loam.store.StoreLocation;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of a connection's URL that names a bucket. */
final class BucketUrl {
  static final String SCHEME = "s3:";

  private static final String START = "s3://";
  private static final String BUCKET = "[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]";
  private static final String PREFIX = "|[A-Za-z0-9!_.*'()=@+-]+(/[A-Za-z0-9!_.*'()=@+-]+)*";

  private BucketUrl() {}

  /** Reads {@code s3://bucket[/prefix]}; fails with {@code INVALID_CONNECTION_PROPERTY}. */
  static StoreLocation location(String place, Map<ConnectionProperty, String> values) {
    String rest = place.startsWith(START) ? place.substring(START.length()) : "";
    int slash = rest.indexOf('/');
    String bucket = slash < 0 ? rest : rest.substring(0, slash);
    String prefix = slash < 0 ? "" : rest.substring(slash + 1);
    if (prefix.endsWith("/")) {
      prefix = prefix.substring(0, prefix.length() - 1);
    }
    if (!bucket.matches(BUCKET) || !prefix.matches(PREFIX)) {
      throw new LoamException(
          ErrorCode.INVALID_CONNECTION_PROPERTY,
          "not a bucket and a prefix: location="
              + place.replaceFirst("^s3://.*@", "s3://***@")
              + "; write s3://bucket/prefix, the prefix of letters, digits and !_.*'()=@+-");
    }
    return new StoreLocation.Bucket(
        new S3Settings(
            bucket,
            prefix,
            endpoint(ConnectionProperty.ENDPOINT.in(values)),
            orNull(ConnectionProperty.REGION.in(values)),
            Boolean.parseBoolean(ConnectionProperty.PATH_STYLE.in(values)),
            keys(values)));
  }

  private static @Nullable String endpoint(String text) {
    if (text.isEmpty()) {
      return null;
    }
    try {
      URI uri = new URI(text);
      if (text.matches("https?://[^/?#@]+/?") && uri.getHost() != null) {
        return uri.getScheme() + "://" + uri.getAuthority();
      }
    } catch (URISyntaxException e) {
      throw badEndpoint(text, e);
    }
    throw badEndpoint(text, null);
  }

  private static LoamException badEndpoint(String text, @Nullable URISyntaxException cause) {
    return new LoamException(
        ErrorCode.INVALID_CONNECTION_PROPERTY,
        "not the address of a server: endpoint="
            + text.replaceAll("[^/@]*@", "***@")
            + "; write http(s)://host[:port]",
        text.contains("@") ? null : cause);
  }

  private static @Nullable S3Keys keys(Map<ConnectionProperty, String> values) {
    String id = ConnectionProperty.ACCESS_KEY_ID.in(values);
    String secret = ConnectionProperty.SECRET_ACCESS_KEY.in(values);
    String token = ConnectionProperty.SESSION_TOKEN.in(values);
    if (id.isEmpty() && secret.isEmpty() && token.isEmpty()) {
      return null;
    }
    if (id.isEmpty() || secret.isEmpty()) {
      throw new LoamException(
          ErrorCode.INVALID_CONNECTION_PROPERTY,
          "half a key: missing="
              + (id.isEmpty()
                      ? ConnectionProperty.ACCESS_KEY_ID
                      : ConnectionProperty.SECRET_ACCESS_KEY)
                  .propertyName()
              + "; give accessKeyId and secretAccessKey, or neither");
    }
    return new S3Keys(id, secret, orNull(token));
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
