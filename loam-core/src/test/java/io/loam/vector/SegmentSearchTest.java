package io.loam.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.loam.doc.DocSet;
import io.loam.doc.Hit;
import io.loam.doc.KeyOrder;
import io.loam.doc.TopHits;
import io.loam.vector.VectorQuery.Precision;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Searches of an index find the same, however rows are spread over segments and threads. */
class SegmentSearchTest {
  private static final int ROWS = 3_000;
  private static final int LISTS = 12;
  private static final int K = 10;
  private static final KeyOrder BY_ROW = (leaf1, doc1, leaf2, doc2) -> Integer.compare(doc1, doc2);

  @TempDir Path folder;

  /** Runs parts one after the other, or in threads that nothing keeps in step. */
  private enum Way implements Parts {
    ONE {
      @Override
      public <T> List<T> map(long documents, Work<T> work) {
        return List.of(work.part(0, 1));
      }
    },
    SEVEN {
      @Override
      public <T> List<T> map(long documents, Work<T> work) {
        return IntStream.range(0, 7).mapToObj(part -> work.part(part, 7)).toList();
      }
    },
    LAST_FIRST {
      @Override
      public <T> List<T> map(long documents, Work<T> work) {
        List<T> results = new ArrayList<>();
        for (int part = 2; part >= 0; part--) {
          results.add(0, work.part(part, 3));
        }
        return results;
      }
    },
    THREADS {
      @Override
      public <T> List<T> map(long documents, Work<T> work) {
        return IntStream.range(0, 4)
            .mapToObj(part -> CompletableFuture.supplyAsync(() -> work.part(part, 4)))
            .toList()
            .stream()
            .map(CompletableFuture::join)
            .toList();
      }
    }
  }

  /** Vectors of rows 0, 1, …, as one leaf. */
  private record Rows(float[] data, int dimension) implements VectorLeaf {
    static Rows random(int dimension, Random random) {
      float[][] centres = new float[30][dimension];
      for (float[] centre : centres) {
        for (int d = 0; d < dimension; d++) {
          centre[d] = (float) random.nextGaussian();
        }
      }
      float[] data = new float[ROWS * dimension];
      for (int row = 0; row < ROWS; row++) {
        float[] centre = centres[random.nextInt(centres.length)];
        for (int d = 0; d < dimension; d++) {
          data[row * dimension + d] = centre[d] + 0.6f * (float) random.nextGaussian();
        }
      }
      // Equal vectors, which only their keys tell apart.
      for (int row = 0; row < 40; row++) {
        System.arraycopy(data, 0, data, (100 + row) * dimension, dimension);
      }
      return new Rows(data, dimension);
    }

    float[] vector(int row) {
      return Arrays.copyOfRange(data, row * dimension, (row + 1) * dimension);
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

  static Stream<Arguments> kinds() {
    return Stream.of(
        arguments(IndexKind.IVF_FLAT, Metric.L2, 24),
        arguments(IndexKind.IVF_FLAT, Metric.COSINE, 70),
        arguments(IndexKind.IVF_FLAT, Metric.DOT, 9),
        arguments(IndexKind.IVF_FLAT, Metric.L2, 200),
        arguments(IndexKind.IVF_SQ, Metric.L2, 96),
        arguments(IndexKind.IVF_SQ, Metric.COSINE, 64),
        arguments(IndexKind.IVF_SQ, Metric.L2, 20),
        arguments(IndexKind.IVF_PQ, Metric.L2, 30),
        arguments(IndexKind.IVF_PQ, Metric.COSINE, 64),
        arguments(IndexKind.IVF_PQ, Metric.DOT, 64));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void hitsDependOnNeitherThreadsNorSegments(IndexKind kind, Metric metric, int dimension) {
    Random random = new Random(dimension);
    Rows rows = Rows.random(dimension, random);
    Training training =
        Training.learn(
            kind, metric, dimension, rows.data.clone(), LISTS, subVectors(dimension), () -> {});
    SegmentSet one = segments(training, rows, 1);
    SegmentSet nine = segments(training, rows, 9);
    boolean[] isAllowed = new boolean[ROWS];
    for (int i = 0; i < 12; i++) {
      float[] query = rows.vector(i % 3 == 0 ? 0 : random.nextInt(ROWS));
      query[0] += i % 2;
      for (int row = 0; row < ROWS; row++) {
        isAllowed[row] = i % 4 != 1 || random.nextInt(3) == 0;
      }
      DocSet allowed = set(isAllowed);
      int probes = i % 4 == 2 ? LISTS : 3;
      int refine = i % 4 == 3 ? 5 : 0;
      VectorQuery asked =
          new VectorQuery(
              query,
              metric,
              i == 5 ? 1.0 : Double.POSITIVE_INFINITY,
              new Precision(false, probes, refine));
      List<Hit> hits = search(asked, one, rows, allowed, Way.ONE);
      assertThat(search(asked, nine, rows, allowed, Way.ONE)).as("segments").isEqualTo(hits);
      for (Way way : Way.values()) {
        assertThat(search(asked, one, rows, allowed, way)).as("%s", way).isEqualTo(hits);
        assertThat(search(asked, nine, rows, allowed, way)).as("%s", way).isEqualTo(hits);
      }
      List<Hit> best = exact(asked, rows, allowed);
      if (kind == IndexKind.IVF_FLAT && probes == LISTS) {
        assertThat(hits).isEqualTo(best);
      }
      assertThat(hits).hasSameSizeAs(best);
      assertThat(hits).startsWith(best.stream().limit(1).toArray(Hit[]::new));
    }
  }

  private static int subVectors(int dimension) {
    return dimension % 4 == 0 ? dimension / 4 : dimension / 3;
  }

  /** By turns, so that all lists have rows in all segments. */
  private SegmentSet segments(Training training, Rows rows, int count) {
    List<Segment> segments = new ArrayList<>();
    for (int segment = 0; segment < count; segment++) {
      int first = segment;
      Path file = folder.resolve("%d-of-%d.ivf".formatted(segment, count));
      SegmentFile.write(
          training,
          visitor -> {
            for (int row = first; row < ROWS; row += count) {
              visitor.row(row, rows.data, row * rows.dimension);
            }
          },
          file,
          () -> {});
      segments.add(Segment.open(file, training, "segment"));
    }
    return new SegmentSet(segments, () -> rowId -> rowId, 0, ROWS);
  }

  private static DocSet set(boolean[] members) {
    long[] words = new long[DocSet.wordCount(ROWS)];
    for (int row = 0; row < ROWS; row++) {
      words[row >>> 6] |= members[row] ? 1L << row : 0;
    }
    return DocSet.ofWords(words, ROWS);
  }

  private static List<Hit> search(
      VectorQuery query, SegmentSet set, Rows rows, DocSet allowed, Parts parts) {
    TopHits top = new TopHits(K, BY_ROW);
    new SegmentSearch(
            query, set, List.of(rows), List.of(allowed), K, top, parts, new VectorSearchStats())
        .run(1);
    return top.toList();
  }

  /** Slow and obvious. */
  private static List<Hit> exact(VectorQuery query, Rows rows, DocSet allowed) {
    TopHits top = new TopHits(K, BY_ROW);
    int dimension = rows.dimension;
    for (int row = 0; row < ROWS; row++) {
      double distance =
          VectorScores.distance(
              query.metric(), query.vector(), rows.data, row * dimension, dimension);
      if (allowed.contains(row) && distance <= query.maxDistance()) {
        double score =
            VectorScores.score(
                query.metric(), query.vector(), rows.data, row * dimension, dimension);
        top.offer(0, row, score);
      }
    }
    return top.toList();
  }

  @Test
  void listsComeNearestFirst() {
    Random random = new Random(3);
    for (int count : new int[] {0, 1, 2, 3, 50, 1_000}) {
      float[] nearness = new float[count];
      for (int list = 0; list < count; list++) {
        nearness[list] = random.nextInt(20) == 0 ? Float.NaN : random.nextInt(40) - 20;
        nearness[list] *= random.nextInt(10) == 0 ? 0 : random.nextInt(2) == 0 ? 1e-9f : 1;
      }
      NearestLists nearest = new NearestLists(nearness);
      List<Integer> lists = new ArrayList<>();
      while (nearest.size() > 0) {
        lists.add(nearest.next());
      }
      assertThat(lists)
          .isEqualTo(
              IntStream.range(0, count)
                  .boxed()
                  .sorted((a, b) -> Float.compare(nearness[b], nearness[a]))
                  .toList());
    }
  }

  /** What is given up early is no other than what would not have been wanted. */
  @Test
  void distancesAreGivenUpOnlyWhereTheyAreTooGreat() {
    Random random = new Random(4);
    for (int i = 0; i < 3_000; i++) {
      int dimension = 1 + random.nextInt(300);
      float[] a = new float[dimension];
      float[] b = new float[dimension];
      for (int d = 0; d < dimension; d++) {
        a[d] = (float) random.nextGaussian();
        b[d] = a[d] + (float) (random.nextGaussian() * Math.pow(10, -random.nextInt(12)));
      }
      double full = ExactKernel.squaredDistance(a, b, 0, dimension);
      for (double most : new double[] {full, Math.nextDown(full), full * random.nextDouble(), 0}) {
        double upTo = ExactKernel.squaredDistance(a, b, 0, dimension, most);
        if (full <= most) {
          assertThat(upTo).isEqualTo(full);
        } else {
          assertThat(upTo).isGreaterThan(most).isLessThanOrEqualTo(full);
        }
      }
      for (VectorQuery.Ranking ranking : VectorQuery.Ranking.values()) {
        ExactScorer scorer =
            new ExactScorer(
                new VectorQuery(a, Metric.L2, Double.POSITIVE_INFINITY, Precision.EXACT, ranking));
        double rank = scorer.rank(b, 0, 0, Double.NEGATIVE_INFINITY);
        assertThat(scorer.rank(b, 0, 0, rank)).isEqualTo(rank);
        assertThat(scorer.rank(b, 0, 0, Math.nextUp(rank))).isLessThanOrEqualTo(rank);
        assertThat(scorer.rank(b, 0, 0, rank - Math.abs(rank) / 2)).isEqualTo(rank);
      }
    }
  }

  /** Without a number of lists, crowded lists count as many. */
  @Test
  void crowdedListsCountAsMany() {
    int dimension = 8;
    Random random = new Random(6);
    Rows rows = Rows.random(dimension, random);
    // Lists of a hundred vectors far from each other; then almost all rows lie near one of them.
    float[] sample = Arrays.copyOf(rows.data, 100 * dimension);
    Training training =
        Training.learn(IndexKind.IVF_FLAT, Metric.L2, dimension, sample, 100, 1, () -> {});
    for (int row = 0; row < ROWS; row++) {
      int like = row < ROWS - 300 ? 0 : random.nextInt(ROWS);
      System.arraycopy(rows.data, like * dimension, rows.data, row * dimension, dimension);
    }
    SegmentSet set = segments(training, rows, 2);
    VectorSearchStats stats = new VectorSearchStats();
    TopHits top = new TopHits(K, BY_ROW);
    DocSet all = DocSet.all(ROWS);
    new SegmentSearch(
            new VectorQuery(
                rows.vector(0), Metric.L2, Double.POSITIVE_INFINITY, Precision.APPROXIMATE),
            set,
            List.of(rows),
            List.of(all),
            K,
            top,
            Way.ONE,
            stats)
        .run(1);
    assertThat(stats.probedLists()).isEqualTo(2);
    assertThat(stats.scannedRows()).isGreaterThan(ROWS / 2);
    assertThat(top.toList()).hasSize(K);
  }
}
