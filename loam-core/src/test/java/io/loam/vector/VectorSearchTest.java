package io.loam.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.loam.doc.DocSet;
import io.loam.doc.Hit;
import io.loam.doc.KeyOrder;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VectorSearchTest {

  /** The sum as documented: eight partial sums and the tree. */
  private static double sum(double[] terms) {
    double[] s = new double[8];
    for (int i = 0; i < terms.length; i++) {
      s[i % 8] += terms[i];
    }
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
  }

  private static double dot(float[] a, float[] b) {
    double[] terms = new double[a.length];
    Arrays.setAll(terms, i -> (double) a[i] * (double) b[i]);
    return sum(terms);
  }

  private static double squaredDistance(float[] a, float[] b) {
    double[] terms = new double[a.length];
    for (int i = 0; i < a.length; i++) {
      double d = (double) a[i] - (double) b[i];
      terms[i] = d * d;
    }
    return sum(terms);
  }

  private static float[] vector(Random random, int dimension) {
    float[] v = new float[dimension];
    for (int i = 0; i < dimension; i++) {
      v[i] = (float) random.nextGaussian();
    }
    return v;
  }

  @Test
  void sumsFollowTheirDefinitionBitByBit() {
    for (int dimension = 1; dimension < 70; dimension++) {
      Random random = new Random(dimension);
      float[] q = vector(random, dimension);
      float[] v = vector(random, dimension);
      float[] data = new float[dimension + 5];
      System.arraycopy(v, 0, data, 5, dimension);
      assertThat(ExactKernel.dot(q, data, 5, dimension)).isEqualTo(dot(q, v));
      assertThat(ExactKernel.squaredNorm(data, 5, dimension)).isEqualTo(dot(v, v));
      assertThat(ExactKernel.squaredDistance(q, data, 5, dimension))
          .isEqualTo(squaredDistance(q, v));
      assertThat(ExactKernel.squaredNorms(v, dimension)).containsExactly(dot(v, v));
    }
  }

  @Test
  void scoresAreNearExactArithmetic() {
    MathContext digits = new MathContext(60);
    for (int dimension : new int[] {1, 7, 8, 33, 384}) {
      Random random = new Random(dimension);
      float[] q = vector(random, dimension);
      float[] v = vector(random, dimension);
      BigDecimal dot = BigDecimal.ZERO;
      BigDecimal qq = BigDecimal.ZERO;
      BigDecimal vv = BigDecimal.ZERO;
      BigDecimal l2 = BigDecimal.ZERO;
      for (int i = 0; i < dimension; i++) {
        BigDecimal a = new BigDecimal(q[i]);
        BigDecimal b = new BigDecimal(v[i]);
        dot = dot.add(a.multiply(b));
        qq = qq.add(a.multiply(a));
        vv = vv.add(b.multiply(b));
        l2 = l2.add(a.subtract(b).pow(2));
      }
      double cosine = dot.divide(qq.multiply(vv).sqrt(digits), digits).doubleValue();
      assertScores(Metric.COSINE, q, v, cosine, 1 - cosine);
      assertScores(Metric.L2, q, v, 1 / (1 + l2.doubleValue()), l2.sqrt(digits).doubleValue());
      assertScores(Metric.DOT, q, v, dot.doubleValue(), -dot.doubleValue());
    }
  }

  private static void assertScores(
      Metric metric, float[] q, float[] v, double score, double distance) {
    assertThat(VectorScores.score(metric, q, v, 0, v.length)).isCloseTo(score, within(1e-12));
    assertThat(VectorScores.distance(metric, q, v, 0, v.length)).isCloseTo(distance, within(1e-12));
  }

  @Test
  void equalAndZeroVectorsScoreRound() {
    float[] v = vector(new Random(1), 100);
    float[] zero = new float[100];
    assertThat(VectorScores.score(Metric.COSINE, v, v, 0, 100)).isEqualTo(1);
    assertThat(VectorScores.score(Metric.COSINE, v, zero, 0, 100)).isEqualTo(0);
    assertThat(VectorScores.score(Metric.COSINE, zero, zero, 0, 100)).isEqualTo(0);
    assertThat(VectorScores.score(Metric.L2, v, v, 0, 100)).isEqualTo(1);
    assertThat(VectorScores.distance(Metric.L2, v, v, 0, 100)).isEqualTo(0);
    float[] minus = {-1};
    float[] none = {0};
    for (Metric metric : Metric.values()) {
      assertPositiveZeroIfZero(VectorScores.score(metric, minus, none, 0, 1));
      assertPositiveZeroIfZero(VectorScores.distance(metric, minus, none, 0, 1));
      assertPositiveZeroIfZero(VectorScores.distance(metric, none, none, 0, 1));
    }
  }

  private static void assertPositiveZeroIfZero(double x) {
    assertThat(Double.doubleToRawLongBits(x)).isNotEqualTo(Double.doubleToRawLongBits(-0.0));
  }

  @Test
  void aDistanceKeepsDigitsThatAScoreLoses() {
    float[] q = {1};
    float[] near = {Math.nextUp(1f)};
    assertThat(VectorScores.score(Metric.L2, q, near, 0, 1)).isLessThan(1);
    float[] tiny = {1e-20f};
    float[] zero = {0};
    assertThat(VectorScores.score(Metric.L2, zero, tiny, 0, 1)).isEqualTo(1);
    assertThat(VectorScores.distance(Metric.L2, zero, tiny, 0, 1)).isEqualTo((double) 1e-20f);
  }

  @ParameterizedTest
  @EnumSource
  void agreesWithScoringEveryVectorInEveryLayout(Metric metric) {
    for (long seed = 0; seed < 15; seed++) {
      Random random = new Random(seed);
      int dimension = 1 + random.nextInt(20);
      int size = random.nextInt(2000);
      List<float[]> vectors = new ArrayList<>();
      boolean[] isNull = new boolean[size];
      boolean[] live = new boolean[size];
      int sparsity = 1 + random.nextInt(100);
      for (int i = 0; i < size; i++) {
        // Every third vector repeats an earlier one, so that scores tie.
        vectors.add(i % 3 == 2 ? vectors.get(random.nextInt(i)) : vector(random, dimension));
        isNull[i] = random.nextInt(6) == 0;
        live[i] = random.nextInt(sparsity) == 0;
      }
      float[] query = vector(random, dimension);
      List<String> expected = new ArrayList<>();
      List<Hit> hits = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        if (live[i] && !isNull[i]) {
          hits.add(new Hit(0, i, score(metric, query, vectors.get(i))));
        }
      }
      hits.sort(Comparator.comparingDouble(Hit::score).reversed().thenComparing(h -> -h.doc()));
      hits.stream().limit(20).forEach(h -> expected.add(describe(h.doc(), h.score())));
      for (int leaves = 1; leaves <= 3; leaves++) {
        Layout layout = new Layout(vectors, isNull, live, leaves, dimension, random);
        assertThat(layout.search(query, metric, 20))
            .as("seed=%d leaves=%d", seed, leaves)
            .isEqualTo(expected);
      }
    }
  }

  private static double score(Metric metric, float[] q, float[] v) {
    return switch (metric) {
      case COSINE -> {
        double product = dot(q, q) * dot(v, v);
        yield product == 0 ? 0 : Math.max(-1, Math.min(1, dot(q, v) / Math.sqrt(product)));
      }
      case L2 -> 1 / (1 + squaredDistance(q, v));
      case DOT -> dot(q, v);
    };
  }

  private static String describe(int doc, double score) {
    return doc + ":" + Long.toHexString(Double.doubleToLongBits(score));
  }

  /** Documents over leaves, and each leaf's documents over blocks of rows. */
  private static final class Layout {
    private final List<List<VectorRun>> leaves = new ArrayList<>();
    private final List<DocSet> allowed = new ArrayList<>();
    private final int per;
    private final int dimension;

    Layout(
        List<float[]> vectors,
        boolean[] isNull,
        boolean[] live,
        int leafCount,
        int dimension,
        Random random) {
      this.per = vectors.size() / leafCount + 1;
      this.dimension = dimension;
      for (int from = 0; from < vectors.size(); from += per) {
        int to = Math.min(vectors.size(), from + per);
        long[] words = new long[DocSet.wordCount(to - from)];
        for (int i = from; i < to; i++) {
          words[(i - from) >>> 6] |= (live[i] ? 1L : 0L) << (i - from);
        }
        allowed.add(DocSet.ofWords(words, to - from));
        List<VectorRun> runs = new ArrayList<>();
        for (int at = from; at < to; ) {
          int count = Math.min(to - at, 1 + random.nextInt(500));
          runs.add(run(vectors, isNull, at, at - from, count, random));
          at += count;
        }
        leaves.add(runs);
      }
    }

    private VectorRun run(
        List<float[]> vectors, boolean[] isNull, int at, int firstDoc, int count, Random random) {
      int firstRow = random.nextInt(100);
      int rows = firstRow + count + random.nextInt(3);
      float[] data = new float[rows * dimension];
      long[] nulls = new long[(rows + 63) >>> 6];
      for (int i = 0; i < count; i++) {
        int row = firstRow + i;
        System.arraycopy(vectors.get(at + i), 0, data, row * dimension, dimension);
        nulls[row >>> 6] |= (isNull[at + i] ? 1L : 0L) << row;
      }
      boolean keepNorms = random.nextBoolean();
      return new VectorRun(
          firstDoc,
          count,
          data,
          firstRow,
          nulls,
          keepNorms ? ExactKernel.squaredNorms(data, dimension) : null);
    }

    List<String> search(float[] query, Metric metric, int k) {
      KeyOrder keys = (l1, d1, l2, d2) -> Integer.compare(l2 * per + d2, l1 * per + d1);
      return VectorSearch.search(
              new VectorQuery(query, metric),
              leaves.stream().map(Uncoded::new).toList(),
              allowed,
              k,
              keys,
              new VectorSearchStats())
          .toList()
          .stream()
          .map(h -> describe(h.leaf() * per + h.doc(), h.score()))
          .toList();
    }
  }

  /** A leaf without codes. */
  private record Uncoded(List<VectorRun> all) implements VectorLeaf {
    @Override
    public Optional<VectorCodes> codes() {
      return Optional.empty();
    }

    @Override
    public List<VectorRun> runs(DocSet docs) {
      return all;
    }
  }
}
