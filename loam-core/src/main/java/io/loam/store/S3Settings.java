package io.loam.store;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A part of a bucket and how it is reached.
 *
 * @param bucket its name
 * @param prefix of all keys, without a slash at either end; may be empty
 * @param endpoint {@code http(s)://host[:port]} of a server other than AWS, or null
 * @param region or null for the one that AWS's default chain finds; with an endpoint, else {@code
 *     us-east-1}
 * @param pathStyle whether the bucket is part of the path instead of the host name
 * @param keys or null for those that AWS's default chain finds
 */
public record S3Settings(
    String bucket,
    String prefix,
    @Nullable String endpoint,
    @Nullable String region,
    boolean pathStyle,
    @Nullable S3Keys keys) {

  /** The prefix of all keys as it stands before an object's path. */
  String keyPrefix() {
    return prefix.isEmpty() ? "" : prefix + "/";
  }

  /** {@code s3://bucket/prefix}. */
  public String uri() {
    return "s3://" + bucket + (prefix.isEmpty() ? "" : "/" + prefix);
  }

  /**
   * What native readers of the bucket have to be told, in the words of Rust's {@code object_store}.
   *
   * @param resolvedRegion where the bucket is
   * @param resolvedKeys those of now
   */
  Map<String, String> nativeOptions(String resolvedRegion, S3Keys resolvedKeys) {
    Map<String, String> options = new TreeMap<>(resolvedKeys.nativeOptions());
    options.put("aws_region", resolvedRegion);
    options.put("aws_virtual_hosted_style_request", Boolean.toString(!pathStyle));
    options.put("connect_timeout", "10s");
    options.put("timeout", "120s");
    if (endpoint != null) {
      options.put("aws_endpoint", endpoint);
      options.put("allow_http", Boolean.toString(endpoint.startsWith("http:")));
    }
    return options;
  }
}
