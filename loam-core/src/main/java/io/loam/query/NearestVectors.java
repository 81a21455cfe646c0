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
import java.util.Map;
import java.util.Optional;

/** Search for the nearest vectors of a version, with the help of an index where that pays. */
record NearestVectors(OpenVersion version, KeyOrder keys, QueryProfile profile) {
  /**
   * Of the rows that an index covers, the part that must be allowed: to find enough of fewer, so
   * many lists would have to be looked at that codes, of which only the allowed ones are, are
   * faster.
   */
  private static final double LEAST_SHARE = 0.1;

  /** Comparing so many components costs as much as another step does for a document. */
  private static final int COMPONENTS_PER_DOCUMENT = 128;

  /** Likewise, by codes. */
  private static final int CODED_PER_DOCUMENT = 4096;

  /** Which documents an index is asked for. */
  private record Division(VersionIndex index, List<DocSet> others, double share) {}

  /**
   * The best k allowed documents.
   *
   * @param allowed one per leaf
   */
  TopHits search(
      VectorQuery query, int fieldNumber, List<DocSet> allowed, int k, VectorSearchStats stats) {
    List<VectorLeaf> vectors =
        version.leaves().stream().map(leaf -> version.vectors(leaf, fieldNumber)).toList();
    Optional<Division> division = division(query, fieldNumber, allowed);
    TopHits top =
        inLeaves(query, vectors, division.map(Division::others).orElse(allowed), k, stats);
    division.ifPresent(
        divided -> {
          SegmentSet segments = divided.index().segments();
          new SegmentSearch(query, segments, vectors, allowed, k, top, stats).run(divided.share());
          profile.add("segments of " + divided.index().ref().name(), segments.segments().size());
          profile.add("lists", stats.probedLists());
          profile.add("rows of lists", stats.scannedRows());
          profile.add(
              "rows of no segment", divided.others().stream().mapToLong(DocSet::cardinality).sum());
        });
    return top;
  }

  /** Searches parts of the documents side by side if there is much to do. */
  private TopHits inLeaves(
      VectorQuery query,
      List<VectorLeaf> vectors,
      List<DocSet> allowed,
      int k,
      VectorSearchStats stats) {
    long components = query.vector().length * allowed.stream().mapToLong(DocSet::cardinality).sum();
    boolean exact = query.precision().exact();
    long documents = components / (exact ? COMPONENTS_PER_DOCUMENT : CODED_PER_DOCUMENT);
    TopHits all = new TopHits(k, keys);
    LeafWork.mapParts(
            allowed,
            documents,
            part -> {
              VectorSearchStats ofPart = new VectorSearchStats();
              TopHits top = VectorSearch.search(query, vectors, part, k, keys, ofPart);
              return Map.entry(top, ofPart);
            })
        .forEach(
            part -> {
              all.offerAll(part.getKey());
              stats.add(part.getValue());
            });
    return all;
  }

  private Optional<Division> division(VectorQuery query, int fieldNumber, List<DocSet> allowed) {
    if (query.precision().exact() || query.ranking() != VectorQuery.Ranking.SCORE) {
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
