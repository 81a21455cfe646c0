package io.loam.query;

import io.loam.column.DocRef;
import io.loam.column.KeywordOrdinals;
import io.loam.column.RowSort;
import io.loam.doc.DocSet;
import io.loam.doc.Hit;
import io.loam.leaf.Leaf;
import io.loam.leaf.OpenVersion;
import io.loam.schema.FieldType;
import io.loam.schema.TypeKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Runs requests on one version: chooses the rows, then hands them to a cursor that reads their
 * values.
 */
final class RequestExecutor {
  private final OpenVersion version;
  private final QueryProfile profile;
  private final List<Leaf> leaves;
  private final LeafFilter filter;

  RequestExecutor(OpenVersion version, QueryProfile profile) {
    this.version = version;
    this.profile = profile;
    this.leaves = version.leaves();
    this.filter = new LeafFilter(version);
  }

  BatchCursor run(SearchRequest request) {
    if (request.search().isPresent()) {
      Search search = request.search().get();
      SearchRunner.Result result = new SearchRunner(version, profile).run(search);
      List<Hit> rows = cut(request, sorted(request, passing(request, result.hits())));
      profile.add("rows", rows.size());
      ScoredRows scores = ScoredRows.of(search, result, version);
      return new RowCursor(version, request.output(), DocSequence.of(rows), scores, profile);
    }
    if (request.sort().isEmpty()) {
      DocSequence all = DocSequence.of(allowed(request), request.offset(), request.limit());
      return new RowCursor(version, request.output(), all, ScoredRows.NONE, profile);
    }
    long limit = request.limit().orElse(Long.MAX_VALUE);
    List<DocSet> allowed = allowed(request);
    List<DocRef> rows =
        profile.timed(
            "sort",
            () ->
                RowSort.top(
                    leaves, allowed, request.sort(), version.keyOrder(), request.offset(), limit));
    return new RowCursor(
        version, request.output(), DocSequence.ofRefs(rows), ScoredRows.NONE, profile);
  }

  private List<DocSet> allowed(SearchRequest request) {
    List<DocSet> sets = profile.timed("filter", () -> filter.allowed(request.filter()));
    if (request.filter().isPresent()) {
      profile.add("passing the filter", cardinality(sets));
    }
    return sets;
  }

  RowBatch aggregate(SearchRequest request, Aggregation aggregation) {
    if (aggregation.equals(Aggregation.COUNT)) {
      return new RowBatch(1, List.of(BatchValues.constant(count(request))));
    }
    List<DocSet> rows =
        request.search().isPresent()
            ? HitSets.of(passing(request, search(request)), leaves)
            : allowed(request);
    profile.add("rows grouped", cardinality(rows));
    RowBatch groups = profile.timed("group", () -> groups(rows, aggregation));
    profile.add("groups", groups.size());
    return groups;
  }

  private RowBatch groups(List<DocSet> rows, Aggregation aggregation) {
    long rowsToScan = Aggregator.rowsToScan(aggregation, leaves, rows);
    Map<Integer, KeywordOrdinals> ordinals = new HashMap<>();
    for (int field : aggregation.groupFields()) {
      version.ordinals(field, rowsToScan).ifPresent(found -> ordinals.put(field, found));
    }
    List<Aggregator> parts =
        LeafWork.mapParts(
            rows,
            rowsToScan,
            part -> {
              Aggregator aggregator = new Aggregator(aggregation, this::scale, ordinals);
              aggregator.addAll(leaves, part);
              return aggregator;
            });
    parts.stream().skip(1).forEach(parts.get(0)::merge);
    return parts.get(0).rows();
  }

  private OptionalInt scale(int fieldNumber) {
    FieldType type = version.schema().field(fieldNumber).type();
    return type.kind() == TypeKind.DECIMAL ? OptionalInt.of(type.scale()) : OptionalInt.empty();
  }

  private static long cardinality(List<DocSet> sets) {
    return sets.stream().mapToLong(DocSet::cardinality).sum();
  }

  private List<Hit> search(SearchRequest request) {
    return new SearchRunner(version, profile).run(request.search().orElseThrow()).hits();
  }

  private long count(SearchRequest request) {
    long rows;
    if (request.search().isPresent()) {
      rows = passing(request, search(request)).size();
    } else if (request.filter().isEmpty()) {
      rows = version.liveDocuments();
    } else {
      rows = cardinality(allowed(request));
    }
    return Math.min(Math.max(0, rows - request.offset()), request.limit().orElse(Long.MAX_VALUE));
  }

  /** The hits that pass the request's filter, which applies after the search. */
  private List<Hit> passing(SearchRequest request, List<Hit> hits) {
    if (request.filter().isEmpty()) {
      return hits;
    }
    List<DocSet> allowed = allowed(request);
    return hits.stream().filter(h -> allowed.get(h.leaf()).contains(h.doc())).toList();
  }

  private List<Hit> sorted(SearchRequest request, List<Hit> hits) {
    if (request.sort().isEmpty()) {
      return hits;
    }
    Map<DocRef, Hit> byDoc = new HashMap<>();
    hits.forEach(h -> byDoc.put(new DocRef(h.leaf(), h.doc()), h));
    return RowSort.top(
            leaves, HitSets.of(hits, leaves), request.sort(), version.keyOrder(), 0, hits.size())
        .stream()
        .map(byDoc::get)
        .toList();
  }

  private static List<Hit> cut(SearchRequest request, List<Hit> hits) {
    int from = (int) Math.min(request.offset(), hits.size());
    int to =
        (int)
            Math.min(
                hits.size(), from + Math.min(request.limit().orElse(hits.size()), hits.size()));
    return hits.subList(from, to);
  }
}
