package io.loam.text;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Shows where in a text the words of a query stand. */
public final class Highlighter {
  /** UTF-16 units after which a sentence is cut, at the next white space. */
  private static final int LONG_PASSAGE = 160;

  private static final String GAP = " … ";

  /**
   * How a text is shown.
   *
   * @param before stands before each word
   * @param after stands after it
   * @param fragments how many of the best passages to show, or 0 for the whole text
   */
  public record Style(String before, String after, int fragments) {}

  /** A word that the query looks for. */
  private record Mark(int start, int end, int code) {}

  /** A part of the text, and the marks in it. */
  private record Passage(int start, int end, List<Mark> marks) {
    /** Passages with more different words first, then those with more words, then earlier ones. */
    static final Comparator<Passage> BEST_FIRST =
        Comparator.comparingLong((Passage p) -> p.marks.stream().map(Mark::code).distinct().count())
            .thenComparingInt(p -> p.marks.size())
            .reversed()
            .thenComparingInt(Passage::start);
  }

  private final QueryField field;
  private final String text;
  private final TokenReader reader;
  private final int[] tokens;
  private final int length;

  private Highlighter(QueryField field, String text) {
    this.field = field;
    this.text = text;
    this.reader = OneText.of(field, text).tokens();
    this.tokens = reader.tokens(0, new int[0]);
    this.length = reader.length(0);
  }

  /**
   * The text, or its best passages in their order, with the words of the query's clauses marked.
   * Words of clauses that must not match are not, nor are those of a phrase where it does not stand
   * as a whole; a phrase with slop is marked by its words. Passages are sentences, long ones cut;
   * where nothing is found, the first one is shown.
   */
  public static String highlight(TextQuery query, QueryField field, String text, Style style) {
    Highlighter highlighter = new Highlighter(field, text);
    List<Mark> marks = highlighter.marks(query);
    List<Passage> shown =
        style.fragments() == 0
            ? List.of(new Passage(0, text.length(), marks))
            : highlighter.passages(marks).stream()
                .sorted(Passage.BEST_FIRST)
                .limit(style.fragments())
                .sorted(Comparator.comparingInt(Passage::start))
                .toList();
    return shown.stream()
        .map(passage -> highlighter.show(passage, style))
        .collect(Collectors.joining(GAP));
  }

  /** Marks in the order of the text, none of which overlap. */
  private List<Mark> marks(TextQuery query) {
    BitSet found = new BitSet();
    find(query, found);
    int[] offsets = Analyzers.offsets(field.analyzer(), text);
    List<Mark> all = new ArrayList<>();
    found.stream().forEach(i -> all.add(new Mark(offsets[2 * i], offsets[2 * i + 1], tokens[i])));
    all.sort(Comparator.comparingInt(Mark::start));
    List<Mark> apart = new ArrayList<>();
    for (Mark mark : all) {
      Mark last = apart.isEmpty() ? null : apart.get(apart.size() - 1);
      if (last != null && mark.start < last.end) {
        apart.set(apart.size() - 1, new Mark(last.start, Math.max(last.end, mark.end), last.code));
      } else if (mark.start < mark.end) {
        apart.add(mark);
      }
    }
    return apart;
  }

  /** Adds the places of the tokens that a query looks for. */
  private void find(TextQuery query, BitSet found) {
    if (query instanceof TextQuery.Term term) {
      addAll(bits(reader.termCode(term.term())), found);
    } else if (query instanceof TextQuery.Pattern pattern) {
      addAll(new TermPattern.Matcher(pattern.pattern()).codes(reader), found);
    } else if (query instanceof TextQuery.Phrase phrase) {
      find(phrase, found);
    } else if (query instanceof TextQuery.Bool bool) {
      bool.must().forEach(clause -> find(clause, found));
      bool.should().forEach(clause -> find(clause, found));
    }
  }

  private void find(TextQuery.Phrase phrase, BitSet found) {
    int[] codes = phrase.terms().stream().mapToInt(reader::termCode).toArray();
    if (phrase.slop() > 0) {
      if (new SloppyPhrase(codes, phrase.slop()).count(tokens, length) > 0) {
        addAll(bits(codes), found);
      }
      return;
    }
    for (int start = 0; start + codes.length <= length; start++) {
      int i = 0;
      while (i < codes.length && tokens[start + i] == codes[i]) {
        i++;
      }
      if (i == codes.length) {
        found.set(start, start + i);
      }
    }
  }

  private static BitSet bits(int... codes) {
    BitSet bits = new BitSet();
    for (int code : codes) {
      if (code >= 0) {
        bits.set(code);
      }
    }
    return bits;
  }

  private void addAll(BitSet codes, BitSet found) {
    for (int i = 0; i < length; i++) {
      if (codes.get(tokens[i])) {
        found.set(i);
      }
    }
  }

  /** The text's passages; no mark is cut. */
  private List<Passage> passages(List<Mark> marks) {
    Set<Integer> ends = new TreeSet<>();
    BreakIterator sentences = BreakIterator.getSentenceInstance(Locale.ROOT);
    sentences.setText(text);
    for (int end = sentences.next(); end != BreakIterator.DONE; end = sentences.next()) {
      ends.add(end);
    }
    BitSet inMark = new BitSet();
    marks.forEach(mark -> inMark.set(mark.start + 1, mark.end));
    ends.removeIf(inMark::get);
    ends.add(text.length());
    List<Passage> passages = new ArrayList<>();
    int start = 0;
    for (int end : ends) {
      for (int at = start + LONG_PASSAGE; at < end; at++) {
        if (Character.isWhitespace(text.charAt(at)) && !inMark.get(at)) {
          passages.add(passage(start, at, marks));
          start = at;
          at = start + LONG_PASSAGE;
        }
      }
      passages.add(passage(start, end, marks));
      start = end;
    }
    return passages;
  }

  private static Passage passage(int start, int end, List<Mark> marks) {
    return new Passage(
        start, end, marks.stream().filter(m -> m.start >= start && m.start < end).toList());
  }

  private String show(Passage passage, Style style) {
    StringBuilder shown = new StringBuilder();
    int at = passage.start;
    for (Mark mark : passage.marks) {
      shown
          .append(text, at, mark.start)
          .append(style.before())
          .append(text, mark.start, mark.end)
          .append(style.after());
      at = mark.end;
    }
    shown.append(text, at, passage.end);
    return style.fragments() == 0 ? shown.toString() : shown.toString().strip();
  }
}
