package io.loam.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextQueriesTest {
  private static final List<QueryField> BODY = List.of(new QueryField(1, "english", 1));

  /** Clauses as text: {@code +must} and {@code -must-not} in front of a bracketed group's parts. */
  private static String show(TextQuery query) {
    if (query instanceof TextQuery.Term term) {
      return term.fieldNumber() == 1 ? term.term() : term.term() + "@" + term.fieldNumber();
    }
    if (query instanceof TextQuery.Phrase phrase) {
      return "'"
          + String.join(" ", phrase.terms())
          + "'"
          + (phrase.slop() > 0 ? phrase.slop() : "");
    }
    if (query instanceof TextQuery.Pattern p) {
      String text = p.pattern().kind() + ":" + p.pattern().text();
      return text + (p.pattern().edits() > 0 ? p.pattern().edits() : "");
    }
    if (query instanceof TextQuery.Bool bool) {
      return IntStream.range(0, 3)
          .boxed()
          .flatMap(
              i ->
                  List.of(bool.must(), bool.should(), bool.mustNot()).get(i).stream()
                      .map(q -> List.of("+", "", "-").get(i) + show(q)))
          .collect(Collectors.joining(" ", "[", "]"));
    }
    return "none";
  }

  private static String parse(String query, boolean allWords) {
    return show(parse(query, QuerySyntax.SIMPLE, allWords, BODY));
  }

  private static TextQuery parse(
      String query, QuerySyntax syntax, boolean allWords, List<QueryField> fields) {
    return TextQueries.parse(
        query,
        new TextQueries.Options(syntax, allWords, 0),
        fields,
        name ->
            name.equals("title")
                ? Optional.of(new QueryField(2, "standard", 1))
                : Optional.empty());
  }

  private static String lucene(String query) {
    return show(parse(query, QuerySyntax.LUCENE, false, BODY));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "wing~wing",
        "Wings of the slipstream~[wing slipstream]",
        "wing wings wing~wing",
        "+wing flow~[+wing flow]",
        "flow +wing -heat~[+wing flow -heat]",
        "\"boundary layer\" flow~['boundari layer' flow]",
        "\"the flow\"~flow",
        "+foo-bar x1~[+[foo bar] x1]",
        "a1 | b1 c1~[a1 b1 c1]",
        "+a1 | b1 c1~[+[a1 b1] c1]",
        "+(a1 b1) -(c1 \"d1 e1\")~[+[a1 b1] -[c1 'd1 e1']]",
        "(a1 (b1 (c1~[a1 b1 c1]",
        "a1) b1~[a1 b1]",
        "\"a1 b1~'a1 b1'",
        "wing* \\+wing~[PREFIX:wing wing]",
        "Win\\* *ing w*ng *~[win ing w ng]",
        "wing*** win\\** ** b1\\*~[PREFIX:wing PREFIX:win* b1]",
        "-heat~none",
        "the~none"
      })
  void readsOperators(String query, String expected) {
    assertThat(parse(query, false)).isEqualTo(expected);
  }

  @Test
  void fuzzyMarksAndSlopStandAtTheEndOfAWordOrPhrase() {
    assertThat(parse("Wing~2 \"a1 b1\"~3 flow~", false))
        .isEqualTo("[FUZZY:wing2 'a1 b1'3 FUZZY:flow2]");
    assertThat(parse("wing~1) -(heat~9", false)).isEqualTo("[FUZZY:wing1 -FUZZY:heat2]");
    assertThat(parse("wing~0 ~ ~flow a1~b1", false)).isEqualTo("[wing flow a1 b1]");
    String longerThanTerms = "x".repeat(Analyzers.MAX_TOKEN_LENGTH + 3);
    assertThat(parse(longerThanTerms + "~ wing " + longerThanTerms + "*", false)).isEqualTo("wing");
  }

  @Test
  void lucenesSyntaxIsReadByItsParser() {
    assertThat(lucene("wings AND \"boundary layers\"~2 NOT heat"))
        .isEqualTo("[+wing +'boundari layer'2 -heat]");
    assertThat(lucene("title:wings (flow OR foo-bar)")).isEqualTo("[wings@2 flow foo bar]");
    assertThat(lucene("win* w?ng wing~1 wing~ *ing"))
        .isEqualTo("[PREFIX:win WILDCARD:w?ng FUZZY:wing1 FUZZY:wing2 WILDCARD:*ing]");
    assertThat(parse("wing^2", QuerySyntax.LUCENE, false, BODY))
        .isEqualTo(new TextQuery.Term(1, "wing", 2));
    assertThat(parse("(wing^2 \"a1 b1\")^3", QuerySyntax.LUCENE, false, BODY))
        .isEqualTo(
            new TextQuery.Bool(
                List.of(),
                List.of(
                    new TextQuery.Term(1, "wing", 6),
                    new TextQuery.Phrase(1, List.of("a1", "b1"), 3)),
                List.of()));
    assertThat(show(parse("the wings flow", QuerySyntax.LUCENE, true, BODY)))
        .isEqualTo("[+wing +flow]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\"a", "(a", "a)", "AND", "a^b", "/a+/", "[a TO b]", "a:b", "w^9999", "+"})
  void p11TextThatIsNotOfLucenesSyntaxIsRefused(String query) {
    assertThatThrownBy(() -> lucene(query))
        .isInstanceOf(LoamException.class)
        .hasMessageContaining(query.equals("w^9999") ? "9999" : query);
  }

  @Test
  void anyNumberOfOptionalClausesCanBeNeeded() {
    for (int least : new int[] {0, 2, 9}) {
      TextQuery query =
          TextQueries.parse(
              "a1 b1 +c1 d1",
              new TextQueries.Options(QuerySyntax.SIMPLE, false, least),
              BODY,
              name -> Optional.empty());
      assertThat(((TextQuery.Bool) query).leastShould()).isEqualTo(Math.min(least, 3));
    }
  }

  /** Words are counted: neither columns, nor alternatives, nor parts of a word. */
  @Test
  void eachOptionalWordCountsOnce() {
    assertThat(counted("wing plate", QuerySyntax.SIMPLE)).isEqualTo(2);
    assertThat(counted("wing", QuerySyntax.SIMPLE)).isEqualTo(1);
    assertThat(counted("wing|plate foo", QuerySyntax.SIMPLE)).isEqualTo(2);
    assertThat(counted("foo-bar plate", QuerySyntax.SIMPLE)).isEqualTo(2);
    assertThat(counted("foo-bar plate", QuerySyntax.TERMS)).isEqualTo(2);
    assertThat(counted("flat plate", QuerySyntax.PHRASE)).isEqualTo(1);
    assertThat(counted("wing", QuerySyntax.LUCENE)).isEqualTo(1);
    assertThat(counted("(wing OR plate) foo", QuerySyntax.LUCENE)).isEqualTo(2);
    assertThat(counted("wing OR plate OR foo", QuerySyntax.LUCENE)).isEqualTo(3);
  }

  /** How many clauses there are to be counted, in two columns. */
  private static int counted(String query, QuerySyntax syntax) {
    List<QueryField> columns =
        List.of(new QueryField(1, "standard", 1), new QueryField(2, "standard", 1));
    TextQuery.Bool parsed =
        (TextQuery.Bool)
            TextQueries.parse(
                query,
                new TextQueries.Options(syntax, false, 99),
                columns,
                name -> Optional.empty());
    assertThat(parsed.leastShould()).isEqualTo(parsed.should().size());
    return parsed.should().size();
  }

  @Test
  void parenthesesWithinTooManyMeanNothing() {
    String many = "(".repeat(20_000);
    assertThat(parse(many + "wing", false)).isEqualTo("wing");
    assertThat(parse(many + "wing" + ")".repeat(20_000) + " flow", false)).isEqualTo("[wing flow]");
  }

  @Test
  void allWordsAreNeededOnDemand() {
    assertThat(parse("wing flow", true)).isEqualTo("[+wing +flow]");
    assertThat(parse("wing | heat flow", true)).isEqualTo("[+[wing heat] +flow]");
    assertThat(parse("foo-bar", true)).isEqualTo("[+foo +bar]");
  }

  @Test
  void severalFieldsAreAlternativesOfEachWord() {
    List<QueryField> fields =
        List.of(new QueryField(1, "english", 1), new QueryField(2, "standard", 3));
    assertThat(show(parse("the wings", QuerySyntax.SIMPLE, true, fields)))
        .isEqualTo("[+the@2 +[wing wings@2]]");
  }

  @Test
  void otherSyntaxesHaveNoOperators() {
    assertThat(show(parse("+wing -flow", QuerySyntax.TERMS, false, BODY))).isEqualTo("[wing flow]");
    assertThat(show(parse("+wing (flow)", QuerySyntax.PHRASE, false, BODY)))
        .isEqualTo("'wing flow'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "+", "-", "\"", "*", "'", "|", "(", ")", "()", "\\", "~", "+-|", "\"\""})
  void textWithoutWordsMatchesNothing(String query) {
    for (QuerySyntax syntax : List.of(QuerySyntax.SIMPLE, QuerySyntax.TERMS, QuerySyntax.PHRASE)) {
      assertThat(parse(query, syntax, false, BODY)).isEqualTo(new TextQuery.None());
    }
  }

  private static void assertLuceneReadsOrRefuses(String query) {
    try {
      lucene(query);
    } catch (LoamException e) {
      assertThat(e.code()).isIn(ErrorCode.INVALID_ARGUMENT, ErrorCode.UNKNOWN_COLUMN);
    }
  }

  @Test
  void neverFailsOnRandomText() {
    Random random = new Random(7);
    String alphabet = "ab \"+-|()*~\\'\t2é漢\0\uD83D";
    for (int i = 0; i < 100_000; i++) {
      StringBuilder query = new StringBuilder();
      for (int n = random.nextInt(30); n > 0; n--) {
        query.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      parse(query.toString(), QuerySyntax.SIMPLE, random.nextBoolean(), BODY);
      assertLuceneReadsOrRefuses(query.toString());
    }
  }

  @Test
  void p11LimitsAreChecked() {
    String many = IntStream.range(0, 1_024).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));
    assertThat(parse(many, false)).startsWith("[w0 w1");
    assertFails(ErrorCode.LIMIT_EXCEEDED, many + " more", 1);
    assertFails(ErrorCode.INVALID_ARGUMENT, "wing", 1001);
    assertFails(ErrorCode.INVALID_ARGUMENT, "wing", 0);
    assertFails(ErrorCode.INVALID_ARGUMENT, "wing", Double.NaN);
  }

  private static void assertFails(ErrorCode code, String query, double boost) {
    List<QueryField> fields = List.of(new QueryField(1, "english", boost));
    assertThatThrownBy(() -> parse(query, QuerySyntax.SIMPLE, false, fields))
        .isInstanceOfSatisfying(LoamException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void analyzersAreKnownByNameAndBoundTokens() {
    assertThat(Analyzers.names()).contains("standard", "english", "german", "cjk", "keyword");
    assertThat(Analyzers.isKnown("English")).isTrue();
    assertThat(Analyzers.tokens("GERMAN", "Die Häuser")).isEqualTo(List.of("haus"));
    assertThat(Analyzers.tokens("keyword", "")).isEmpty();
    assertThat(Analyzers.tokens("keyword", "x".repeat(1 << 20)).get(0)).hasSize(8_192);
    for (String name : Analyzers.names()) {
      assertThat(Analyzers.tokens(name, "x".repeat(100_000))).isNotEmpty();
    }
    assertThatThrownBy(() -> Analyzers.tokens("klingon", "x")).hasMessageContaining("klingon");
  }
}
