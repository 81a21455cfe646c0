package io.loam.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SynsetEmbeddingsTest {
  private static final List<Synset> SYNSETS =
      List.of(
          synset(1, "dog", "a domestic animal that barks"),
          synset(2, "stone", "a lump of hard mineral matter"));

  @TempDir private Path folder;

  @Test
  void nearMeaningsAreNearAndTheFileKeepsThem() throws Exception {
    Path file = folder.resolve("made/embeddings.bin");
    List<Integer> progress = new ArrayList<>();
    float[] question;
    try (Embedder embedder = new Embedder()) {
      SynsetEmbeddings.open(file).complete(embedder, SYNSETS, 2, Duration.ZERO, progress::add);
      question = embedder.embed("puppy");
    }
    assertThat(progress).containsExactly(2);
    SynsetEmbeddings kept = SynsetEmbeddings.open(file);
    assertThat(kept.count(SYNSETS)).isEqualTo(2);
    float[] dog = kept.get(SYNSETS.get(0)).orElseThrow();
    float[] stone = kept.get(SYNSETS.get(1)).orElseThrow();
    assertThat(dog).hasSize(Embedder.DIMENSION);
    assertThat(dot(dog, dog)).isBetween(0.999, 1.001);
    assertThat(dot(dog, question)).isGreaterThan(dot(stone, question) + 0.1);
  }

  @Test
  void aTornFileKeepsItsWholeRecords() throws Exception {
    Path file = folder.resolve("embeddings.bin");
    Files.write(file, new byte[(8 + 4 * Embedder.DIMENSION) + 5]);
    assertThat(SynsetEmbeddings.open(file).count(List.of(synset(0, "x", "y")))).isEqualTo(1);
  }

  private static Synset synset(long id, String lemma, String gloss) {
    return new Synset(id, "noun", "noun.Tops", List.of(lemma), gloss, List.of());
  }

  private static double dot(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
