package io.loam.maintain;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A part of the upkeep of a collection. */
public enum Part {
  /** Rows of small commits, which readers hold in memory until they become a split. */
  TAIL,
  /** Text splits: few, and without many deleted documents. */
  SPLITS,
  /** Lance fragments: likewise. */
  FRAGMENTS,
  /** Vector indexes: rows that they do not cover, and their small segments. */
  INDEXES,
  /** Temporary files that processes which died left on this machine. */
  FILES;

  /** As in SQL. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The part of this name in any letter case, or {@code INVALID_ARGUMENT}. */
  public static Part named(String text) {
    return Arrays.stream(values())
        .filter(part -> part.text().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(
            () ->
                new LoamException(
                    ErrorCode.INVALID_ARGUMENT,
                    "no such part of maintenance: part=%s; use one of %s"
                        .formatted(
                            text,
                            Arrays.stream(values())
                                .map(Part::text)
                                .collect(Collectors.joining(", ")))));
  }
}
