package io.loam.vector;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a segment of a vector index keeps of each vector, in lists of vectors that are near. */
public enum IndexKind {
  /** The vector itself: scores are exact. */
  IVF_FLAT(1),
  /** One byte a component, and from 64 dimensions on one bit as well, which is looked at first. */
  IVF_SQ(2),
  /** One byte for a few components together, the nearest of 256 that were trained. */
  IVF_PQ(3);

  private final int code;

  IndexKind(int code) {
    this.code = code;
  }

  /** How files name the kind. */
  int code() {
    return code;
  }

  static Optional<IndexKind> ofCode(int code) {
    return Arrays.stream(values()).filter(kind -> kind.code == code).findFirst();
  }

  /** As in SQL. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The kind of this name in any letter case, or {@code INVALID_ARGUMENT}. */
  public static IndexKind named(String text) {
    return Arrays.stream(values())
        .filter(kind -> kind.text().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(
            () ->
                new LoamException(
                    ErrorCode.INVALID_ARGUMENT,
                    "no such kind of index: kind=%s; use one of %s"
                        .formatted(
                            text,
                            Arrays.stream(values())
                                .map(IndexKind::text)
                                .collect(Collectors.joining(", ")))));
  }
}
