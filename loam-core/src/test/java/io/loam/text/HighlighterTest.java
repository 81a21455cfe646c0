package io.loam.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HighlighterTest {

  private static String highlight(String analyzer, String query, String text, int fragments) {
    QueryField field = new QueryField(1, analyzer, 1);
    TextQuery parsed =
        TextQueries.parse(
            query,
            new TextQueries.Options(QuerySyntax.SIMPLE, false, 0),
            List.of(field),
            name -> Optional.empty());
    return Highlighter.highlight(parsed, field, text, new Highlighter.Style("[", "]", fragments));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "english | wing | Wings, winging: a WING's flow | [Wings], [winging]: a [WING's] flow",
        "english | flow -wing | The wing in the flow | The wing in the [flow]",
        "english | \"boundary layer\" | a layer; the boundary of the layer; boundary | a layer; the [boundary] of the [layer]; boundary",
        "english | \"flat plate\"~2 | a plate that is flat, past a plate | a [plate] that is [flat], past a [plate]",
        "english | \"flat plate\"~1 | a plate, much that is very flat | a plate, much that is very flat",
        "standard | wi* | Wing wind twin | [Wing] [wind] twin",
        "standard | wibg~1 | wing wings | [wing] wings",
        "standard | +wing +absent | wing | [wing]",
        "standard | nothing | wing | wing",
        "german | häuser | Das Haus und die Häuser | Das [Haus] und die [Häuser]",
        "french | l'avion | Les avions volent | Les [avions] volent",
        "cjk | 東京都 | 私は東京都に住む | 私は[東京都]に住む",
        "standard | x | |",
      })
  void marksWhatTheAnalyzerMakesEqual(String analyzer, String query, String text, String shown) {
    assertThat(highlight(analyzer, query, text == null ? "" : text, 0))
        .isEqualTo(shown == null ? "" : shown);
  }

  @Test
  void passagesAreTheBestSentencesInTheirOrder() {
    String text =
        "Nothing here. A wing alone. Then nothing at all. A wing in a flow. The flow, the flow.";
    assertThat(highlight("english", "wing flow", text, 1)).isEqualTo("A [wing] in a [flow].");
    assertThat(highlight("english", "wing flow", text, 2))
        .isEqualTo("A [wing] in a [flow]. … The [flow], the [flow].");
    assertThat(highlight("english", "wing flow", text, 9).replaceAll("[\\[\\]]", ""))
        .isEqualTo(text.replace(". ", ". … "));
    assertThat(highlight("english", "absent", text, 2)).isEqualTo("Nothing here. … A wing alone.");
    assertThat(highlight("english", "absent", "", 2)).isEmpty();
  }

  @Test
  void longSentencesAreCutBetweenWords() {
    String text = "word ".repeat(100) + "wing " + "word ".repeat(100);
    String shown = highlight("standard", "wing", text, 1);
    assertThat(shown).contains("[wing]").hasSizeBetween(100, 180);
    assertThat(text).contains(shown.replace("[wing]", "wing"));
  }

  /** Whatever the text and query, taking the marks away gives the text. */
  @Test
  void marksChangeNothingElse() {
    Random random = new Random(3);
    String letters = "ab c.d\u00e9\ud83d\ude00\u6771\u4eac A'\n";
    for (int i = 0; i < 3_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int c = random.nextInt(60); c > 0; c--) {
        text.append(letters.charAt(random.nextInt(letters.length())));
      }
      String query = text.length() < 4 ? "a" : text.substring(1, 3) + " " + text.substring(3) + "*";
      for (String analyzer : List.of("standard", "english", "cjk", "keyword", "thai")) {
        assertThat(highlight(analyzer, query, text.toString(), 0).replaceAll("[\\[\\]]", ""))
            .as(analyzer + ": " + query)
            .isEqualTo(text.toString());
      }
    }
  }
}
