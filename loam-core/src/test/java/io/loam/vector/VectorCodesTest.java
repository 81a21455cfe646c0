package io.loam.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.loam.doc.DocSet;
import io.loam.doc.Hit;
import io.loam.doc.KeyOrder;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.vector.VectorQuery.Precision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class VectorCodesTest {
  private static final KeyOrder BY_DOC = (l1, d1, l2, d2) -> Integer.compare(d1, d2);

  /** A leaf whose vectors are in one run. */
  private record Coded(VectorCodes all, VectorRun run) implements VectorLeaf {
    static Coded of(float[][] vectors, int dimension) {
      float[] data = new float[vectors.length * dimension];
      long[] nulls = new long[DocSet.wordCount(vectors.length)];
      for (int doc = 0; doc < vectors.length; doc++) {
        if (vectors[doc] == null) {
          nulls[doc >>> 6] |= 1L << doc;
        } else {
          System.arraycopy(vectors[doc], 0, data, doc * dimension, dimension);
        }
      }
      return new Coded(
          VectorCodes.of(dimension, vectors.length, doc -> vectors[doc]),
          new VectorRun(0, vectors.length, data, 0, nulls, null));
    }

    @Override
    public Optional<VectorCodes> codes() {
      return Optional.of(all);
    }

    @Override
    public List<VectorRun> runs(DocSet docs) {
      return List.of(run);
    }

    List<Hit> search(VectorQuery query, DocSet allowed, int k) {
      return VectorSearch.search(
              query, List.of(this), List.of(allowed), k, BY_DOC, new VectorSearchStats())
          .toList();
    }
  }

  private static VectorQuery query(float[] vector, Metric metric, Precision precision) {
    return new VectorQuery(vector, metric, Double.POSITIVE_INFINITY, precision);
  }

  private static float[] gaussian(Random random, int dimension) {
    float[] vector = new float[dimension];
    for (int i = 0; i < dimension; i++) {
      vector[i] = (float) random.nextGaussian();
    }
    return vector;
  }

  /** Vectors around some centres, of various lengths, some missing, some zero, some alike. */
  private static float[][] clustered(Random random, int count, int dimension) {
    float[][] centres = new float[20][];
    for (int i = 0; i < centres.length; i++) {
      centres[i] = gaussian(random, dimension);
    }
    float[][] vectors = new float[count][];
    for (int doc = 0; doc < count; doc++) {
      int kind = random.nextInt(100);
      if (kind < 2) {
        continue;
      }
      float[] vector = new float[dimension];
      if (kind >= 4) {
        float[] centre = centres[random.nextInt(centres.length)];
        float[] noise = gaussian(random, dimension);
        float length = 0.5f + random.nextFloat();
        for (int i = 0; i < dimension; i++) {
          vector[i] = length * (centre[i] + 0.7f * noise[i]);
        }
      }
      vectors[doc] = kind == 4 && doc > 0 && vectors[doc - 1] != null ? vectors[doc - 1] : vector;
    }
    return vectors;
  }

  private static DocSet some(Random random, int count, double part) {
    long[] words = new long[DocSet.wordCount(count)];
    for (int doc = 0; doc < count; doc++) {
      if (random.nextDouble() < part) {
        words[doc >>> 6] |= 1L << doc;
      }
    }
    return DocSet.ofWords(words, count);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 64, 65, 100, 384, 1_000, 1_024})
  void rotationKeepsLengthsAndAngles(int dimension) {
    Rotation rotation = new Rotation(dimension, 7);
    Random random = new Random(dimension);
    float[] a = gaussian(random, dimension);
    float[] b = gaussian(random, dimension);
    double dot = ExactKernel.dot(a, b, 0, dimension);
    double squaredNorm = ExactKernel.squaredNorm(a, 0, dimension);
    rotation.apply(a);
    rotation.apply(b);
    assertThat(ExactKernel.dot(a, b, 0, dimension)).isCloseTo(dot, within(1e-3 * dimension));
    assertThat(ExactKernel.squaredNorm(a, 0, dimension))
        .isCloseTo(squaredNorm, within(1e-4 * squaredNorm));
  }

  /** What all on one axis becomes: nothing stays on an axis. */
  @Test
  void rotationSpreadsAnAxis() {
    float[] axis = new float[384];
    axis[5] = 1;
    new Rotation(384, VectorCodes.SEED).apply(axis);
    for (float component : axis) {
      assertThat(Math.abs(component)).isLessThan(0.3f);
    }
  }

  /** The spread says how far estimates are off: few are off by more than twice of it. */
  @ParameterizedTest
  @CsvSource({"64, 0.06", "100, 0.06", "384, 0.05", "768, 0.05"})
  void estimatesErrAsTheirSpreadSays(int dimension, double most) {
    Random random = new Random(3);
    float[][] vectors = clustered(random, 2_000, dimension);
    Coded leaf = Coded.of(vectors, dimension);
    int[] outside = new int[2];
    for (int q = 0; q < 20; q++) {
      float[] vector = gaussian(random, dimension);
      VectorQuery query = query(vector, Metric.DOT, Precision.APPROXIMATE);
      CodeQuery coded = new CodeQuery(RotatedQuery.of(query), leaf.all());
      coded.forEach(
          DocSet.all(vectors.length),
          (doc, lower, upper) -> {
            float dot = (float) ExactKernel.dot(vector, vectors[doc], 0, dimension);
            outside[dot > upper || dot < lower ? 1 : 0]++;
          });
    }
    int present = (int) Arrays.stream(vectors).filter(Objects::nonNull).count();
    assertThat(outside[0] + outside[1]).isEqualTo(20 * present);
    assertThat(outside[1] / (20.0 * present)).isBetween(0.0, most);
  }

  /** Promises 6 and 7: exact scores in order, k of them, and hardly a document missed. */
  @ParameterizedTest
  @EnumSource(Metric.class)
  void answersAreThoseOfExactSearch(Metric metric) {
    int dimension = 128;
    int count = 6_000;
    Random random = new Random(17);
    Coded leaf = Coded.of(clustered(random, count, dimension), dimension);
    int wanted = 0;
    int found = 0;
    for (double part : new double[] {1, 0.5, 0.2}) {
      DocSet allowed = some(random, count, part);
      for (int q = 0; q < 30; q++) {
        int k = 1 + random.nextInt(40);
        float[] vector =
            q % 3 == 0
                ? gaussian(random, dimension)
                : Arrays.copyOf(
                    leaf.run().data(), dimension); // the query is a document's own vector
        List<Hit> exact = leaf.search(query(vector, metric, Precision.EXACT), allowed, k);
        List<Hit> hits = leaf.search(query(vector, metric, Precision.APPROXIMATE), allowed, k);
        assertThat(hits).hasSize(k);
        Set<Hit> missed = new HashSet<>(exact);
        hits.forEach(missed::remove);
        wanted += k;
        found += k - missed.size();
        for (Hit hit : hits) {
          assertThat(allowed.contains(hit.doc())).isTrue();
          double score =
              VectorScores.score(
                  metric, vector, leaf.run().data(), hit.doc() * dimension, dimension);
          assertThat(hit.score()).isEqualTo(score);
        }
      }
    }
    assertThat(found / (double) wanted).isGreaterThan(0.99);
  }

  /** However wrong the codes, all documents are compared in the end. */
  @ParameterizedTest
  @EnumSource(Metric.class)
  void refiningComparesDocumentsThatCodesRuleOut(Metric metric) {
    float[][] vectors = clustered(new Random(29), 3_000, 64);
    Coded leaf = Coded.of(vectors, 64);
    float[][] others = clustered(new Random(31), 3_000, 64);
    Coded wrong = new Coded(Coded.of(others, 64).all(), leaf.run());
    float[] vector = gaussian(new Random(37), 64);
    List<Hit> exact = leaf.search(query(vector, metric, Precision.EXACT), DocSet.all(3_000), 10);
    Precision all = new Precision(false, 0, 300);
    assertThat(wrong.search(query(vector, metric, all), DocSet.all(3_000), 10))
        .hasSize(10)
        .isSubsetOf(leaf.search(query(vector, metric, Precision.EXACT), DocSet.all(3_000), 3_000));
    assertThat(leaf.search(query(vector, metric, all), DocSet.all(3_000), 10)).isEqualTo(exact);
    VectorSearchStats stats = new VectorSearchStats();
    VectorSearch.search(
        query(vector, metric, new Precision(false, 0, 150)),
        List.of(leaf),
        List.of(DocSet.all(3_000)),
        10,
        BY_DOC,
        stats);
    assertThat(stats.scoredDocuments()).isBetween(1_500L, 2_900L);
  }

  @ParameterizedTest
  @EnumSource(Metric.class)
  void equalVectorsAndAZeroQueryGoByKey(Metric metric) {
    float[][] vectors = new float[1_500][];
    float[] one = gaussian(new Random(1), 64);
    Arrays.fill(vectors, one);
    Coded leaf = Coded.of(vectors, 64);
    for (float[] vector : List.of(one, new float[64])) {
      assertThat(leaf.search(query(vector, metric, Precision.APPROXIMATE), DocSet.all(1_500), 5))
          .extracting(Hit::doc)
          .containsExactly(0, 1, 2, 3, 4);
    }
  }

  @Test
  void leafWithoutAVectorGivesNothing() {
    Coded leaf = Coded.of(new float[1_200][], 64);
    float[] vector = gaussian(new Random(1), 64);
    assertThat(leaf.search(query(vector, Metric.L2, Precision.APPROXIMATE), DocSet.all(1_200), 5))
        .isEmpty();
  }

  @Test
  void fileGivesBackWhatItTook(@TempDir Path folder) {
    VectorCodes codes = Coded.of(clustered(new Random(5), 1_234, 100), 100).all();
    Path file = folder.resolve("codes");
    CodeFile.write(codes, file);
    VectorCodes read = CodeFile.read(file, "codes");
    assertThat(read.centroid()).isEqualTo(codes.centroid());
    assertThat(records(read)).isDeepEqualTo(records(codes));
    assertThat(read.dimension()).isEqualTo(100);
  }

  @Test
  void damagedFileIsNamed(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("codes");
    CodeFile.write(Coded.of(clustered(new Random(5), 40, 64), 64).all(), file);
    byte[] good = Files.readAllBytes(file);
    for (int at = 0; at < good.length; at += 7) {
      byte[] bad = good.clone();
      bad[at] ^= 16;
      Files.write(file, bad);
      assertCorrupt(file);
      Files.write(file, Arrays.copyOf(good, at));
      assertCorrupt(file);
    }
  }

  private static void assertCorrupt(Path file) {
    assertThatThrownBy(() -> CodeFile.read(file, "text/x.codes"))
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_OBJECT))
        .hasMessageContaining("text/x.codes");
  }

  /** Lengths do not matter to cosine: codes must not stand for what they were taken from. */
  @ParameterizedTest
  @ValueSource(ints = {64, 128})
  void vectorsOfManyLengthsAreFound(int dimension) {
    Random random = new Random(dimension);
    float[][] vectors = clustered(random, 3_000, dimension);
    float[][] scaled = new float[vectors.length][];
    for (int doc = 0; doc < vectors.length; doc++) {
      float length = (float) Math.pow(10, random.nextInt(5) - 2);
      scaled[doc] = vectors[doc] == null ? null : vectors[doc].clone();
      for (int i = 0; i < dimension && scaled[doc] != null; i++) {
        scaled[doc][i] *= length;
      }
    }
    Coded leaf = Coded.of(scaled, dimension);
    int found = 0;
    for (int q = 0; q < 100; q++) {
      float[] vector = null;
      while (vector == null) {
        vector = vectors[random.nextInt(vectors.length)];
      }
      Set<Hit> exact =
          new HashSet<>(
              leaf.search(query(vector, Metric.COSINE, Precision.EXACT), DocSet.all(3_000), 10));
      exact.retainAll(
          leaf.search(query(vector, Metric.COSINE, Precision.APPROXIMATE), DocSet.all(3_000), 10));
      found += exact.size();
    }
    assertThat(found).isGreaterThanOrEqualTo(995);
  }

  /** Blocks are compared at once, single documents by another way. */
  @ParameterizedTest
  @ValueSource(ints = {64, 100, 384})
  void aBlockHasTheBoundsOfItsCodes(int dimension) {
    Random random = new Random(dimension);
    VectorCodes codes =
        Coded.of(clustered(random, CodeBlock.SIZE + 40, dimension), dimension).all();
    float[] lowers = new float[CodeBlock.SIZE];
    float[] uppers = new float[CodeBlock.SIZE];
    float[] coarse = new float[CodeBlock.SIZE];
    float[] vector = gaussian(random, dimension);
    QueryPlanes planes =
        new QueryPlanes(
            vector,
            (float) Math.sqrt(ExactKernel.squaredNorm(vector, 0, dimension)),
            QueryPlanes.USUAL_MARGIN);
    int below = 0;
    for (CodeBlock block : codes.blocks()) {
      planes.bounds(block, 0.5f, lowers, uppers);
      planes.coarseUppers(block, 0.5f, coarse);
      for (int i = 0; i < CodeBlock.SIZE; i++) {
        int levels = planes.levels(block, i);
        assertThat(planes.levelsAfterUppers(block, i)).isEqualTo(levels);
        assertThat(planes.upper(block, i, levels, 0.5f)).isCloseTo(uppers[i], within(1e-3f));
        assertThat(planes.lower(block, i, levels, 0.5f)).isCloseTo(lowers[i], within(1e-3f));
        below += coarse[i] < uppers[i] ? 1 : 0;
      }
    }
    assertThat(below).isLessThan(CodeBlock.SIZE / 5);
  }

  private static long[][] records(VectorCodes codes) {
    long[][] records = new long[codes.documentCount()][];
    for (int doc = 0; doc < records.length; doc++) {
      records[doc] = codes.newRecord();
      codes.get(doc, records[doc]);
    }
    return records;
  }
}
