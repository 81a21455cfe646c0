package io.loam.calcite;

import io.loam.query.VersionSpec;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A table's name with the version to read, as one string for the time between parser and schema: so
 * Calcite resolves the table, and its row type, at that version. A control character sets the two
 * apart, which no name that a user sees holds.
 */
record VersionedName(String name, VersionSpec version) {
  private static final char MARK = '\u0001';
  private static final Pattern ENCODED = Pattern.compile(MARK + "([vat])([^\u0001]*)" + MARK);

  /** Also those of a {@link RecallTable}. */
  private static final Pattern ANY = Pattern.compile(MARK + "[vatr][^\u0001]*" + MARK);

  String encode() {
    if (version instanceof VersionSpec.At at) {
      return name + MARK + 'v' + at.version() + MARK;
    }
    if (version instanceof VersionSpec.AsOf asOf) {
      return name + MARK + 'a' + asOf.time() + MARK;
    }
    if (version instanceof VersionSpec.Tag tag) {
      return name + MARK + 't' + tag.name() + MARK;
    }
    return name;
  }

  static VersionedName decode(String encoded) {
    Matcher matcher = ENCODED.matcher(encoded);
    if (!matcher.find()) {
      return new VersionedName(encoded, new VersionSpec.Latest());
    }
    String value = matcher.group(2);
    VersionSpec version =
        switch (matcher.group(1).charAt(0)) {
          case 'v' -> new VersionSpec.At(Long.parseLong(value));
          case 'a' -> new VersionSpec.AsOf(Instant.parse(value));
          default -> new VersionSpec.Tag(value);
        };
    return new VersionedName(encoded.substring(0, matcher.start()), version);
  }

  /** A text without what was put into its names. */
  static String strip(String text) {
    return ANY.matcher(text).replaceAll("");
  }

  /** The version as SQL shows it, empty for the latest. */
  static String describe(VersionSpec version) {
    if (version instanceof VersionSpec.At at) {
      return " FOR VERSION AS OF " + at.version();
    }
    if (version instanceof VersionSpec.AsOf asOf) {
      return " FOR SYSTEM_TIME AS OF " + asOf.time();
    }
    if (version instanceof VersionSpec.Tag tag) {
      return " FOR VERSION AS OF '" + tag.name() + "'";
    }
    return "";
  }
}
