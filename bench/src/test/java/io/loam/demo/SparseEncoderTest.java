package io.loam.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SparseEncoderTest {
  private static final Synset ANIMAL = synset(1, "animal", "a living organism");
  private static final Synset CAT = synset(2, "cat", "feline mammal", 1L);
  private static final Synset KITTEN = synset(3, "kitten", "young feline", 2L);
  private static final Synset STONE = synset(4, "stone", "a lump of hard matter");

  @Test
  void widerMeaningsAreFoundWithLowerWeights() {
    List<Synset> all = List.of(ANIMAL, CAT, KITTEN, STONE);
    Map<Long, Synset> byId = all.stream().collect(Collectors.toMap(Synset::id, s -> s));
    try (SparseEncoder encoder = new SparseEncoder(byId, all)) {
      Map<Long, Double> question = parse(encoder.question("animals"));
      assertThat(question).hasSize(1);
      double animal = dot(question, parse(encoder.synset(ANIMAL)));
      double cat = dot(question, parse(encoder.synset(CAT)));
      double kitten = dot(question, parse(encoder.synset(KITTEN)));
      assertThat(animal).isGreaterThan(cat);
      assertThat(cat).isGreaterThan(kitten);
      assertThat(kitten).isPositive();
      assertThat(dot(question, parse(encoder.synset(STONE)))).isZero();
      assertThat(encoder.question("unheard")).isEqualTo("{}");
    }
  }

  private static Synset synset(long id, String lemma, String gloss, Long... hypernyms) {
    return new Synset(id, "noun", "noun.Tops", List.of(lemma), gloss, List.of(hypernyms));
  }

  private static double dot(Map<Long, Double> a, Map<Long, Double> b) {
    return a.entrySet().stream()
        .mapToDouble(e -> e.getValue() * b.getOrDefault(e.getKey(), 0.0))
        .sum();
  }

  private static Map<Long, Double> parse(String text) {
    Map<Long, Double> entries = new HashMap<>();
    for (String entry : text.substring(1, text.length() - 1).split(",", -1)) {
      int colon = entry.indexOf(':');
      entries.put(
          Long.valueOf(entry.substring(1, colon - 1)), Double.valueOf(entry.substring(colon + 1)));
    }
    return entries;
  }
}
