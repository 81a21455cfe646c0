package io.loam.vector;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.doc.DocSet;
import io.loam.doc.Hit;
import io.loam.doc.KeyOrder;
import io.loam.doc.TopHits;
import io.loam.vector.VectorQuery.Precision;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What searches of an index find of vectors that are hard to tell apart by their codes. */
class SegmentRecallTest {
  private static final int ROWS = 20_000;
  private static final int DIMENSION = 64;
  private static final int CLUSTERS = 60;
  private static final KeyOrder BY_ROW = (leaf1, doc1, leaf2, doc2) -> Integer.compare(doc1, doc2);
  private static final Parts ALONE =
      new Parts() {
        @Override
        public <T> List<T> map(long documents, Work<T> work) {
          return List.of(work.part(0, 1));
        }
      };

  @TempDir Path folder;

  /** Vectors of clusters, of which those with a low number have the more the more skewed. */
  private record Rows(float[] data) implements VectorLeaf {
    static Rows of(double offset, double spread, double skew) {
      Random random = new Random(11);
      float[][] centres = new float[CLUSTERS][DIMENSION];
      for (float[] centre : centres) {
        for (int d = 0; d < DIMENSION; d++) {
          centre[d] = (float) (offset + random.nextGaussian());
        }
      }
      float[] data = new float[ROWS * DIMENSION];
      for (int i = 0; i < data.length; i += DIMENSION) {
        float[] centre = centres[(int) (CLUSTERS * Math.pow(random.nextDouble(), skew))];
        for (int d = 0; d < DIMENSION; d++) {
          data[i + d] = (float) (centre[d] + spread * random.nextGaussian());
        }
      }
      return new Rows(data);
    }

    @Override
    public Optional<VectorCodes> codes() {
      return Optional.empty();
    }

    @Override
    public List<VectorRun> runs(DocSet docs) {
      return List.of(new VectorRun(0, ROWS, data, 0, null, null));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "L2, 100, 0.35",
    "COSINE, 0, 0.02",
    "COSINE, 100, 0.35",
  })
  void bytesOfAllListsGiveTheBest(Metric metric, double offset, double spread) {
    Rows rows = Rows.of(offset, spread, 1);
    SegmentSet set = segment(IndexKind.IVF_SQ, metric, rows);
    for (int k : new int[] {1, 10}) {
      assertThat(recall(metric, set, rows, k, 40, new Precision(false, 1_000, 0)))
          .as("k=%d", k)
          .isGreaterThanOrEqualTo(0.999);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "IVF_SQ, 1, 0.985",
    "IVF_SQ, 4, 0.9",
    "IVF_FLAT, 1, 0.985",
    "IVF_FLAT, 4, 0.9",
  })
  void manyHitsAreFoundAsWellAsFew(IndexKind kind, double skew, double least) {
    Rows rows = Rows.of(0, 0.35, skew);
    SegmentSet set = segment(kind, Metric.L2, rows);
    for (int k : new int[] {1, 10, 100, 300, 1_000, 2_000}) {
      assertThat(recall(Metric.L2, set, rows, k, 20, Precision.APPROXIMATE))
          .as("k=%d", k)
          .isGreaterThan(least);
    }
  }

  /**
   * Vectors that are plain, far from the origin, in tight clusters, and in clusters of very
   * different sizes, where lists that were not looked at have some of the best for every kind of
   * index.
   */
  @ParameterizedTest
  @CsvSource({
    "L2, 0, 0.35, 1, 0.99",
    "L2, 100, 0.35, 1, 0.99",
    "L2, 10000, 0.35, 1, 0.99",
    "L2, 0, 0.02, 1, 0.99",
    "L2, 0, 0.35, 4, 0.9",
    "COSINE, 0, 0.02, 1, 0.99",
    "COSINE, 100, 0.35, 1, 0.99",
    "COSINE, 0, 0.35, 4, 0.9",
    "DOT, 100, 0.35, 1, 0.99",
  })
  void codesOfPartsTellWhatIsNear(
      Metric metric, double offset, double spread, double skew, double least) {
    Rows rows = Rows.of(offset, spread, skew);
    SegmentSet set = segment(IndexKind.IVF_PQ, metric, rows);
    for (int k : new int[] {1, 10, 100}) {
      assertThat(recall(metric, set, rows, k, 20, new Precision(false, 0, 0)))
          .as("k=%d", k)
          .isGreaterThanOrEqualTo(least);
      assertThat(recall(metric, set, rows, k, 20, new Precision(false, 1_000, 100)))
          .as("all lists, k=%d", k)
          .isGreaterThanOrEqualTo(0.999);
    }
  }

  private SegmentSet segment(IndexKind kind, Metric metric, Rows rows) {
    float[] sample = Arrays.copyOf(rows.data, 8_000 * DIMENSION);
    Training training =
        Training.learn(kind, metric, DIMENSION, sample, 141, DIMENSION / 4, () -> {});
    Path file = folder.resolve("one.ivf");
    SegmentFile.write(
        training,
        visitor -> {
          for (int row = 0; row < ROWS; row++) {
            visitor.row(row, rows.data, row * DIMENSION);
          }
        },
        file,
        () -> {});
    List<Segment> segments = List.of(Segment.open(file, training, "segment"));
    return new SegmentSet(segments, () -> rowId -> rowId, 0, ROWS);
  }

  private static double recall(
      Metric metric, SegmentSet set, Rows rows, int k, int queries, Precision precision) {
    Random random = new Random(k);
    long found = 0;
    for (int i = 0; i < queries; i++) {
      int like = 7 * i * DIMENSION;
      float[] query = Arrays.copyOfRange(rows.data, like, like + DIMENSION);
      for (int d = 0; d < DIMENSION; d++) {
        query[d] += 0.02f * (float) random.nextGaussian();
      }
      VectorQuery asked = new VectorQuery(query, metric, Double.POSITIVE_INFINITY, precision);
      TopHits top = new TopHits(k, BY_ROW);
      List<DocSet> all = List.of(DocSet.all(ROWS));
      new SegmentSearch(asked, set, List.of(rows), all, k, top, ALONE, new VectorSearchStats())
          .run(1);
      List<Hit> best = exact(query, metric, rows, k);
      double least = best.get(k - 1).score();
      found += top.toList().stream().filter(hit -> hit.score() >= least).count();
    }
    return found / (double) (queries * k);
  }

  private static List<Hit> exact(float[] query, Metric metric, Rows rows, int k) {
    TopHits top = new TopHits(k, BY_ROW);
    for (int row = 0; row < ROWS; row++) {
      top.offer(0, row, VectorScores.score(metric, query, rows.data, row * DIMENSION, DIMENSION));
    }
    return top.toList();
  }
}
