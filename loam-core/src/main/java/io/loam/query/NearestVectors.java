package io.loam.query;

import io.loam.doc.DocSet;
import io.loam.doc.KeyOrder;
import io.loam.doc.TopHits;
import io.loam.leaf.OpenVersion;
import io.loam.vector.SegmentSearch;
import io.loam.vector.SegmentSet;
import io.loam.vector.VectorLeaf;
import io.loam.vector.VectorQuery;
import io.loam.vector.VectorSearch;
import io.loam.vector.VectorSearchStats;
import java.util.List;
import java.util.Map;

/** Search for the nearest vectors of a version, with the help of an index where that pays. */
record NearestVectors(OpenVersion version, KeyOrder keys, QueryProfile profile) {
  /** Comparing so many components costs as much as another step does for a document. */
  private static final int COMPONENTS_PER_DOCUMENT = 8;

  /** Likewise, by codes. */
  private static final int CODED_PER_DOCUMENT = 256;

  /**
   * The best k allowed documents.
   *
   * @param allowed one per leaf
   */
  TopHits search(
      VectorQuery query, int fieldNumber, List<DocSet> allowed, int k, VectorSearchStats stats) {
    List<VectorLeaf> vectors =
        version.leaves().stream().map(leaf -> version.vectors(leaf, fieldNumber)).toList();
    IndexChoice choice = IndexChoice.of(version, query, fieldNumber, allowed, k);
    profile.note("strategy", choice.strategy().toString());
    TopHits top = inLeaves(query, vectors, choice.others(), k, stats);
    choice
        .index()
        .ifPresent(
            index -> {
              SegmentSet segments = index.segments();
              new SegmentSearch(query, segments, vectors, allowed, k, top, LeafWork::inParts, stats)
                  .run(choice.share());
              profile.add("segments of " + index.ref().name(), segments.segments().size());
              profile.add("lists", stats.probedLists());
              profile.add("rows of lists", stats.scannedRows());
              profile.add("rows of no segment", IndexChoice.count(choice.others()));
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
    long components = query.vector().length * IndexChoice.count(allowed);
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
}
