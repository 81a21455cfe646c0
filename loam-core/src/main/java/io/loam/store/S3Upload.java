package io.loam.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/** Creates objects from local files: small ones by one request, large ones in parts. */
final class S3Upload {
  static final int PART_BYTES = 64 << 20;

  private final S3Client client;
  private final S3Calls calls;
  private final String bucket;
  private final int partBytes;

  /**
   * @param partBytes size from which on files go in parts, and of each part but the last
   */
  S3Upload(S3Client client, S3Calls calls, String bucket, int partBytes) {
    this.client = client;
    this.calls = calls;
    this.bucket = bucket;
    this.partBytes = partBytes;
  }

  /** Creates an object and returns its tag; {@code CONDITION} where there is one. */
  String create(String key, Path file) throws FailedRequest, IOException {
    long size = Files.size(file);
    String tag = size < partBytes ? createWhole(key, file) : createInParts(key, file, size);
    Traffic.written(size);
    return tag;
  }

  private String createWhole(String key, Path file) throws FailedRequest, IOException {
    byte[] content = Files.readAllBytes(file);
    String md5 = md5(content);
    return calls.run(
        () ->
            S3Calls.whole(
                client
                    .putObject(
                        r -> r.bucket(bucket).key(key).contentMD5(md5).ifNoneMatch("*"),
                        RequestBody.fromBytes(content))
                    .eTag()));
  }

  /** Nothing is there under the key until the last request, which is the conditional one. */
  private String createInParts(String key, Path file, long size) throws FailedRequest, IOException {
    String upload;
    List<CompletedPart> parts;
    try {
      upload =
          calls.run(
              () ->
                  S3Calls.whole(
                      client.createMultipartUpload(r -> r.bucket(bucket).key(key)).uploadId()));
      parts = parts(key, file, size, upload);
    } catch (FailedRequest e) {
      throw e.withoutEffect();
    }
    try {
      return calls.run(
          () ->
              S3Calls.whole(
                  client
                      .completeMultipartUpload(
                          r ->
                              r.bucket(bucket)
                                  .key(key)
                                  .uploadId(upload)
                                  .ifNoneMatch("*")
                                  .multipartUpload(m -> m.parts(parts)))
                      .eTag()));
    } catch (FailedRequest e) {
      if (!e.isUnsure()) {
        abandon(key, upload);
      }
      throw e;
    }
  }

  private List<CompletedPart> parts(String key, Path file, long size, String upload)
      throws FailedRequest, IOException {
    List<CompletedPart> parts = new ArrayList<>();
    try (InputStream in = Files.newInputStream(file)) {
      for (long at = 0; at < size; at += partBytes) {
        byte[] part = in.readNBytes(partBytes);
        int number = parts.size() + 1;
        String md5 = md5(part);
        String tag =
            calls.run(
                () ->
                    S3Calls.whole(
                        client
                            .uploadPart(
                                r ->
                                    r.bucket(bucket)
                                        .key(key)
                                        .uploadId(upload)
                                        .partNumber(number)
                                        .contentMD5(md5),
                                RequestBody.fromBytes(part))
                            .eTag()));
        parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
      }
      return parts;
    } catch (FailedRequest | IOException e) {
      abandon(key, upload);
      throw e;
    }
  }

  private void abandon(String key, String upload) {
    try {
      calls.run(() -> client.abortMultipartUpload(r -> r.bucket(bucket).key(key).uploadId(upload)));
    } catch (FailedRequest e) {
      // The write has failed already; a bucket's rule for unfinished uploads removes the parts.
      return;
    }
  }

  /** The {@code Content-MD5} by which the server checks what it got. */
  static String md5(byte[] content) {
    try {
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("MD5").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java runtime has MD5", e);
    }
  }
}
