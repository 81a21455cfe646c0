package io.loam.text;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.regex.Pattern;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.ByteRunAutomaton;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;
import org.jspecify.annotations.Nullable;

/**
 * Describes terms.
 *
 * @param text of a wildcard pattern with {@code *}, {@code ?} and {@code \\} for the next character
 *     as it is
 * @param edits that a fuzzy term may differ by, 1 or 2, transpositions counting as one
 */
record TermPattern(Kind kind, String text, int edits) {
  static final int MAX_EDITS = 2;

  /** An escaped character, or stars that stand together. */
  private static final Pattern ESCAPE_OR_STARS = Pattern.compile("\\\\.|\\*+", Pattern.DOTALL);

  /** How a pattern is read. */
  enum Kind {
    PREFIX,
    WILDCARD,
    FUZZY
  }

  /** Finds terms of leaf after leaf. Safe for use by several threads. */
  static final class Matcher {
    /** What all terms start with. */
    private final BytesRef prefix;

    /** Decides on the rest, if there is anything to decide. */
    private final @Nullable ByteRunAutomaton automaton;

    Matcher(TermPattern pattern) {
      this.prefix = new BytesRef(pattern.literalPrefix());
      this.automaton = pattern.automaton();
    }

    /** The codes of the terms that match. */
    BitSet codes(TokenReader tokens) {
      BitSet codes = new BitSet();
      for (int code = tokens.ceilingCode(prefix); code < tokens.termCount(); code++) {
        byte[] term = tokens.termBytes(code);
        if (!startsWithPrefix(term)) {
          break;
        }
        if (automaton == null || automaton.run(term, 0, term.length)) {
          codes.set(code);
        }
      }
      return codes;
    }

    private boolean startsWithPrefix(byte[] term) {
      return term.length >= prefix.length
          && Arrays.equals(
              term, 0, prefix.length, prefix.bytes, prefix.offset, prefix.offset + prefix.length);
    }
  }

  /** Whether no term can match, since all are shorter. */
  boolean isLongerThanTerms() {
    return kind != Kind.WILDCARD && text.length() - edits > Analyzers.MAX_TOKEN_LENGTH;
  }

  private String literalPrefix() {
    return switch (kind) {
      case PREFIX -> text;
      case FUZZY -> "";
      case WILDCARD -> {
        int end = 0;
        while (end < text.length() && "*?\\".indexOf(text.charAt(end)) < 0) {
          end++;
        }
        yield text.substring(0, end);
      }
    };
  }

  /** A star after another one says nothing, and makes automata large. */
  String withSingleStars() {
    return ESCAPE_OR_STARS
        .matcher(text)
        .replaceAll(
            part ->
                part.group().startsWith("*")
                    ? "*"
                    : java.util.regex.Matcher.quoteReplacement(part.group()));
  }

  private @Nullable ByteRunAutomaton automaton() {
    Term term = new Term("", kind == Kind.WILDCARD ? withSingleStars() : text);
    try {
      return switch (kind) {
        case FUZZY ->
            new FuzzyQuery(term, edits, 0, FuzzyQuery.defaultMaxExpansions, true)
                .getAutomata()
                .runAutomaton;
        case PREFIX -> null;
        case WILDCARD ->
            new CompiledAutomaton(WildcardQuery.toAutomaton(term), false, false).runAutomaton;
      };
    } catch (TooComplexToDeterminizeException e) {
      throw new LoamException(
          ErrorCode.LIMIT_EXCEEDED,
          "pattern is too complex: pattern=" + text + "; use fewer wildcards",
          e);
    }
  }
}
