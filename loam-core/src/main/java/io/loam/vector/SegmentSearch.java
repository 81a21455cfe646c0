package io.loam.vector;

import io.loam.doc.DocSet;
import io.loam.doc.TopHits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.function.IntToDoubleFunction;
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
    private final RowBudget budget;

    Route(Training training, List<Segment> segments, double share) {
      this.training = training;
      this.segments = segments;
      float[] nearness = training.nearestCentroid().nearness(query.vector());
      if (query.metric() == Metric.DOT) {
        removeBias(nearness);
      }
      this.nearest = new NearestLists(nearness);
      int asked = query.precision().probes() > 0 ? query.precision().probes() : set.probes();
      long rows = segments.stream().mapToLong(Segment::rows).sum();
      this.budget = new RowBudget(asked, training.lists(), rows, k, share);
    }

    /** Under the dot product, the nearest list is the one whose centroid scores best. */
    private void removeBias(float[] nearness) {
      for (int list = 0; list < nearness.length; list++) {
        nearness[list] = training.centroidDot(query.vector(), list);
      }
    }

    /** Looks at the next lists, each time at as much as before; tells whether there are more. */
    boolean next() {
      switch (training.kind()) {
        case IVF_FLAT -> flat(rows(list -> 0));
        case IVF_SQ -> coded(new ScalarScan(query, values, training));
        case IVF_PQ -> coded(new ProductScan(ProductQuery.of(query.vector(), training)));
      }
      return nearest.size() > 0;
    }

    /** The rows of the next lists. */
    private List<ListRows> rows(IntToDoubleFunction ofCentroid) {
      List<ListRows> rows = new ArrayList<>();
      long found = 0;
      int lists = 0;
      for (; budget.wantsMore(lists, found) && nearest.size() > 0; lists++) {
        int list = nearest.next();
        float ofThis = (float) ofCentroid.applyAsDouble(list);
        for (Segment segment : segments) {
          int first = segment.starts()[list];
          int count = segment.starts()[list + 1] - first;
          found += count;
          stats.probed(count);
          rows.add(new ListRows(segment, first, count, ofThis));
        }
      }
      budget.next(lists, found);
      return rows;
    }

    private void flat(List<ListRows> lists) {
      int rows = count(lists);
      List<List<ListRows>> blocks = ListRows.blocks(lists);
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

    private void coded(ListScan scan) {
      List<ListRows> lists = rows(scan::ofCentroid);
      int rows = count(lists);
      List<List<ListRows>> blocks = ListRows.blocks(lists);
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

  private static int count(List<ListRows> lists) {
    return lists.stream().mapToInt(ListRows::count).sum();
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
