package io.loam.query;

import io.loam.column.Predicate;
import io.loam.doc.DocSet;
import io.loam.doc.Hit;
import io.loam.doc.KeyOrder;
import io.loam.doc.TopHits;
import io.loam.leaf.Leaf;
import io.loam.leaf.OpenVersion;
import io.loam.schema.Field;
import io.loam.schema.TypeKind;
import io.loam.sparse.SparseBuilder;
import io.loam.sparse.SparseIndex;
import io.loam.sparse.SparseQuery;
import io.loam.sparse.SparseSearch;
import io.loam.text.QueryField;
import io.loam.text.TextQueries;
import io.loam.text.TextQuery;
import io.loam.text.TextSearch;
import io.loam.text.TextSearchStats;
import io.loam.vector.Metric;
import io.loam.vector.VectorQuery;
import io.loam.vector.VectorSearchStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Runs searches over the leaves of one version. */
final class SearchRunner {
  private final OpenVersion version;
  private final List<Leaf> leaves;
  private final KeyOrder keys;
  private final LeafFilter filter;
  private final QueryProfile profile;

  SearchRunner(OpenVersion version, QueryProfile profile) {
    this.version = version;
    this.leaves = version.leaves();
    this.keys = version.keyOrder();
    this.filter = new LeafFilter(version);
    this.profile = profile;
  }

  /** What a search found: its hits, best first, and for a hybrid what each leg found. */
  record Result(List<Hit> hits, List<RankedLeg> legs) {}

  Result run(Search search) {
    if (search instanceof Search.Hybrid hybrid) {
      return hybrid(hybrid);
    }
    return new Result(single(search), List.of());
  }

  private Result hybrid(Search.Hybrid hybrid) {
    List<RankedLeg> legs = new ArrayList<>();
    for (Search.Leg leg : hybrid.legs()) {
      legs.add(new RankedLeg(single(leg.search()), leg.weight()));
    }
    List<Hit> fused =
        profile.timed(
            "fuse",
            () -> LegFusion.fuse(legs, hybrid.fusion(), hybrid.k(), hybrid.minScore(), keys));
    return new Result(fused, legs);
  }

  private List<Hit> single(Search search) {
    if (search instanceof Search.Text text) {
      return text(text);
    }
    if (search instanceof Search.Sparse sparse) {
      return sparse(sparse);
    }
    if (search instanceof Search.Vector vector) {
      return vector(vector);
    }
    if (search instanceof Search.Match match) {
      return text(match.query(), match.filter(), match.k());
    }
    if (search instanceof Search.ByDistance byDistance) {
      return byDistance(byDistance);
    }
    throw new IllegalArgumentException("a leg cannot be a hybrid itself");
  }

  private List<DocSet> allowed(Optional<Predicate> predicate) {
    List<DocSet> sets = profile.timed("filter", () -> filter.allowed(predicate));
    profile.add("allowed", sets.stream().mapToLong(DocSet::cardinality).sum());
    return sets;
  }

  private List<Hit> text(Search.Text text) {
    List<QueryField> fields = new ArrayList<>();
    for (Search.BoostedField f : text.fields()) {
      Field field = version.schema().field(f.fieldNumber());
      fields.add(new QueryField(field.number(), field.analyzer(), f.boost()));
    }
    TextQuery query =
        TextQueries.parse(text.query(), text.options(), fields, name -> textField(name));
    return reaching(text(query, text.filter(), text.k()), text.minScore());
  }

  private List<Hit> text(TextQuery query, Optional<Predicate> narrowing, int k) {
    TextSearchStats stats = new TextSearchStats();
    List<DocSet> allowed = allowed(narrowing);
    List<Hit> hits = profile.timed("text", () -> text(query, allowed, k, stats));
    profile.add("text candidates", stats.scored());
    profile.add("leaves by postings", stats.searchedLeaves());
    profile.add("leaves scanned", stats.scannedLeaves());
    profile.add("leaves skipped", stats.skippedLeaves());
    return hits;
  }

  /** Searches parts of the documents side by side if there are many to look at. */
  private List<Hit> text(TextQuery query, List<DocSet> allowed, int k, TextSearchStats stats) {
    TextSearch search = new TextSearch(query, version.schema()::scoring, leaves, k, keys);
    TopHits all = new TopHits(k, keys);
    LeafWork.mapParts(
            allowed,
            search.mostDocuments(allowed),
            part -> {
              TextSearchStats ofPart = new TextSearchStats();
              return Map.entry(search.run(part, ofPart), ofPart);
            })
        .forEach(
            part -> {
              all.offerAll(part.getKey());
              stats.add(part.getValue());
            });
    return all.toList();
  }

  private Optional<QueryField> textField(String name) {
    return version
        .schema()
        .find(name)
        .filter(field -> field.kind() == TypeKind.TEXT)
        .map(field -> new QueryField(field.number(), field.analyzer(), 1));
  }

  private List<Hit> sparse(Search.Sparse search) {
    List<SparseIndex> indexes = new ArrayList<>();
    for (Leaf leaf : leaves) {
      indexes.add(leaf.sparse(search.fieldNumber()).orElseGet(() -> empty(leaf.documentCount())));
    }
    List<DocSet> allowed = allowed(search.filter());
    SparseQuery query = query(search, indexes);
    List<Hit> hits =
        profile.timed(
            "sparse",
            () -> SparseSearch.search(query, indexes, allowed, search.k(), keys).toList());
    profile.add("entries read", SparseSearch.entries(query, indexes));
    return reaching(hits, search.minScore());
  }

  private SparseQuery query(Search.Sparse search, List<SparseIndex> indexes) {
    SparseQuery query = SparseQuery.of(search.query());
    return switch (search.modifier()) {
      case NONE -> query;
      case IDF -> query.withIdf(indexes, leaves.stream().map(Leaf::live).toList());
    };
  }

  /** The hits, best first, that do not score less. */
  private static List<Hit> reaching(List<Hit> hits, OptionalDouble minScore) {
    return minScore.isEmpty()
        ? hits
        : hits.stream().takeWhile(hit -> hit.score() >= minScore.getAsDouble()).toList();
  }

  /** The index of a leaf from before the field was added. */
  private static SparseIndex empty(int documents) {
    SparseBuilder builder = new SparseBuilder();
    for (int i = 0; i < documents; i++) {
      builder.add(null);
    }
    return builder.build();
  }

  /** How a search would be done. */
  VectorStrategy strategy(Search.Vector search) {
    List<DocSet> allowed = allowed(search.filter());
    return IndexChoice.of(version, query(search), search.fieldNumber(), allowed, search.k())
        .strategy();
  }

  private VectorQuery query(Search.Vector search) {
    return new VectorQuery(
        search.query(),
        metric(search, version.schema().field(search.fieldNumber())),
        search.maxDistance().orElse(Double.POSITIVE_INFINITY),
        search.precision());
  }

  private List<Hit> vector(Search.Vector search) {
    return vector(query(search), search.fieldNumber(), allowed(search.filter()), search.k());
  }

  private List<Hit> vector(VectorQuery query, int fieldNumber, List<DocSet> allowed, int k) {
    VectorSearchStats stats = new VectorSearchStats();
    List<Hit> hits =
        profile.timed(
            "vector",
            () ->
                new NearestVectors(version, keys, profile)
                    .search(query, fieldNumber, allowed, k, stats)
                    .toList());
    profile.add("vectors compared", stats.scoredDocuments());
    profile.add("leaves by codes", stats.leavesByCodes());
    profile.add("uncovered", stats.uncoveredDocuments());
    profile.add("widening rounds", stats.wideningRounds());
    return hits;
  }

  private List<Hit> byDistance(Search.ByDistance search) {
    List<DocSet> allowed = allowed(search.filter());
    VectorQuery query = VectorQuery.byDistance(search.query(), search.metric());
    List<Hit> near = vector(query, search.fieldNumber(), allowed, search.k());
    int missing = search.k() - near.size();
    if (missing == 0) {
      return near;
    }
    List<Hit> all = new ArrayList<>(near);
    all.addAll(without(near, allowed, missing));
    return all;
  }

  /** The first, by key, of the allowed documents that are not among the hits. */
  private List<Hit> without(List<Hit> hits, List<DocSet> allowed, int most) {
    List<DocSet> found = HitSets.of(hits, leaves);
    TopHits rest = new TopHits(most, keys);
    for (int i = 0; i < leaves.size(); i++) {
      int leaf = i;
      allowed
          .get(i)
          .andNot(found.get(i))
          .forEach(doc -> rest.offer(leaf, doc, Double.NEGATIVE_INFINITY));
    }
    return rest.toList();
  }

  /** The search's metric, or the field's. */
  static Metric metric(Search.Vector search, Field field) {
    return search.metric().orElseGet(() -> Metric.valueOf(field.metric().toUpperCase(Locale.ROOT)));
  }
}
