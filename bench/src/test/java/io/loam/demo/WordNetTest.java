package io.loam.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WordNetTest {
  @Test
  void countsOfWordNet31() {
    try (Stream<Synset> synsets = WordNet.synsets()) {
      Map<String, Long> counts =
          synsets.collect(Collectors.groupingBy(Synset::partOfSpeech, Collectors.counting()));
      assertThat(counts)
          .isEqualTo(Map.of("noun", 82_192L, "verb", 13_789L, "adj", 18_185L, "adv", 3_625L));
    }
    try (Stream<Synset> synsets = WordNet.synsets()) {
      Map<String, Long> counts =
          synsets.collect(Collectors.groupingBy(Synset::topic, Collectors.counting()));
      assertThat(counts).hasSize(45).containsEntry("noun.animal", 7_510L);
      assertThat(counts).containsEntry("verb.weather", 81L).containsEntry("adj.ppl", 60L);
    }
  }

  @Test
  void idsAscendAndHypernymsExist() {
    List<Synset> all;
    try (Stream<Synset> synsets = WordNet.synsets()) {
      all = synsets.toList();
    }
    assertThat(all).isSortedAccordingTo(Comparator.comparingLong(Synset::id));
    Set<Long> ids = new HashSet<>();
    all.forEach(s -> ids.add(s.id()));
    assertThat(ids).hasSize(117_791);
    assertThat(all).allMatch(s -> ids.containsAll(s.hypernyms()));
    assertThat(all).noneMatch(s -> s.definition().isBlank());
  }

  @Test
  void parsesWordsMarkersExamplesAndHypernyms() {
    Synset synset =
        WordNet.parse(
            3,
            "00001740 00 a 02 hot_dog(ip) 0 able 0 003 = 05207437 n 0000 @ 00002098 a 0101"
                + " @i 00000007 a 0000 | having \"means\"; \"able to swim\"; \"she was able\"- Anon  ");
    assertThat(synset.id()).isEqualTo(300_001_740L);
    assertThat(synset.partOfSpeech()).isEqualTo("adj");
    assertThat(synset.topic()).isEqualTo("adj.all");
    assertThat(synset.lemmas()).containsExactly("hot dog", "able");
    assertThat(synset.hypernyms()).containsExactly(300_002_098L, 300_000_007L);
    assertThat(synset.definition()).isEqualTo("having \"means\"");
    assertThat(synset.examples()).containsExactly("able to swim", "she was able");
  }

  @Test
  void mostUsedAreCommonWords() {
    List<Synset> all;
    try (Stream<Synset> synsets = WordNet.synsets()) {
      all = synsets.toList();
    }
    List<Synset> most = WordNet.mostUsed(all, 100);
    assertThat(most).hasSize(100);
    assertThat(most.get(0).lemmas()).contains("be");
    assertThat(most).anyMatch(s -> s.lemmas().contains("person"));
  }
}
