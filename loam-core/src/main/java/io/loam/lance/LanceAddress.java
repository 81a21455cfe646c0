package io.loam.lance;

import java.util.Map;

/**
 * How Lance opens a dataset.
 *
 * @param options what Lance has to be told beside the URI; keys are among it, so it is never part
 *     of a text
 */
public record LanceAddress(String uri, Map<String, String> options) {
  public LanceAddress {
    options = Map.copyOf(options);
  }

  /** A folder of this machine. */
  public static LanceAddress local(String path) {
    return new LanceAddress(path, Map.of());
  }

  @Override
  public String toString() {
    return uri;
  }
}
