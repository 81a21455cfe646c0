package io.loam.store;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Objects under a prefix of an S3 bucket, by conditional writes. Safe for use by several threads
 * and processes. The tag is S3's ETag: an object that changed and changed back has its old tag
 * again, but Loam's mutable objects carry a fresh ULID in each content.
 *
 * <p>A write whose answer is lost, or is an error of the server, is made again. If its condition
 * then fails, or no answer comes at all, the object is read: where it holds our very content, the
 * write won, else its outcome is unknown.
 */
public final class S3ObjectStore implements ObjectStore {
  private static final int COMPARED_BYTES = 8 << 20;
  private static final Set<S3Failure> CREATION_LOST = EnumSet.of(S3Failure.CONDITION);
  private static final Set<S3Failure> SWAP_LOST =
      EnumSet.of(S3Failure.CONDITION, S3Failure.MISSING);

  private final S3Settings settings;
  private final S3Connection connection;
  private final S3Client client;
  private final S3Calls calls;
  private final S3Upload upload;

  /** Connects when first used. */
  public S3ObjectStore(S3Settings settings) {
    this(settings, S3Pace.DEFAULT, S3Upload.PART_BYTES);
  }

  S3ObjectStore(S3Settings settings, S3Pace pace, int partBytes) {
    this.settings = settings;
    this.connection = S3Connection.open(settings, pace);
    this.client = connection.client();
    this.calls = new S3Calls(pace);
    this.upload = new S3Upload(client, calls, settings.bucket(), partBytes);
  }

  @Override
  public Optional<StoredObject> get(String path) {
    String key = key(path);
    try {
      ResponseBytes<GetObjectResponse> answer =
          calls.run(() -> content(r -> r.bucket(bucket()).key(key)));
      byte[] content = answer.asByteArrayUnsafe();
      Traffic.read(content.length);
      return Optional.of(new StoredObject(content, answer.response().eTag()));
    } catch (FailedRequest e) {
      if (e.failure() == S3Failure.MISSING) {
        return Optional.empty();
      }
      throw unavailable("cannot read object", path, e);
    }
  }

  private ResponseBytes<GetObjectResponse> content(Consumer<GetObjectRequest.Builder> what) {
    ResponseBytes<GetObjectResponse> answer = client.getObject(what, ResponseTransformer.toBytes());
    S3Calls.whole(answer.response().eTag());
    S3Calls.whole(answer.response().contentLength());
    return answer;
  }

  @Override
  public byte[] getRange(String path, long offset, int length) {
    String key = key(path);
    if (length == 0) {
      return new byte[0];
    }
    String range = "bytes=" + offset + "-" + (offset + length - 1);
    try {
      byte[] content =
          calls
              .run(() -> content(r -> r.bucket(bucket()).key(key).range(range)))
              .asByteArrayUnsafe();
      Traffic.read(content.length);
      if (content.length == length) {
        return content;
      }
    } catch (FailedRequest e) {
      if (e.failure() == S3Failure.MISSING) {
        throw missing(path);
      }
      if (e.failure() != S3Failure.RANGE) {
        throw unavailable("cannot read object", path, e);
      }
    }
    throw new LoamException(
        ErrorCode.CORRUPT_OBJECT,
        "object too short: path=%s, size=%d, wanted=%d+%d; restore it from a copy"
            .formatted(path, size(path).orElseThrow(() -> missing(path)), offset, length));
  }

  @Override
  public OptionalLong size(String path) {
    Optional<HeadObjectResponse> head = head(path);
    return head.isEmpty() ? OptionalLong.empty() : OptionalLong.of(head.get().contentLength());
  }

  private Optional<HeadObjectResponse> head(String path) {
    String key = key(path);
    try {
      return Optional.of(
          calls.run(
              () -> {
                HeadObjectResponse head = client.headObject(r -> r.bucket(bucket()).key(key));
                S3Calls.whole(head.eTag());
                S3Calls.whole(head.contentLength());
                return head;
              }));
    } catch (FailedRequest e) {
      if (e.failure() == S3Failure.MISSING) {
        return Optional.empty();
      }
      throw unavailable("cannot read object", path, e);
    }
  }

  @Override
  public Optional<String> putIfAbsent(String path, byte[] content) {
    return put(path, content, r -> r.ifNoneMatch("*"), CREATION_LOST);
  }

  @Override
  public Optional<String> putIfMatch(String path, byte[] content, String tag) {
    return put(path, content, r -> r.ifMatch(tag), SWAP_LOST);
  }

  private Optional<String> put(
      String path,
      byte[] content,
      Consumer<PutObjectRequest.Builder> condition,
      Set<S3Failure> lost) {
    String key = key(path);
    PutObjectRequest request =
        PutObjectRequest.builder()
            .bucket(bucket())
            .key(key)
            .contentMD5(S3Upload.md5(content))
            .applyMutation(condition)
            .build();
    try {
      String tag =
          calls.run(
              () ->
                  S3Calls.whole(client.putObject(request, RequestBody.fromBytes(content)).eTag()));
      Traffic.written(content.length);
      return Optional.of(tag);
    } catch (FailedRequest e) {
      return settle(path, e, lost, () -> ownTag(path, content));
    }
  }

  private Optional<String> ownTag(String path, byte[] content) {
    return get(path).filter(o -> Arrays.equals(o.content(), content)).map(StoredObject::tag);
  }

  @Override
  public Optional<String> putFileIfAbsent(String path, Path file) {
    String key = key(path);
    try {
      return Optional.of(upload.create(key, file));
    } catch (FailedRequest e) {
      return settle(path, e, CREATION_LOST, () -> ownTag(path, file));
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private Optional<String> ownTag(String path, Path file) {
    return head(path).filter(h -> isCopy(path, h.contentLength(), file)).map(h -> h.eTag());
  }

  private boolean isCopy(String path, long size, Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      if (size != Files.size(file)) {
        return false;
      }
      for (long at = 0; at < size; at += COMPARED_BYTES) {
        int length = (int) Math.min(COMPARED_BYTES, size - at);
        if (!Arrays.equals(in.readNBytes(length), getRange(path, at, length))) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /**
   * What a failed conditional write comes to: nothing where it lost, or its tag where it won.
   *
   * @param lost answers that mean that the condition did not hold
   * @param ownTag the object's tag if it holds what was written
   */
  private Optional<String> settle(
      String path, FailedRequest e, Set<S3Failure> lost, Supplier<Optional<String>> ownTag) {
    if (!e.isUnsure()) {
      if (lost.contains(e.failure())) {
        return Optional.empty();
      }
      throw unavailable("cannot write object", path, e);
    }
    LoamException unknown =
        new LoamException(
            ErrorCode.OUTCOME_UNKNOWN,
            "object maybe written: path=%s, %s; read it to learn which".formatted(path, facts(e)),
            cause(e));
    try {
      Optional<String> tag = ownTag.get();
      if (tag.isPresent()) {
        return tag;
      }
    } catch (LoamException readFailure) {
      unknown.addSuppressed(readFailure);
    }
    throw unknown;
  }

  @Override
  public List<ObjectInfo> list(String prefix) {
    String keyPrefix = settings.keyPrefix() + ObjectPath.checkPrefix(prefix);
    List<ObjectInfo> found = new ArrayList<>();
    @Nullable String next = null;
    do {
      String token = next;
      ListObjectsV2Response page = listPage(prefix, keyPrefix, token);
      for (S3Object object : page.contents()) {
        String path = object.key().substring(settings.keyPrefix().length());
        if (!path.isEmpty() && !path.endsWith("/")) { // consoles mark folders by such objects
          found.add(new ObjectInfo(path, object.size(), object.lastModified().toEpochMilli()));
        }
      }
      next = page.isTruncated() ? page.nextContinuationToken() : null;
    } while (next != null);
    return found;
  }

  private ListObjectsV2Response listPage(
      String prefix, String keyPrefix, @Nullable String continuationToken) {
    try {
      return calls.run(
          () -> {
            ListObjectsV2Response page =
                client.listObjectsV2(
                    r -> r.bucket(bucket()).prefix(keyPrefix).continuationToken(continuationToken));
            S3Calls.whole(page.isTruncated());
            return page;
          });
    } catch (FailedRequest e) {
      throw unavailable("cannot list objects", prefix, e);
    }
  }

  @Override
  public void delete(String path) {
    String key = key(path);
    try {
      calls.run(() -> client.deleteObject(r -> r.bucket(bucket()).key(key)));
    } catch (FailedRequest e) {
      if (e.failure() != S3Failure.MISSING) {
        throw unavailable("cannot delete object", path, e);
      }
    }
  }

  @Override
  public void deleteAll(Collection<String> paths) {
    List<String> all = List.copyOf(paths);
    for (int from = 0; from < all.size(); from += DELETED_TOGETHER) {
      int to = Math.min(all.size(), from + DELETED_TOGETHER);
      // One by one, those that are left fail with an error of their own.
      leftOf(all.subList(from, to)).forEach(this::delete);
    }
  }

  /** Removes objects by one request; those that it may have left. */
  private List<String> leftOf(List<String> paths) {
    List<ObjectIdentifier> objects =
        paths.stream().map(path -> ObjectIdentifier.builder().key(key(path)).build()).toList();
    try {
      DeleteObjectsResponse answer =
          calls.run(
              () ->
                  client.deleteObjects(
                      r -> r.bucket(bucket()).delete(d -> d.objects(objects).quiet(true))));
      int prefix = settings.keyPrefix().length();
      return answer.errors().stream().map(error -> error.key().substring(prefix)).toList();
    } catch (FailedRequest e) {
      return paths;
    }
  }

  /** Does nothing: what S3 has confirmed is on stable storage. */
  @Override
  public void force(Collection<String> paths) {}

  @Override
  public String uri(String path) {
    return "s3://" + bucket() + "/" + key(path);
  }

  @Override
  public Map<String, String> nativeOptions() {
    return connection.nativeOptions();
  }

  @Override
  public Optional<Path> localPath(String path) {
    return Optional.empty();
  }

  @Override
  public void close() {
    connection.close();
  }

  private String bucket() {
    return settings.bucket();
  }

  private String key(String path) {
    return settings.keyPrefix() + ObjectPath.check(path);
  }

  private LoamException unavailable(String problem, String path, FailedRequest e) {
    return new LoamException(
        ErrorCode.STORE_UNAVAILABLE,
        "%s: path=%s, bucket=%s, %s; check the bucket, its region, the keys and the network"
            .formatted(problem, path, bucket(), facts(e)),
        cause(e));
  }

  private String facts(FailedRequest e) {
    return connection.hideKeysIn(e.facts());
  }

  /** The cause, unless its text has keys in it. */
  private @Nullable Throwable cause(FailedRequest e) {
    String text = String.valueOf(e.getCause());
    return connection.hideKeysIn(text).equals(text) ? e.getCause() : null;
  }

  private static LoamException missing(String path) {
    return new LoamException(
        ErrorCode.MISSING_OBJECT, "no such object: path=" + path + "; restore it from a copy");
  }

  private static LoamException unreadable(Path file, IOException e) {
    return new LoamException(
        ErrorCode.STORE_UNAVAILABLE,
        "local file cannot be read: path=%s, reason=%s; mend the file system and try again"
            .formatted(file, e),
        e);
  }
}
