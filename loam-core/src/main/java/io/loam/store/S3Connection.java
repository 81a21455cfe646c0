package io.loam.store;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.s3.LegacyMd5Plugin;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/** A client of S3 with the keys and the region that it uses. */
final class S3Connection implements AutoCloseable {
  private static final String REGION_OF_OTHER_SERVERS = "us-east-1";

  private final S3Settings settings;
  private final String region;
  private final AwsCredentialsProvider credentials;
  private final S3Client client;

  private S3Connection(
      S3Settings settings, String region, AwsCredentialsProvider credentials, S3Client client) {
    this.settings = settings;
    this.region = region;
    this.credentials = credentials;
    this.client = client;
  }

  /** Fails with {@code INVALID_CONNECTION_PROPERTY} where no region can be found. */
  static S3Connection open(S3Settings settings, S3Pace pace) {
    String region = region(settings);
    AwsCredentialsProvider credentials = credentials(settings.keys());
    var builder =
        S3Client.builder()
            .region(Region.of(region))
            .credentialsProvider(credentials)
            .forcePathStyle(settings.pathStyle())
            .httpClientBuilder(Apache5HttpClient.builder().expectContinueEnabled(false))
            // Trailing checksums are AWS's own; other servers refuse them. Uploads carry an MD5.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            // Nor do they all take another checksum than an MD5 where S3 wants one.
            .addPlugin(LegacyMd5Plugin.create())
            .overrideConfiguration(
                c ->
                    c.retryStrategy(AwsRetryStrategy.doNotRetry())
                        .apiCallAttemptTimeout(pace.attemptTimeout()));
    if (settings.endpoint() != null) {
      builder.endpointOverride(URI.create(settings.endpoint()));
    }
    return new S3Connection(settings, region, credentials, builder.build());
  }

  private static String region(S3Settings settings) {
    if (settings.region() != null) {
      return settings.region();
    }
    if (settings.endpoint() != null) {
      return REGION_OF_OTHER_SERVERS;
    }
    try {
      return DefaultAwsRegionProviderChain.builder().build().getRegion().id();
    } catch (SdkException e) {
      throw new LoamException(
          ErrorCode.INVALID_CONNECTION_PROPERTY,
          "no region for the bucket: bucket="
              + settings.bucket()
              + "; name it by region=… or AWS_REGION",
          e);
    }
  }

  private static AwsCredentialsProvider credentials(@Nullable S3Keys keys) {
    if (keys == null) {
      return DefaultCredentialsProvider.builder().build();
    }
    String token = keys.sessionToken();
    AwsCredentials fixed =
        token == null
            ? AwsBasicCredentials.create(keys.accessKeyId(), keys.secretAccessKey())
            : AwsSessionCredentials.create(keys.accessKeyId(), keys.secretAccessKey(), token);
    return StaticCredentialsProvider.create(fixed);
  }

  S3Client client() {
    return client;
  }

  /** How native code reaches the bucket; other than before once temporary keys were renewed. */
  Map<String, String> nativeOptions() {
    return settings.nativeOptions(region, keys());
  }

  private S3Keys keys() {
    try {
      AwsCredentials now = credentials.resolveCredentials();
      String token = now instanceof AwsSessionCredentials s ? s.sessionToken() : null;
      return new S3Keys(now.accessKeyId(), now.secretAccessKey(), token);
    } catch (SdkException e) {
      throw new LoamException(
          ErrorCode.STORE_UNAVAILABLE,
          "no keys for the bucket: bucket="
              + settings.bucket()
              + "; give accessKeyId and secretAccessKey, or set up AWS's default chain",
          e);
    }
  }

  /** A text without the keys in use, be they given or found. */
  String hideKeysIn(String text) {
    try {
      return keys().hideIn(text);
    } catch (LoamException e) {
      return text; // there are none
    }
  }

  @Override
  public void close() {
    client.close();
    if (credentials instanceof SdkAutoCloseable closeable) {
      closeable.close();
    }
  }
}
