package io.loam.bench;

import io.loam.demo.Embedder;
import io.loam.demo.Synset;
import io.loam.demo.SynsetEmbeddings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * One vector of length 1 for each document.
 *
 * @param origin what they are, for the report
 */
record Vectors(float[][] rows, String origin) {
  private static final long SEED = 42;

  /**
   * Real embeddings where the demo's cache has them all, or where they are to be computed; else
   * seeded random ones.
   */
  static Vectors of(List<Synset> synsets, boolean compute) throws IOException {
    SynsetEmbeddings embeddings = SynsetEmbeddings.open(SynsetEmbeddings.defaultFile());
    if (compute) {
      try (Embedder embedder = new Embedder()) {
        embeddings.complete(
            embedder,
            synsets,
            synsets.size(),
            Duration.ZERO,
            done -> System.err.printf("\rembedded %,d of %,d", done, synsets.size()));
      }
      System.err.println();
    }
    if (embeddings.count(synsets) == synsets.size()) {
      float[][] rows =
          synsets.stream().map(s -> embeddings.get(s).orElseThrow()).toArray(float[][]::new);
      return new Vectors(rows, "MiniLM embeddings");
    }
    Random random = new Random(SEED);
    float[][] rows = new float[synsets.size()][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = randomUnit(random);
    }
    return new Vectors(rows, "random unit vectors");
  }

  private static float[] randomUnit(Random random) {
    float[] vector = new float[Embedder.DIMENSION];
    double squares = 0;
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) random.nextGaussian();
      squares += (double) vector[i] * vector[i];
    }
    float scale = (float) (1 / Math.sqrt(squares));
    for (int i = 0; i < vector.length; i++) {
      vector[i] *= scale;
    }
    return vector;
  }
}
