package io.loam.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.loam.schema.AnalyzerNames;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each analyzer's tokens, by way of a token file's builder, against Lucene's own on a page. */
class AnalyzersTest {
  private static final String[] SHORT_NAMES = {
    "arabic ar",
    "armenian hy",
    "basque eu",
    "bengali bn",
    "brazilian br",
    "bulgarian bg",
    "catalan ca",
    "czech cz",
    "danish da",
    "dutch nl",
    "english en",
    "estonian et",
    "finnish fi",
    "french fr",
    "galician gl",
    "german de",
    "greek el",
    "hindi hi",
    "hungarian hu",
    "indonesian id",
    "irish ga",
    "italian it",
    "latvian lv",
    "lithuanian lt",
    "nepali ne",
    "norwegian no",
    "persian fa",
    "portuguese pt",
    "romanian ro",
    "russian ru",
    "serbian sr",
    "sorani ckb",
    "spanish es",
    "swedish sv",
    "tamil ta",
    "telugu te",
    "thai th",
    "turkish tr"
  };

  /** Classes that are not called after their language alone. */
  private static final Map<String, String> OTHERS =
      Map.of(
          "standard", "standard.StandardAnalyzer",
          "simple", "core.SimpleAnalyzer",
          "whitespace", "core.WhitespaceAnalyzer",
          "keyword", "core.KeywordAnalyzer",
          "cjk", "cjk.CJKAnalyzer");

  /** In several scripts, with what splits words in each. */
  private static final String SAMPLE =
      "All human beings are born free and equal in dignity and rights. L'homme est né libre;"
          + " d'un côté. Alle Menschen sind frei und gleich an Würde — Häuser, Straßen."
          + " Todos los seres humanos nacen libres. Все люди рождаются свободными и равными."
          + " Όλοι οι άνθρωποι γεννιούνται ελεύθεροι. يولد جميع الناس أحراراً متساوين."
          + " सभी मनुष्यों को गौरव और अधिकारों के मामले में. มนุษย์ทั้งหลายเกิดมามีอิสระ"
          + " 人人生而自由,在尊严和权利上一律平等。 すべての人間は İSTANBUL'da çocuklar"
          + " Minden emberi lény szabadon születik. e.g. U.S.A. 3.14 foo-bar_baz a@b.org x² 😀";

  static Stream<String> names() {
    return Analyzers.names().stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void tokensAreThoseOfLucene(String name) throws Exception {
    Analyzer lucene = lucene(name);
    String page = page(name, lucene);
    List<String> expected = tokens(lucene, page);
    assertThat(expected).isNotEmpty();
    assertThat(Analyzers.tokens(name, page)).isEqualTo(expected);
    TokenReader read = new TokenBuilder().addText(name, page).build();
    int[] codes = read.tokens(0, new int[0]);
    List<String> kept = new ArrayList<>();
    for (int i = 0; i < read.length(0); i++) {
      kept.add(read.term(codes[i]));
    }
    assertThat(kept).isEqualTo(expected);
  }

  @Test
  void everyAnalyzerThatAColumnMayNameIsKnown() {
    assertThat(Analyzers.names()).containsAll(AnalyzerNames.ALL);
  }

  /** Each analyzer that is called after a language has a text in it. */
  @Test
  void pagesAreThere() throws IOException {
    assertThat(pages().keySet())
        .containsExactlyInAnyOrderElementsOf(
            Analyzers.names().stream()
                .filter(name -> !OTHERS.containsKey(name) || name.equals("cjk"))
                .toList());
  }

  /** Texts in the analyzers' languages, by name. */
  private static Map<String, String> pages() throws IOException {
    try (InputStream file = AnalyzersTest.class.getResourceAsStream("pages.txt")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), UTF_8)
          .lines()
          .map(line -> line.split(": ", 2))
          .collect(Collectors.toMap(entry -> entry[0], entry -> entry[1]));
    }
  }

  /** A text in the language, the sample, and stop words with endings. */
  private static String page(String name, Analyzer lucene)
      throws ReflectiveOperationException, IOException {
    StringBuilder page =
        new StringBuilder(pages().getOrDefault(name, "")).append(' ').append(SAMPLE);
    for (Method method : lucene.getClass().getMethods()) {
      if (method.getName().equals("getDefaultStopSet") && method.getParameterCount() == 0) {
        Random random = new Random(1);
        CharArraySet words = (CharArraySet) method.invoke(null);
        List<String> sorted = new ArrayList<>();
        words.forEach(word -> sorted.add(new String((char[]) word)));
        sorted.sort(null);
        for (int i = 0; i < 400 && !sorted.isEmpty(); i++) {
          String word = sorted.get(random.nextInt(sorted.size()));
          String next = sorted.get(random.nextInt(sorted.size()));
          page.append(i % 3 == 0 ? " " + word : " " + word + next);
        }
      }
    }
    return page.toString();
  }

  private static Analyzer lucene(String name) throws ReflectiveOperationException {
    String type = OTHERS.get(name);
    for (String entry : SHORT_NAMES) {
      if (entry.startsWith(name + " ")) {
        String language = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        type = entry.substring(name.length() + 1) + "." + language + "Analyzer";
      }
    }
    assertThat(type).as(name).isNotNull();
    return Class.forName("org.apache.lucene.analysis." + type)
        .asSubclass(Analyzer.class)
        .getConstructor()
        .newInstance();
  }

  private static List<String> tokens(Analyzer analyzer, String text) throws IOException {
    List<String> tokens = new ArrayList<>();
    try (TokenStream stream = analyzer.tokenStream("f", text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      while (stream.incrementToken()) {
        if (term.length()
            > 0) { // A stemmer may leave nothing of a word, which nobody can look for.
          tokens.add(term.toString());
        }
      }
      stream.end();
    }
    return tokens;
  }
}
