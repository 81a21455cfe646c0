package io.loam.column;

import io.loam.column.Predicate.Op;
import io.loam.doc.DocSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates predicates over columns, in the three-valued logic of SQL: a document passes if the
 * predicate is true, not if it is false or unknown.
 *
 * <p>Numbers of any class compare by their exact values. Zeros of both signs are equal; NaN equals
 * itself and is greater than all other numbers, so that each comparison is the negation of another.
 * Strings compare by UTF-16 units and UUIDs by {@link java.util.UUID#compareTo}. {@code _} in LIKE
 * stands for one code point.
 */
public final class Filters {
  private final Predicate predicate;
  private final Map<Predicate.In, InValues> values =
      Collections.synchronizedMap(new IdentityHashMap<>());

  private Filters(Predicate predicate) {
    this.predicate = predicate;
  }

  /** A predicate to be evaluated over several leaves, by several threads if it is of columns. */
  public static Filters of(Predicate predicate) {
    return new Filters(predicate);
  }

  /**
   * The documents for which the predicate is true. Fails with {@code TYPE_MISMATCH} where a value
   * cannot be compared with its field.
   */
  public static DocSet evaluate(Predicate predicate, ColumnSource columns, int documentCount) {
    return of(predicate).evaluate(columns, documentCount);
  }

  /** As {@link #evaluate(Predicate, ColumnSource, int)}. */
  public DocSet evaluate(ColumnSource columns, int documentCount) {
    return evaluate(columns, DocSet.all(documentCount));
  }

  /** Likewise, of some of the documents; what is said of others means nothing. */
  public DocSet evaluate(ColumnSource columns, DocSet candidates) {
    int size = candidates.size();
    return DocSet.ofWords(
        new Evaluation(columns, size).documents(predicate, true, candidates), size);
  }

  /** Whether typed columns tell all about a predicate. */
  public static boolean isOfColumns(Predicate predicate) {
    if (predicate instanceof Predicate.Not not) {
      return isOfColumns(not.of());
    }
    if (predicate instanceof Predicate.And and) {
      return and.all().stream().allMatch(Filters::isOfColumns);
    }
    if (predicate instanceof Predicate.Or or) {
      return or.any().stream().allMatch(Filters::isOfColumns);
    }
    return !(predicate instanceof Predicate.OnDocuments);
  }

  /** What a predicate asks of a column; null for no document. */
  @FunctionalInterface
  private interface Question {
    Kernels.@Nullable Block ask(ColumnTests tests);
  }

  private final class Evaluation {
    private final ColumnSource columns;
    private final int size;

    Evaluation(ColumnSource columns, int size) {
      this.columns = columns;
      this.size = size;
    }

    /**
     * The documents for which the predicate is true, or those for which it is false. Documents for
     * which it is unknown are in neither, so that NOT only swaps the two.
     */
    private long[] documents(Predicate predicate, boolean truth, DocSet candidates) {
      if (predicate instanceof Predicate.Not not) {
        return documents(not.of(), !truth, candidates);
      }
      if (predicate instanceof Predicate.And and) {
        return truth
            ? intersection(and.all(), true, candidates)
            : union(and.all(), false, candidates);
      }
      if (predicate instanceof Predicate.Or or) {
        return truth
            ? union(or.any(), true, candidates)
            : intersection(or.any(), false, candidates);
      }
      if (predicate instanceof Predicate.Constant constant) {
        return constant.value() == truth ? all() : none();
      }
      if (predicate instanceof Predicate.IsNull isNull) {
        long[] present = column(isNull.fieldNumber()).map(this::present).orElseGet(this::none);
        return truth ? complement(present) : present;
      }
      if (predicate instanceof Predicate.OnDocuments condition) {
        long[] passing = condition.documents(columns, candidates).words();
        return truth ? passing.clone() : complement(passing);
      }
      return test(predicate, truth);
    }

    /**
     * Tests of columns first, since the others cost less for fewer documents; all ends of a range
     * at once.
     */
    private long[] intersection(List<Predicate> predicates, boolean truth, DocSet candidates) {
      long[] result = candidates.words().clone();
      Map<Integer, List<Predicate.Compare>> ranges = new LinkedHashMap<>();
      for (Predicate p : predicates) {
        if (truth && isRange(p)) {
          Predicate.Compare end = (Predicate.Compare) p;
          ranges.computeIfAbsent(end.fieldNumber(), f -> new ArrayList<>()).add(end);
        }
      }
      ranges.forEach((field, ends) -> and(result, test(field, true, t -> t.compare(ends))));
      for (boolean ofColumns : new boolean[] {true, false}) {
        for (Predicate p : predicates) {
          if (!(truth && isRange(p)) && isOfColumns(p) == ofColumns) {
            and(
                result,
                documents(p, truth, ofColumns ? candidates : DocSet.ofWords(result.clone(), size)));
          }
        }
      }
      return result;
    }

    private static boolean isRange(Predicate predicate) {
      return predicate instanceof Predicate.Compare c && c.op() != Op.NE;
    }

    private long[] union(List<Predicate> predicates, boolean truth, DocSet candidates) {
      long[] result = none();
      for (Predicate p : predicates) {
        long[] words = documents(p, truth, candidates);
        for (int i = 0; i < result.length; i++) {
          result[i] |= words[i];
        }
      }
      return result;
    }

    /** A predicate on the value of one field: unknown where that is missing. */
    private long[] test(Predicate predicate, boolean truth) {
      if (predicate instanceof Predicate.Compare c) {
        boolean complement = c.op() == Op.NE;
        Predicate.Compare of =
            complement ? new Predicate.Compare(c.fieldNumber(), Op.EQ, c.value()) : c;
        return test(c.fieldNumber(), truth != complement, t -> t.compare(List.of(of)));
      }
      if (predicate instanceof Predicate.In in) {
        return test(
            in.fieldNumber(),
            truth,
            t -> t.in(values.computeIfAbsent(in, i -> new InValues(i.values()))));
      }
      if (predicate instanceof Predicate.Like like) {
        LikePattern pattern = LikePattern.of(like.pattern(), like.escape());
        return test(like.fieldNumber(), truth, t -> t.like(pattern));
      }
      Predicate.ArrayContains contains = (Predicate.ArrayContains) predicate;
      return test(contains.fieldNumber(), truth, t -> t.contains(contains.item()));
    }

    private long[] test(int fieldNumber, boolean truth, Question question) {
      Optional<Column> found = column(fieldNumber);
      if (found.isEmpty()) {
        return none();
      }
      Column column = found.get();
      Kernels.Block block = question.ask(ColumnTests.of(column));
      long[] passing = block == null ? none() : Kernels.run(size, block);
      if (truth && column instanceof Column.Keywords) {
        return passing; // no test passes the code of a missing keyword
      }
      long[] result = truth ? passing : complement(passing);
      and(result, present(column));
      return result;
    }

    private Optional<Column> column(int fieldNumber) {
      Optional<Column> column = columns.column(fieldNumber);
      if (column.isPresent() && column.get().size() != size) {
        throw new IllegalArgumentException(
            "field=" + fieldNumber + ", values=" + column.get().size() + ", documents=" + size);
      }
      return column;
    }

    /** The documents that have a value. */
    private long[] present(Column column) {
      long[] nulls = Nulls.words(column);
      return nulls == null ? all() : complement(nulls);
    }

    private long[] all() {
      return DocSet.all(size).words();
    }

    private long[] none() {
      return new long[DocSet.wordCount(size)];
    }

    private long[] complement(long[] words) {
      long[] result = all();
      for (int i = 0; i < result.length; i++) {
        result[i] &= ~words[i];
      }
      return result;
    }

    private void and(long[] result, long[] words) {
      for (int i = 0; i < result.length; i++) {
        result[i] &= words[i];
      }
    }
  }
}
