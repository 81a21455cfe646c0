package io.loam.query;

import io.loam.doc.DocSet;
import io.loam.doc.KeyOrder;
import io.loam.doc.TopHits;
import io.loam.leaf.OpenVersion;
import io.loam.leaf.VersionIndex;
import io.loam.vector.SegmentSearch;
import io.loam.vector.SegmentSet;
import io.loam.vector.VectorLeaf;
import io.loam.vector.VectorQuery;
import io.loam.vector.VectorSearch;
import io.loam.vector.VectorSearchStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Search for the nearest vectors of a version, with the help of an index where that pays. */
record NearestVectors(OpenVersion version, KeyOrder keys, QueryProfile profile) {
  /**
   * Of the rows that an index covers, the part that must be allowed: to find enough of fewer, so
   * many lists would have to be looked at that codes, of which only the allowed ones are, are
   * faster.
   */
  private static final double LEAST_SHARE = 0.1;

  /** Which documents an index is asked for. */
  private record Division(VersionIndex index, List<DocSet> others, double share) {}

  /**
   * The best k allowed documents.
   *
   * @param allowed one per leaf
   */
  TopHits search(
      VectorQuery query, int fieldNumber, List<DocSet> allowed, int k, VectorSearchStats stats) {
    TopHits top = new TopHits(k, keys);
    List<VectorLeaf> vectors =
        version.leaves().stream().map(leaf -> version.vectors(leaf, fieldNumber)).toList();
    Optional<Division> division = division(query, fieldNumber, allowed);
    VectorSearch.search(
        query, vectors, division.map(Division::others).orElse(allowed), k, top, stats);
    division.ifPresent(
        divided -> {
          SegmentSet segments = divided.index().segments();
          new SegmentSearch(query, segments, vectors, allowed, k, top, stats).run(divided.share());
          profile.add("segments of " + divided.index().ref().name(), segments.segments().size());
          profile.add("lists", stats.probedLists());
          profile.add("rows of lists", stats.scannedRows());
        });
    return top;
  }

  private Optional<Division> division(VectorQuery query, int fieldNumber, List<DocSet> allowed) {
    if (query.precision() == VectorQuery.Precision.EXACT
        || query.ranking() != VectorQuery.Ranking.SCORE) {
      return Optional.empty();
    }
    return version
        .index(fieldNumber, query.metric())
        .map(index -> division(index, allowed))
        .filter(divided -> divided.share() >= LEAST_SHARE);
  }

  private static Division division(VersionIndex index, List<DocSet> allowed) {
    List<DocSet> others = new ArrayList<>();
    long inSegments = 0;
    long covered = 0;
    for (int leaf = 0; leaf < allowed.size(); leaf++) {
      DocSet docs = index.covered().get(leaf);
      DocSet rest = allowed.get(leaf).andNot(docs);
      others.add(rest);
      covered += docs.cardinality();
      inSegments += allowed.get(leaf).cardinality() - rest.cardinality();
    }
    double share =
        inSegments < Math.max(1, index.options().minRows()) ? 0 : inSegments / (double) covered;
    return new Division(index, others, share);
  }
}
