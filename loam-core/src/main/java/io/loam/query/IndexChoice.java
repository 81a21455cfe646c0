package io.loam.query;

import io.loam.doc.DocSet;
import io.loam.leaf.OpenVersion;
import io.loam.leaf.VersionIndex;
import io.loam.manifest.VectorIndexRef;
import io.loam.vector.IndexOptions;
import io.loam.vector.SegmentSet;
import io.loam.vector.VectorQuery;
import io.loam.vector.VectorSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether an index serves a search of a version, and which documents it is asked for.
 *
 * @param index nothing where none serves
 * @param others the allowed documents that are searched without it, one set per leaf
 * @param share of the documents that the index covers, those that are allowed
 */
record IndexChoice(
    Optional<VersionIndex> index, List<DocSet> others, double share, VectorStrategy strategy) {
  /**
   * Of the rows that an index covers, the part that must be allowed: to find enough of fewer, so
   * many lists would have to be looked at that codes, of which only the allowed ones are, are
   * faster; see the benchmarks.
   */
  private static final double LEAST_SHARE = 1 / 3.0;

  /**
   * The part of an index's allowed rows that is looked at, at most, if nobody says how many lists
   * are. Where k asks for more, codes are faster, and find all.
   */
  private static final double MOST_LOOKED_AT = 1 / 4.0;

  /**
   * Chooses.
   *
   * @param allowed one per leaf
   * @param k how many hits are wanted
   */
  static IndexChoice of(
      OpenVersion version, VectorQuery query, int fieldNumber, List<DocSet> allowed, int k) {
    if (query.ranking() == VectorQuery.Ranking.DISTANCE) {
      return without(allowed, exact("ranked by distance"));
    }
    if (query.precision().exact()) {
      return without(allowed, exact("as asked"));
    }
    if (!query.suitsCodes()) {
      return without(allowed, exact("the query is too long or too short a vector for codes"));
    }
    Optional<VersionIndex> index = version.index(fieldNumber, query.metric());
    if (index.isEmpty()) {
      return without(allowed, byLeaf(version, fieldNumber, allowed, none(version, fieldNumber)));
    }
    return of(version, query, index.get(), allowed, k);
  }

  private static IndexChoice of(
      OpenVersion version, VectorQuery query, VersionIndex index, List<DocSet> allowed, int k) {
    List<DocSet> others = new ArrayList<>();
    for (int leaf = 0; leaf < allowed.size(); leaf++) {
      others.add(allowed.get(leaf).andNot(index.covered().get(leaf)));
    }
    long uncovered = count(others);
    long inSegments = count(allowed) - uncovered;
    double share = inSegments / (double) Math.max(1, count(index.covered()));
    long least = Math.max(1, index.options().minRows());
    VectorIndexRef ref = index.ref();
    if (inSegments < least) {
      String few =
          "index %s has %d allowed rows, min_rows=%d".formatted(ref.name(), inSegments, least);
      return without(allowed, byLeaf(version, ref.fieldNumber(), allowed, few));
    }
    if (share < LEAST_SHARE) {
      String few = "less than a third of the rows of index " + ref.name() + " are allowed";
      return without(allowed, byLeaf(version, ref.fieldNumber(), allowed, few));
    }
    if (picksLists(query, index) && SegmentSet.leastRows(k) > MOST_LOOKED_AT * inSegments) {
      String how = "k=%d is many of the rows of index %s".formatted(k, ref.name());
      return without(allowed, byLeaf(version, ref.fieldNumber(), allowed, how));
    }
    String how =
        "%s (%s, segments=%d, uncovered=%d)"
            .formatted(ref.name(), ref.kind(), ref.segments().size(), uncovered);
    return new IndexChoice(
        Optional.of(index), others, share, new VectorStrategy(VectorStrategy.Way.INDEX, how));
  }

  /** Whether neither the query nor the index's options say what is to be looked at. */
  private static boolean picksLists(VectorQuery query, VersionIndex index) {
    IndexOptions options = index.options();
    return options.minRows() > 0 && options.probes() == 0 && query.precision().probes() == 0;
  }

  /** Why none of a version's indexes of a field can be asked. */
  private static String none(OpenVersion version, int fieldNumber) {
    List<String> others =
        version.manifest().indexes().stream()
            .filter(index -> index.fieldNumber() == fieldNumber)
            .map(
                index ->
                    index.segments().isEmpty()
                        ? "index %s covers no rows".formatted(index.name())
                        : "index %s is for %s"
                            .formatted(index.name(), index.metric().toLowerCase(Locale.ROOT)))
            .toList();
    return others.isEmpty() ? "no index" : String.join(", ", others);
  }

  private static VectorStrategy byLeaf(
      OpenVersion version, int fieldNumber, List<DocSet> allowed, String why) {
    for (int leaf = 0; leaf < version.manifest().splits().size(); leaf++) {
      if (version.manifest().splits().get(leaf).codes().containsKey(fieldNumber)
          && VectorSearch.asksCodes(allowed.get(leaf))) {
        return new VectorStrategy(VectorStrategy.Way.CODES, why);
      }
    }
    return exact(why + ", and no codes that would pay");
  }

  private static VectorStrategy exact(String why) {
    return new VectorStrategy(VectorStrategy.Way.EXACT, why);
  }

  private static IndexChoice without(List<DocSet> allowed, VectorStrategy strategy) {
    return new IndexChoice(Optional.empty(), allowed, 0, strategy);
  }

  /** Documents of all leaves. */
  static long count(List<DocSet> docs) {
    return docs.stream().mapToLong(DocSet::cardinality).sum();
  }
}
