package io.loam.lance;

import java.util.Map;
import java.util.Set;

/**
 * How Lance opens a dataset.
 *
 * @param options what Lance has to be told beside the URI; keys are among it, so it is never part
 *     of a text
 */
public record LanceAddress(String uri, Map<String, String> options) {
  private static final Set<String> SECRETS =
      Set.of("aws_access_key_id", "aws_secret_access_key", "aws_session_token");

  public LanceAddress {
    options = Map.copyOf(options);
  }

  /** A folder of this machine. */
  public static LanceAddress local(String path) {
    return new LanceAddress(path, Map.of());
  }

  /** A text without the keys. */
  String hideKeysIn(String text) {
    String hidden = text;
    for (String name : SECRETS) {
      String value = options.get(name);
      hidden = value == null ? hidden : hidden.replace(value, "***");
    }
    return hidden;
  }

  @Override
  public String toString() {
    return uri;
  }
}
