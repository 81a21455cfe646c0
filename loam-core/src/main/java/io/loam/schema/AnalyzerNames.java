package io.loam.schema;

import java.util.List;

/** Names of the analyzers that a text field may declare. */
public final class AnalyzerNames {
  /** The analyzer of a text field that declares none. */
  public static final String DEFAULT = "standard";

  /**
   * All names; the Snowball languages stem, the others do what Lucene's analyzer of that name does.
   */
  public static final List<String> ALL =
      List.of(
          DEFAULT,
          "english",
          "simple",
          "whitespace",
          "keyword",
          "cjk",
          "arabic",
          "armenian",
          "basque",
          "catalan",
          "danish",
          "dutch",
          "estonian",
          "finnish",
          "french",
          "german",
          "hungarian",
          "irish",
          "italian",
          "lithuanian",
          "norwegian",
          "portuguese",
          "romanian",
          "russian",
          "spanish",
          "swedish",
          "turkish");

  private AnalyzerNames() {}
}
