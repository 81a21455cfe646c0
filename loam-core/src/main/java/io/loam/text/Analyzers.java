package io.loam.text;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.ar.ArabicAnalyzer;
import org.apache.lucene.analysis.bg.BulgarianAnalyzer;
import org.apache.lucene.analysis.bn.BengaliAnalyzer;
import org.apache.lucene.analysis.br.BrazilianAnalyzer;
import org.apache.lucene.analysis.ca.CatalanAnalyzer;
import org.apache.lucene.analysis.cjk.CJKAnalyzer;
import org.apache.lucene.analysis.ckb.SoraniAnalyzer;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.cz.CzechAnalyzer;
import org.apache.lucene.analysis.da.DanishAnalyzer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.el.GreekAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.et.EstonianAnalyzer;
import org.apache.lucene.analysis.eu.BasqueAnalyzer;
import org.apache.lucene.analysis.fa.PersianAnalyzer;
import org.apache.lucene.analysis.fi.FinnishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.ga.IrishAnalyzer;
import org.apache.lucene.analysis.gl.GalicianAnalyzer;
import org.apache.lucene.analysis.hi.HindiAnalyzer;
import org.apache.lucene.analysis.hu.HungarianAnalyzer;
import org.apache.lucene.analysis.hy.ArmenianAnalyzer;
import org.apache.lucene.analysis.id.IndonesianAnalyzer;
import org.apache.lucene.analysis.it.ItalianAnalyzer;
import org.apache.lucene.analysis.lt.LithuanianAnalyzer;
import org.apache.lucene.analysis.lv.LatvianAnalyzer;
import org.apache.lucene.analysis.ne.NepaliAnalyzer;
import org.apache.lucene.analysis.nl.DutchAnalyzer;
import org.apache.lucene.analysis.no.NorwegianAnalyzer;
import org.apache.lucene.analysis.pt.PortugueseAnalyzer;
import org.apache.lucene.analysis.ro.RomanianAnalyzer;
import org.apache.lucene.analysis.ru.RussianAnalyzer;
import org.apache.lucene.analysis.sr.SerbianAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.sv.SwedishAnalyzer;
import org.apache.lucene.analysis.ta.TamilAnalyzer;
import org.apache.lucene.analysis.te.TeluguAnalyzer;
import org.apache.lucene.analysis.th.ThaiAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tr.TurkishAnalyzer;

/** Lucene's analyzers by name. Safe for use by several threads. */
public final class Analyzers {
  /** UTF-16 units that a token keeps; the rest of a longer one is cut off, in queries as well. */
  static final int MAX_TOKEN_LENGTH = 8_192;

  private static final SortedMap<String, Supplier<Analyzer>> FACTORIES = factories();
  private static final ConcurrentHashMap<String, Analyzer> MADE = new ConcurrentHashMap<>();

  /** Names of all analyzers, lower case, sorted. */
  public static Set<String> names() {
    return Collections.unmodifiableSet(FACTORIES.keySet());
  }

  /** True for a name that {@link #tokens} accepts, in any letter case. */
  public static boolean isKnown(String analyzer) {
    return FACTORIES.containsKey(analyzer.toLowerCase(Locale.ROOT));
  }

  /**
   * The text's tokens in order; position gaps (of stop words) are not kept.
   *
   * @param analyzer a name, in any letter case; else {@code INVALID_ARGUMENT}
   */
  public static List<String> tokens(String analyzer, String text) {
    List<String> tokens = new ArrayList<>();
    TokenSink sink = (buffer, length) -> tokens.add(new String(buffer, 0, length));
    analyze(analyzer, text, sink);
    return tokens;
  }

  /**
   * A part of a word, such as a prefix, in the form that the analyzer gives to letters, without
   * taking it apart or cutting its end off.
   */
  static String normalize(String analyzer, String text) {
    return analyzer(analyzer).normalize("", text).utf8ToString();
  }

  /** Takes a token out of a buffer that the next token overwrites. */
  @FunctionalInterface
  interface TokenSink {
    void accept(char[] buffer, int length);
  }

  /** Hands the text's tokens to {@code sink} in order, without making strings of them. */
  static void analyze(String analyzer, String text, TokenSink sink) {
    SinkOfStream always = stream -> sink;
    analyze(analyzer, text, always);
  }

  /** Where the text's tokens stand, in order: start and end of the first, of the second, … */
  static int[] offsets(String analyzer, String text) {
    IntStream.Builder offsets = IntStream.builder();
    SinkOfStream ofOffsets =
        stream -> {
          OffsetAttribute offset = stream.addAttribute(OffsetAttribute.class);
          return (buffer, length) -> offsets.add(offset.startOffset()).add(offset.endOffset());
        };
    analyze(analyzer, text, ofOffsets);
    return offsets.build().toArray();
  }

  /** Makes the sink of a stream, which may ask it for more than terms. */
  @FunctionalInterface
  private interface SinkOfStream {
    TokenSink of(TokenStream stream);
  }

  private static void analyze(String analyzer, String text, SinkOfStream sinks) {
    if (text.isEmpty()) {
      return;
    }
    // Lucene keeps one token stream per analyzer and thread, and reuses it.
    try (TokenStream stream = analyzer(analyzer).tokenStream("", text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      TokenSink sink = sinks.of(stream);
      stream.reset();
      while (stream.incrementToken()) {
        int length = keptLength(term.buffer(), term.length());
        if (length > 0) {
          sink.accept(term.buffer(), length);
        }
      }
      stream.end();
    } catch (IOException e) {
      throw new UncheckedIOException("reading a string cannot fail", e);
    }
  }

  private static int keptLength(char[] buffer, int length) {
    if (length <= MAX_TOKEN_LENGTH) {
      return length;
    }
    boolean splitsPair = Character.isHighSurrogate(buffer[MAX_TOKEN_LENGTH - 1]);
    return splitsPair ? MAX_TOKEN_LENGTH - 1 : MAX_TOKEN_LENGTH;
  }

  private static Analyzer analyzer(String name) {
    Analyzer made = MADE.get(name);
    return made != null ? made : make(name);
  }

  private static Analyzer make(String name) {
    String key = name.toLowerCase(Locale.ROOT);
    Supplier<Analyzer> factory = FACTORIES.get(key);
    if (factory == null) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          "unknown analyzer: analyzer=" + name + "; use one of " + String.join(", ", names()));
    }
    Analyzer analyzer = MADE.computeIfAbsent(key, k -> factory.get());
    MADE.put(name, analyzer);
    return analyzer;
  }

  private static SortedMap<String, Supplier<Analyzer>> factories() {
    SortedMap<String, Supplier<Analyzer>> map = new TreeMap<>();
    map.put("standard", StandardAnalyzer::new);
    map.put("simple", SimpleAnalyzer::new);
    map.put("whitespace", WhitespaceAnalyzer::new);
    map.put("keyword", KeywordAnalyzer::new);
    map.put("cjk", CJKAnalyzer::new);
    map.put("arabic", ArabicAnalyzer::new);
    map.put("armenian", ArmenianAnalyzer::new);
    map.put("basque", BasqueAnalyzer::new);
    map.put("bengali", BengaliAnalyzer::new);
    map.put("brazilian", BrazilianAnalyzer::new);
    map.put("bulgarian", BulgarianAnalyzer::new);
    map.put("catalan", CatalanAnalyzer::new);
    map.put("czech", CzechAnalyzer::new);
    map.put("danish", DanishAnalyzer::new);
    map.put("dutch", DutchAnalyzer::new);
    map.put("english", EnglishAnalyzer::new);
    map.put("estonian", EstonianAnalyzer::new);
    map.put("finnish", FinnishAnalyzer::new);
    map.put("french", FrenchAnalyzer::new);
    map.put("galician", GalicianAnalyzer::new);
    map.put("german", GermanAnalyzer::new);
    map.put("greek", GreekAnalyzer::new);
    map.put("hindi", HindiAnalyzer::new);
    map.put("hungarian", HungarianAnalyzer::new);
    map.put("indonesian", IndonesianAnalyzer::new);
    map.put("irish", IrishAnalyzer::new);
    map.put("italian", ItalianAnalyzer::new);
    map.put("latvian", LatvianAnalyzer::new);
    map.put("lithuanian", LithuanianAnalyzer::new);
    map.put("nepali", NepaliAnalyzer::new);
    map.put("norwegian", NorwegianAnalyzer::new);
    map.put("persian", PersianAnalyzer::new);
    map.put("portuguese", PortugueseAnalyzer::new);
    map.put("romanian", RomanianAnalyzer::new);
    map.put("russian", RussianAnalyzer::new);
    map.put("serbian", SerbianAnalyzer::new);
    map.put("sorani", SoraniAnalyzer::new);
    map.put("spanish", SpanishAnalyzer::new);
    map.put("swedish", SwedishAnalyzer::new);
    map.put("tamil", TamilAnalyzer::new);
    map.put("telugu", TeluguAnalyzer::new);
    map.put("thai", ThaiAnalyzer::new);
    map.put("turkish", TurkishAnalyzer::new);
    return map;
  }

  private Analyzers() {}
}
