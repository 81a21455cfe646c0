package io.loam.calcite.memory;

import io.loam.column.Predicate;
import io.loam.query.Search;
import io.loam.schema.CollectionSchema;
import io.loam.schema.SparseVector;
import io.loam.vector.Metric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Searches by looking at every row. */
record MemorySearch(CollectionSchema schema, List<MemoryRow> rows) {

  List<MemoryHit> run(Search search) {
    if (search instanceof Search.Hybrid hybrid) {
      return hybrid(hybrid);
    }
    List<MemoryHit> hits = new ArrayList<>();
    for (MemoryRow row : rows) {
      if (filter(search)
          .map(f -> Objects.equals(MemoryPredicate.test(f, schema, row), true))
          .orElse(true)) {
        MemoryHit hit = score(search, row);
        if (hit != null) {
          hits.add(hit);
        }
      }
    }
    return best(hits, search.k());
  }

  private List<MemoryHit> best(List<MemoryHit> hits, int k) {
    int key = schema.hasHiddenKey() ? -1 : schema.position(schema.keyField());
    return hits.stream()
        .sorted(
            Comparator.comparingDouble(MemoryHit::score)
                .reversed()
                .thenComparing(
                    h ->
                        key < 0
                            ? h.row().rowId()
                            : (Long) Objects.requireNonNull(h.row().values()[key])))
        .limit(k)
        .toList();
  }

  private static Optional<Predicate> filter(Search search) {
    if (search instanceof Search.Vector vector) {
      return vector.filter();
    }
    if (search instanceof Search.Text text) {
      return text.filter();
    }
    return ((Search.Sparse) search).filter();
  }

  private @Nullable MemoryHit score(Search search, MemoryRow row) {
    if (search instanceof Search.Vector v) {
      float[] value = (float[]) row.values()[schema.position(v.fieldNumber())];
      return value == null
          ? null
          : vector(row, v.query(), value, v.metric().orElseGet(() -> metric(v.fieldNumber())));
    }
    if (search instanceof Search.Sparse s) {
      SparseVector value = (SparseVector) row.values()[schema.position(s.fieldNumber())];
      double dot = value == null ? 0 : dot(s.query(), value);
      return dot == 0 ? null : new MemoryHit(row, dot, 0, List.of());
    }
    double score = text((Search.Text) search, row);
    return score == 0 ? null : new MemoryHit(row, score, 0, List.of());
  }

  private Metric metric(int field) {
    return Metric.valueOf(schema.field(field).metric().toUpperCase(Locale.ROOT));
  }

  private static MemoryHit vector(MemoryRow row, float[] a, float[] b, Metric metric) {
    double dot = 0;
    double aa = 0;
    double bb = 0;
    double square = 0;
    for (int i = 0; i < a.length; i++) {
      dot += (double) a[i] * b[i];
      aa += (double) a[i] * a[i];
      bb += (double) b[i] * b[i];
      square += ((double) a[i] - b[i]) * ((double) a[i] - b[i]);
    }
    return switch (metric) {
      case COSINE -> {
        double cosine = aa == 0 || bb == 0 ? 0 : dot / Math.sqrt(aa * bb);
        yield new MemoryHit(row, cosine, 1 - cosine, List.of());
      }
      case L2 -> new MemoryHit(row, 1 / (1 + square), Math.sqrt(square), List.of());
      case DOT -> new MemoryHit(row, dot, -dot, List.of());
    };
  }

  private static double dot(SparseVector a, SparseVector b) {
    double sum = 0;
    for (int i = 0; i < a.size(); i++) {
      int j = Arrays.binarySearch(b.indices(), a.indices()[i]);
      sum += j < 0 ? 0 : (double) a.values()[i] * b.values()[j];
    }
    return sum;
  }

  private static List<String> tokens(@Nullable Object text) {
    return text == null
        ? List.of()
        : Arrays.stream(text.toString().toLowerCase(Locale.ROOT).split("\\W+", -1))
            .filter(t -> !t.isEmpty())
            .toList();
  }

  /** BM25 with plain lengths over words; any word matches, or all must. */
  private double text(Search.Text search, MemoryRow row) {
    double sum = 0;
    List<String> words = tokens(search.query());
    for (String word : words) {
      double before = sum;
      for (Search.BoostedField field : search.fields()) {
        sum += field.boost() * bm25(schema.position(field.fieldNumber()), word, row);
      }
      if (search.options().allWords() && sum == before) {
        return 0;
      }
    }
    return sum;
  }

  private double bm25(int position, String word, MemoryRow row) {
    double documents = 0;
    double length = 0;
    for (MemoryRow other : rows) {
      List<String> tokens = tokens(other.values()[position]);
      length += tokens.size();
      documents += tokens.contains(word) ? 1 : 0;
    }
    List<String> tokens = tokens(row.values()[position]);
    double tf = tokens.stream().filter(word::equals).count();
    double idf = Math.log(1 + (rows.size() - documents + 0.5) / (documents + 0.5));
    double norm = 1.2 * (0.25 + 0.75 * tokens.size() / (length / rows.size()));
    return idf * 2.2 * tf / (tf + norm);
  }

  private List<MemoryHit> hybrid(Search.Hybrid hybrid) {
    List<List<MemoryHit>> legs = hybrid.legs().stream().map(leg -> run(leg.search())).toList();
    List<MemoryHit> fused = new ArrayList<>();
    for (MemoryRow row : rows) {
      double score = 0;
      List<MemoryHit.Leg> found = new ArrayList<>();
      for (int i = 0; i < legs.size(); i++) {
        MemoryHit.Leg leg = new MemoryHit.Leg(null, null);
        for (int rank = 0; rank < legs.get(i).size(); rank++) {
          if (legs.get(i).get(rank).row().rowId() == row.rowId()) {
            leg = new MemoryHit.Leg(rank + 1L, legs.get(i).get(rank).score());
            score += hybrid.legs().get(i).weight() / (60 + rank + 1);
          }
        }
        found.add(leg);
      }
      if (score > 0) {
        fused.add(new MemoryHit(row, score, 0, found));
      }
    }
    return best(fused, hybrid.k());
  }
}
