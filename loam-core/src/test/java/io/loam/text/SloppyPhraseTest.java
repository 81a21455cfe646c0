package io.loam.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SloppyPhraseTest {

  /** The sum over all windows, by trying each. */
  static double slowCount(List<String> tokens, List<String> phrase, int slop) {
    double sum = 0;
    for (int first = -phrase.size(); first < tokens.size(); first++) {
      for (int last = first; last < tokens.size() && last - first <= slop; last++) {
        if (matches(tokens, phrase, first, last)
            && !matches(tokens, phrase, first + 1, last)
            && !matches(tokens, phrase, first, last - 1)) {
          sum += 1.0 / (1 + last - first);
        }
      }
    }
    return sum;
  }

  private static boolean matches(List<String> tokens, List<String> phrase, int first, int last) {
    return first <= last && matches(tokens, phrase, 0, first, last, new ArrayList<>());
  }

  private static boolean matches(
      List<String> tokens,
      List<String> phrase,
      int place,
      int first,
      int last,
      List<Integer> taken) {
    if (place == phrase.size()) {
      return true;
    }
    int from = Math.max(0, first + place);
    for (int position = from; position <= last + place && position < tokens.size(); position++) {
      if (tokens.get(position).equals(phrase.get(place)) && !taken.contains(position)) {
        taken.add(position);
        if (matches(tokens, phrase, place + 1, first, last, taken)) {
          return true;
        }
        taken.remove(Integer.valueOf(position));
      }
    }
    return false;
  }

  private static double count(List<String> tokens, List<String> phrase, int slop) {
    int[] codes = phrase.stream().mapToInt(String::hashCode).toArray();
    int[] document = tokens.stream().mapToInt(String::hashCode).toArray();
    return new SloppyPhrase(codes, slop).count(document, document.length);
  }

  @Test
  void wordsMayMove() {
    List<String> text = List.of("a", "x", "b", "c", "b", "a");
    assertThat(count(text, List.of("a", "b"), 0)).isZero();
    assertThat(count(text, List.of("a", "b"), 1)).isEqualTo(0.5);
    assertThat(count(text, List.of("a", "b"), 2)).isEqualTo(0.5 + 1.0 / 3);
    assertThat(count(List.of("a"), List.of("a", "a"), 9)).isZero();
    assertThat(count(List.of("a", "a"), List.of("a", "a"), 9)).isEqualTo(1);
  }

  @Test
  void countsAsTheDefinitionSays() {
    Random random = new Random(3);
    for (int i = 0; i < 20_000; i++) {
      List<String> tokens = words(random, random.nextInt(14));
      List<String> phrase = words(random, 1 + random.nextInt(4));
      int slop = random.nextInt(6);
      assertThat(count(tokens, phrase, slop))
          .as("tokens=%s phrase=%s slop=%d", tokens, phrase, slop)
          .isEqualTo(slowCount(tokens, phrase, slop));
    }
  }

  private static List<String> words(Random random, int count) {
    return random.ints(count, 0, 4).mapToObj(w -> "w" + w).toList();
  }
}
