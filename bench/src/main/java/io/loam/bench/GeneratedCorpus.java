package io.loam.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Documents of 8 to 20 made-up words, whose frequencies fall as those of natural words do. */
final class GeneratedCorpus {
  private static final long SEED = 42;
  private static final int VOCABULARY = 100_000;
  private static final int TOPICS = 40;
  private static final String CONSONANTS = "bdfgklmnprtvz";
  private static final String VOWELS = "aeiou";

  private GeneratedCorpus() {}

  static Corpus of(int count, int questionCount) {
    Random random = new Random(SEED);
    double[] cumulative = new double[VOCABULARY];
    double sum = 0;
    for (int i = 0; i < VOCABULARY; i++) {
      sum += 1.0 / (i + 1);
      cumulative[i] = sum;
    }
    List<Doc> docs = new ArrayList<>(count);
    for (int id = 1; id <= count; id++) {
      StringBuilder body = new StringBuilder();
      for (int left = 8 + random.nextInt(13); left > 0; left--) {
        int rank = Arrays.binarySearch(cumulative, random.nextDouble() * sum);
        body.append(word(rank < 0 ? -rank - 1 : rank)).append(' ');
      }
      docs.add(
          new Doc(
              id,
              "topic" + random.nextInt(TOPICS),
              random.nextInt(1_000),
              body.toString().stripTrailing()));
    }
    return Corpus.of(List.of(), docs, questionCount);
  }

  /** A word of its own for each number, which ends in a vowel and two consonants. */
  private static String word(int number) {
    StringBuilder word = new StringBuilder();
    int rest = number;
    do {
      word.append(CONSONANTS.charAt(rest % CONSONANTS.length()));
      rest /= CONSONANTS.length();
      word.append(VOWELS.charAt(rest % VOWELS.length()));
      rest /= VOWELS.length();
    } while (rest > 0);
    return word.append("nk").toString();
  }
}
