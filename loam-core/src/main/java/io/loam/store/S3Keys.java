package io.loam.store;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a request to S3 is signed with. Never part of a text.
 *
 * @param sessionToken of temporary keys, else null
 */
public record S3Keys(String accessKeyId, String secretAccessKey, @Nullable String sessionToken) {
  private static final String HIDDEN = "***";

  /** A text without these keys. */
  String hideIn(String text) {
    String hidden = text.replace(accessKeyId, HIDDEN).replace(secretAccessKey, HIDDEN);
    return sessionToken == null ? hidden : hidden.replace(sessionToken, HIDDEN);
  }

  Map<String, String> nativeOptions() {
    Map<String, String> options = new TreeMap<>();
    options.put("aws_access_key_id", accessKeyId);
    options.put("aws_secret_access_key", secretAccessKey);
    if (sessionToken != null) {
      options.put("aws_session_token", sessionToken);
    }
    return options;
  }

  @Override
  public String toString() {
    return HIDDEN;
  }
}
