package io.loam.bench;

import io.loam.demo.Embedder;
import io.loam.demo.Synset;
import io.loam.demo.SynsetEmbeddings;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
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

  /** The plain loop that a program without any library would write. */
  int[] nearest(float[] query, int k) {
    int[] best = new int[k];
    float[] scores = new float[k];
    int found = 0;
    for (int row = 0; row < rows.length; row++) {
      float score = dot(query, rows[row]);
      if (found == k && score <= scores[k - 1]) {
        continue;
      }
      int at = found < k ? found++ : k - 1;
      while (at > 0 && scores[at - 1] < score) {
        scores[at] = scores[at - 1];
        best[at] = best[at - 1];
        at--;
      }
      scores[at] = score;
      best[at] = row;
    }
    return Arrays.copyOf(best, found);
  }

  private static float dot(float[] a, float[] b) {
    float sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
