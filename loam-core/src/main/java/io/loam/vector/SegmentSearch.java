package io.loam.vector;

import io.loam.doc.DocSet;
import io.loam.doc.TopHits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.stream.IntStream;

/**
 * Search of an index: in each segment it looks at the lists that are nearest to the query, and at
 * more of them until there are enough hits or no lists are left. Scores are exact.
 */
public final class SegmentSearch {
  /** Comparing so many components costs as much as another step does for a document. */
  private static final int FLAT_PER_DOCUMENT = 64;

  /** Likewise, by codes. */
  private static final int CODED_PER_DOCUMENT = 128;

  /** Crowded lists end a search once they have so many times the rows that as many usually have. */
  private static final int CROWDED = 2;

  private static final long ALL = Long.MAX_VALUE;

  private final VectorQuery query;
  private final SegmentSet set;
  private final List<? extends VectorLeaf> leaves;
  private final List<DocSet> allowed;
  private final int k;
  private final TopHits top;
  private final Parts parts;
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
      Parts parts,
      VectorSearchStats stats) {
    this.query = query;
    this.set = set;
    this.leaves = leaves;
    this.allowed = allowed;
    this.k = k;
    this.top = top;
    this.parts = parts;
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
    private final NearestLists nearest;

    /** How many lists are looked at next. */
    private int nextLists;

    /** No more lists are looked at next once they have so many rows. */
    private long nextRows;

    /** More are, as long as they have fewer. */
    private long leastRows;

    private long looked;

    Route(Training training, List<Segment> segments, double share) {
      this.training = training;
      this.segments = segments;
      float[] nearness = training.nearestCentroid().nearness(query.vector());
      if (query.metric() == Metric.DOT) {
        removeBias(nearness);
      }
      this.nearest = new NearestLists(nearness);
      int asked = query.precision().probes() > 0 ? query.precision().probes() : set.probes();
      int lists = training.lists();
      int probes = asked > 0 ? Math.min(asked, lists) : SegmentSet.usualProbes(lists);
      long rows = segments.stream().mapToLong(Segment::rows).sum();
      this.nextLists = (int) Math.min(lists, Math.ceil(probes / share));
      double most = rows * (double) probes / lists / share;
      this.leastRows = asked > 0 ? 0 : (long) Math.ceil(SegmentSet.leastRows(k) / share);
      this.nextRows = asked > 0 ? ALL : Math.max(leastRows, (long) Math.ceil(CROWDED * most));
    }

    /** Under the dot product, the nearest list is the one whose centroid scores best. */
    private void removeBias(float[] nearness) {
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

    /** Looks at the next lists, each time at as much as before; tells whether there are more. */
    boolean next() {
      List<ListRows> rows = rows();
      int count = rows.stream().mapToInt(ListRows::count).sum();
      nextLists = training.lists() - nearest.size();
      looked += count;
      nextRows = nextRows == ALL ? ALL : Math.max(1, looked);
      leastRows = 0;
      List<List<ListRows>> blocks = ListRows.blocks(rows);
      if (training.kind() == IndexKind.IVF_FLAT) {
        flat(blocks, count);
      } else {
        coded(blocks, count);
      }
      return nearest.size() > 0;
    }

    /** The rows of the next lists. */
    private List<ListRows> rows() {
      List<ListRows> rows = new ArrayList<>();
      long found = 0;
      for (int i = 0;
          ((i < nextLists && found < nextRows) || found < leastRows) && nearest.size() > 0;
          i++) {
        int list = nearest.next();
        float centroidDot = centroidDot(list);
        for (Segment segment : segments) {
          int first = segment.starts()[list];
          int count = segment.starts()[list + 1] - first;
          found += count;
          stats.probed(count);
          rows.add(new ListRows(segment, first, count, centroidDot));
        }
      }
      return rows;
    }

    private void flat(List<List<ListRows>> blocks, int rows) {
      stats.scored(rows);
      DoubleAccumulator floor = new DoubleAccumulator(Math::max, top.floor());
      Parts.Work<TopHits> work =
          (part, all) -> {
            FlatScan scan =
                new FlatScan(scorer, allowedRows(), top.empty(), floor, training.dimension());
            ofPart(blocks, part, all).forEach(scan::scan);
            return scan.found();
          };
      parts.map(documents(rows, FLAT_PER_DOCUMENT), work).forEach(top::offerAll);
    }

    private void coded(List<List<ListRows>> blocks, int rows) {
      ListScan scan =
          training.kind() == IndexKind.IVF_SQ
              ? new ScalarScan(query, values, training)
              : new ProductScan(query, values, training);
      int kept = query.precision().kept(k, scan.kept(k), set.rows());
      // An estimate below what was found elsewhere is no reason to leave a row out.
      float least =
          scan.isSure() && query.precision().refine() == 0
              ? values.ofScore(top.floor())
              : Float.NEGATIVE_INFINITY;
      DoubleAccumulator floor = SegmentCandidates.floor(least);
      Parts.Work<SegmentCandidates> work =
          (part, all) -> {
            SegmentCandidates found = new SegmentCandidates(kept, floor, allowedRows());
            ListScan own = scan.another();
            for (List<ListRows> block : ofPart(blocks, part, all)) {
              own.scan(block, found);
              found.learn();
            }
            return found;
          };
      SegmentCandidates found =
          SegmentCandidates.merged(parts.map(documents(rows, CODED_PER_DOCUMENT), work));
      offer(found.places());
    }

    private long documents(long rows, int componentsPerDocument) {
      return rows * training.dimension() / componentsPerDocument;
    }
  }

  /** Every so many-th block, so that all parts begin with the nearest rows. */
  private static List<List<ListRows>> ofPart(List<List<ListRows>> blocks, int part, int parts) {
    return IntStream.range(0, blocks.size())
        .filter(block -> block % parts == part)
        .mapToObj(blocks::get)
        .toList();
  }

  private AllowedRows allowedRows() {
    return new AllowedRows(set.places(), allowed);
  }

  /** Compares the vectors of some documents. */
  private void offer(long[] places) {
    stats.scored(places.length);
    Arrays.sort(places);
    for (int from = 0; from < places.length; ) {
      int leaf = AllowedRows.leaf(places[from]);
      int size = allowed.get(leaf).size();
      long[] words = new long[DocSet.wordCount(size)];
      int to = from;
      for (; to < places.length && AllowedRows.leaf(places[to]) == leaf; to++) {
        int doc = AllowedRows.doc(places[to]);
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
