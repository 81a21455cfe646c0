package io.loam.store;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;

/** What paths of objects may look like. */
final class ObjectPath {
  private static final int MAX_PART_CHARS = 255;

  private ObjectPath() {}

  /**
   * Fails with {@code INVALID_ARGUMENT} unless the path is relative, and each part is there, is at
   * most 255 characters of ASCII without controls, and does not start with a dot.
   */
  static String check(String path) {
    for (String part : path.split("/", -1)) {
      checkPart(part, path);
    }
    return path;
  }

  /** Like {@link #check}, but for the beginning of a path, which may be empty or end in a slash. */
  static String checkPrefix(String prefix) {
    int slash = prefix.lastIndexOf('/');
    if (slash >= 0) {
      check(prefix.substring(0, slash));
    }
    String last = prefix.substring(slash + 1);
    if (!last.isEmpty()) {
      checkPart(last, prefix);
    }
    return prefix;
  }

  private static void checkPart(String part, String path) {
    if (part.isEmpty()) {
      throw refuse("empty part", path);
    }
    if (part.charAt(0) == '.') {
      throw refuse("part starts with a dot", path);
    }
    if (part.length() > MAX_PART_CHARS) {
      throw refuse("part longer than " + MAX_PART_CHARS + " characters", path);
    }
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (c < ' ' || c > '~' || c == '\\') {
        throw refuse("character outside printable ASCII, or a backslash", path);
      }
    }
  }

  private static LoamException refuse(String problem, String path) {
    return new LoamException(
        ErrorCode.INVALID_ARGUMENT,
        "invalid object path, %s: path=%s; use parts like collections/c1/head"
            .formatted(problem, path));
  }
}
