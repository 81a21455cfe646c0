package io.loam.vector;

import io.loam.doc.DocSet;
import io.loam.doc.TopHits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Search of an index: in each segment it looks at the lists that are nearest to the query, and at
 * more of them until there are enough hits or no lists are left. Scores are exact.
 */
public final class SegmentSearch {
  private final VectorQuery query;
  private final SegmentSet set;
  private final List<? extends VectorLeaf> leaves;
  private final List<DocSet> allowed;
  private final int k;
  private final TopHits top;
  private final VectorSearchStats stats;
  private final ExactScorer scorer;
  private final QueryValues values;

  /**
   * @param query of the index's metric, ranked by score
   * @param allowed one per leaf
   * @param top that keeps k
   */
  public SegmentSearch(
      VectorQuery query,
      SegmentSet set,
      List<? extends VectorLeaf> leaves,
      List<DocSet> allowed,
      int k,
      TopHits top,
      VectorSearchStats stats) {
    this.query = query;
    this.set = set;
    this.leaves = leaves;
    this.allowed = allowed;
    this.k = k;
    this.top = top;
    this.stats = stats;
    this.scorer = new ExactScorer(query);
    this.values = new QueryValues(query);
  }

  /**
   * Offers what it finds.
   *
   * @param share of the segments' rows that are allowed, more than 0
   */
  public void run(double share) {
    Map<Training, List<Segment>> byTraining = new LinkedHashMap<>();
    for (Segment segment : set.segments()) {
      byTraining.computeIfAbsent(segment.training(), t -> new ArrayList<>()).add(segment);
    }
    List<Route> routes = new ArrayList<>();
    byTraining.forEach((training, segments) -> routes.add(new Route(training, segments, share)));
    while (next(routes) && top.floor() == Double.NEGATIVE_INFINITY) {
      stats.widened();
    }
  }

  /** Looks at the next lists of each; tells whether there are more. */
  private static boolean next(List<Route> routes) {
    boolean more = false;
    for (Route route : routes) {
      more |= route.next();
    }
    return more;
  }

  /** The way through segments of one training, nearest lists first. */
  private final class Route {
    private final Training training;
    private final List<Segment> segments;
    private final float[] nearness;
    private final int[] order;
    private int probed;
    private int next;

    Route(Training training, List<Segment> segments, double share) {
      this.training = training;
      this.segments = segments;
      this.nearness = training.nearestCentroid().nearness(query.vector());
      if (query.metric() == Metric.DOT) {
        removeBias();
      }
      this.order =
          IntStream.range(0, nearness.length)
              .boxed()
              .sorted((a, b) -> Float.compare(nearness[b], nearness[a]))
              .mapToInt(Integer::intValue)
              .toArray();
      this.next = (int) Math.min(order.length, Math.ceil(probes() / share));
    }

    private int probes() {
      int wanted = query.precision().probes();
      return wanted > 0 ? Math.min(wanted, training.lists()) : set.probes(training.lists());
    }

    /** Under the dot product, the nearest list is the one whose centroid scores best. */
    private void removeBias() {
      for (int list = 0; list < nearness.length; list++) {
        nearness[list] = centroidDot(list);
      }
    }

    private float centroidDot(int list) {
      return (float)
          ExactKernel.dot(
              query.vector(),
              training.centroids(),
              list * training.dimension(),
              training.dimension());
    }

    /** Looks at the next lists; tells whether there are more. */
    boolean next() {
      int end = Math.min(order.length, next);
      if (training.kind() == IndexKind.IVF_FLAT) {
        new FlatScan(training.dimension()).run(Arrays.copyOfRange(order, probed, end));
      } else {
        coded(Arrays.copyOfRange(order, probed, end));
      }
      probed = end;
      next = 2 * end;
      return probed < order.length;
    }

    private void coded(int[] lists) {
      ListScan scan =
          training.kind() == IndexKind.IVF_SQ
              ? new ScalarScan(query, values, training)
              : new ProductScan(query, values, training);
      int kept = query.precision().kept(k, scan.kept(k), set.rows());
      // An estimate below what was found elsewhere is no reason to leave a row out.
      float floor =
          scan.isSure() && query.precision().refine() == 0
              ? values.ofScore(top.floor())
              : Float.NEGATIVE_INFINITY;
      SegmentCandidates found = new SegmentCandidates(kept, floor);
      for (int list : lists) {
        float centroidDot = centroidDot(list);
        for (Segment segment : segments) {
          scan(scan, segment, list, centroidDot, found);
        }
      }
      offer((scan.refines() ? found.refined(scan, kept, floor) : found).places());
    }

    private void scan(
        ListScan scan, Segment segment, int list, float centroidDot, SegmentCandidates found) {
      RowPlaces.Cursor places = set.places().cursor();
      float[] lowers = new float[ListScan.BLOCK];
      float[] uppers = new float[ListScan.BLOCK];
      int end = segment.starts()[list + 1];
      stats.probed(end - segment.starts()[list]);
      for (int first = segment.starts()[list]; first < end; first += ListScan.BLOCK) {
        int count = Math.min(ListScan.BLOCK, end - first);
        scan.bounds(segment, first, count, centroidDot, lowers, uppers);
        for (int i = 0; i < count; i++) {
          if (found.mayBe(lowers[i], uppers[i])) {
            long place = places.place(segment.rowIds().get(first + i));
            if (isAllowed(place)) {
              found.add(segment, first + i, place, lowers[i], uppers[i]);
            }
          }
        }
      }
    }

    /** Scores the vectors that lists hold. */
    private final class FlatScan {
      private static final int BLOCK = 64;

      /** What a row takes, in floats. */
      private final int stride;

      private final int dimension;
      private final float[] block;

      FlatScan(int dimension) {
        this.dimension = dimension;
        this.stride = dimension + Double.BYTES / Float.BYTES;
        this.block = new float[BLOCK * stride];
      }

      void run(int[] lists) {
        for (int list : lists) {
          for (Segment segment : segments) {
            run(segment, segment.starts()[list], segment.starts()[list + 1]);
          }
        }
      }

      private void run(Segment segment, int start, int end) {
        RowPlaces.Cursor places = set.places().cursor();
        stats.probed(end - start);
        for (int first = start; first < end; first += BLOCK) {
          int count = Math.min(BLOCK, end - first);
          segment
              .scanned()
              .slice(first * stride * Float.BYTES, count * stride * Float.BYTES)
              .order(java.nio.ByteOrder.LITTLE_ENDIAN)
              .asFloatBuffer()
              .get(block, 0, count * stride);
          for (int i = 0; i < count; i++) {
            long place = places.place(segment.rowIds().get(first + i));
            if (isAllowed(place)) {
              int norm = ((first + i) * stride + dimension) * Float.BYTES;
              offer(place, i * stride, segment.scanned().getDouble(norm));
            }
          }
        }
      }

      private void offer(long place, int offset, double squaredNorm) {
        stats.scored(1);
        double score = scorer.rank(block, offset, squaredNorm);
        if (score >= top.floor() && scorer.isNear(block, offset, squaredNorm)) {
          top.offer(leaf(place), (int) place, score);
        }
      }
    }
  }

  private static int leaf(long place) {
    return (int) (place >>> 32);
  }

  private boolean isAllowed(long place) {
    return place >= 0 && allowed.get(leaf(place)).contains((int) place);
  }

  /** Compares the vectors of some documents. */
  private void offer(long[] places) {
    stats.scored(places.length);
    Arrays.sort(places);
    for (int from = 0; from < places.length; ) {
      int leaf = leaf(places[from]);
      int size = allowed.get(leaf).size();
      long[] words = new long[DocSet.wordCount(size)];
      int to = from;
      for (; to < places.length && leaf(places[to]) == leaf; to++) {
        int doc = (int) places[to];
        words[doc >>> 6] |= 1L << doc;
      }
      DocSet docs = DocSet.ofWords(words, size);
      for (VectorRun run : leaves.get(leaf).runs(docs)) {
        scorer.offerAll(run, leaf, docs, top);
      }
      from = to;
    }
  }
}
