package io.loam.text;

import io.loam.schema.TextScoring;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;

/**
 * A query with the statistics of all live documents: what every leaf's scorer shares. Clauses are
 * put in one order, whatever the order of the query, and terms are numbered: a slot is a term of a
 * field.
 */
final class CompiledQuery {

  /** A term of a field; {@code field} is its place in {@link #fields}. */
  record Slot(int field, String term) {}

  /** A clause. {@code ordinal} is its place in {@link #nodes}. */
  sealed interface Node {
    int ordinal();
  }

  /** A term, or a phrase if there are several slots. */
  record TermsNode(int ordinal, int field, int[] slots, int slop, double weight) implements Node {}

  /** Any term that is like a pattern. */
  record PatternNode(int ordinal, int field, TermPattern.Matcher matcher, double boost)
      implements Node {}

  /**
   * {@code occurs} tells what {@code clauses} are, which are in the order in which scores add.
   *
   * @param leastShould how many of the {@code SHOULD} clauses must match; one at least where
   *     nothing else must
   */
  record BoolNode(
      int ordinal, List<Occur> occurs, List<Node> clauses, boolean hasMust, int leastShould)
      implements Node {}

  /** No document. */
  record NoneNode(int ordinal) implements Node {}

  /** How a clause takes part. */
  enum Occur {
    MUST,
    SHOULD,
    MUST_NOT
  }

  private record Clause(Occur occur, TextQuery query) {}

  private static final Comparator<Clause> CLAUSE_ORDER =
      Comparator.comparing(Clause::query, CompiledQuery::compare).thenComparing(Clause::occur);

  private static final Comparator<TextQuery.Pattern> PATTERN_ORDER =
      Comparator.comparingInt(TextQuery.Pattern::fieldNumber)
          .thenComparing(p -> p.pattern().kind())
          .thenComparing(p -> p.pattern().text())
          .thenComparingInt(p -> p.pattern().edits())
          .thenComparingDouble(TextQuery.Pattern::boost);

  final int[] fields;

  /** By place of the field. */
  final List<Bm25> formulas;

  final List<Slot> slots;
  final List<Node> nodes = new ArrayList<>();
  final Node root;

  /** Mean length of live documents, by place of the field. */
  final double[] averageLengths;

  /** By place of the field, by code of the length: {@link Bm25#norms}. */
  final double[][] norms;

  private final double[] idfs;

  CompiledQuery(
      TextQuery query, List<? extends TextLeaf> leaves, IntFunction<TextScoring> scoring) {
    TreeSet<Integer> fieldNumbers = new TreeSet<>();
    Map<Slot, Integer> numbers = new LinkedHashMap<>();
    collectFields(query, fieldNumbers);
    this.fields = fieldNumbers.stream().mapToInt(Integer::intValue).toArray();
    this.formulas = Arrays.stream(fields).mapToObj(f -> Bm25.of(scoring.apply(f))).toList();
    collectSlots(query, numbers);
    this.slots = List.copyOf(numbers.keySet());
    long documents = leaves.stream().mapToLong(leaf -> leaf.live().cardinality()).sum();
    this.averageLengths = new double[fields.length];
    this.norms = new double[fields.length][];
    long[] withTerm = new long[slots.size()];
    for (TextLeaf leaf : leaves) {
      addStatistics(leaf, withTerm);
    }
    for (int field = 0; field < fields.length; field++) {
      averageLengths[field] /= documents;
      norms[field] = formulas.get(field).norms(averageLengths[field]);
    }
    this.idfs = new double[slots.size()];
    for (int slot = 0; slot < idfs.length; slot++) {
      idfs[slot] = withTerm[slot] == 0 ? 0 : Bm25.idf(documents, withTerm[slot]);
    }
    this.root = compile(query, numbers);
  }

  /** Sums tokens into {@link #averageLengths}: exact, being whole numbers below 2^53. */
  private void addStatistics(TextLeaf leaf, long[] withTerm) {
    for (int field = 0; field < fields.length; field++) {
      TokenReader tokens = leaf.tokens(fields[field]).orElse(null);
      if (tokens == null) {
        continue;
      }
      RemovedTerms removed = leaf.removed(fields[field]);
      averageLengths[field] += tokens.totalTokens() - removed.tokens();
      for (int slot = 0; slot < withTerm.length; slot++) {
        int code = slots.get(slot).field() == field ? tokens.termCode(slots.get(slot).term()) : -1;
        if (code >= 0) {
          withTerm[slot] += tokens.documentFrequency(code) - removed.documents(code);
        }
      }
    }
  }

  private static void collectFields(TextQuery query, Set<Integer> fields) {
    if (query instanceof TextQuery.Term term) {
      fields.add(term.fieldNumber());
    } else if (query instanceof TextQuery.Phrase phrase) {
      fields.add(phrase.fieldNumber());
    } else if (query instanceof TextQuery.Pattern pattern) {
      fields.add(pattern.fieldNumber());
    } else if (query instanceof TextQuery.Bool bool) {
      clauses(bool).forEach(c -> collectFields(c.query(), fields));
    }
  }

  private void collectSlots(TextQuery query, Map<Slot, Integer> numbers) {
    if (query instanceof TextQuery.Term term) {
      numbers.putIfAbsent(slot(term.fieldNumber(), term.term()), numbers.size());
    } else if (query instanceof TextQuery.Phrase phrase) {
      phrase
          .terms()
          .forEach(t -> numbers.putIfAbsent(slot(phrase.fieldNumber(), t), numbers.size()));
    } else if (query instanceof TextQuery.Bool bool) {
      clauses(bool).forEach(c -> collectSlots(c.query(), numbers));
    }
  }

  private Slot slot(int fieldNumber, String term) {
    return new Slot(Arrays.binarySearch(fields, fieldNumber), term);
  }

  private Node compile(TextQuery query, Map<Slot, Integer> numbers) {
    if (query instanceof TextQuery.Term term) {
      return termsNode(term.fieldNumber(), List.of(term.term()), 0, term.boost(), numbers);
    }
    if (query instanceof TextQuery.Phrase phrase) {
      return termsNode(
          phrase.fieldNumber(), phrase.terms(), phrase.slop(), phrase.boost(), numbers);
    }
    if (query instanceof TextQuery.Pattern pattern) {
      return added(
          new PatternNode(
              nodes.size(),
              Arrays.binarySearch(fields, pattern.fieldNumber()),
              new TermPattern.Matcher(pattern.pattern()),
              pattern.boost()));
    }
    if (query instanceof TextQuery.Bool bool) {
      List<Occur> occurs = new ArrayList<>();
      List<Node> compiled = new ArrayList<>();
      for (Clause clause : clauses(bool)) {
        occurs.add(clause.occur());
        compiled.add(compile(clause.query(), numbers));
      }
      boolean hasMust = !bool.must().isEmpty();
      int leastShould = Math.max(bool.leastShould(), hasMust ? 0 : 1);
      return added(new BoolNode(nodes.size(), occurs, compiled, hasMust, leastShould));
    }
    return added(new NoneNode(nodes.size()));
  }

  private Node termsNode(
      int fieldNumber, List<String> terms, int slop, double boost, Map<Slot, Integer> numbers) {
    int[] places = new int[terms.size()];
    double idf = 0;
    boolean possible = places.length > 0;
    for (int i = 0; i < places.length; i++) {
      places[i] = numbers.get(slot(fieldNumber, terms.get(i)));
      idf += idfs[places[i]];
      possible &= idfs[places[i]] > 0;
    }
    if (!possible) {
      return added(new NoneNode(nodes.size()));
    }
    int field = slots.get(places[0]).field();
    double weight = formulas.get(field).weight(boost, idf);
    return added(new TermsNode(nodes.size(), field, places, slop, weight));
  }

  private Node added(Node node) {
    nodes.add(node);
    return node;
  }

  private static List<Clause> clauses(TextQuery.Bool bool) {
    List<Clause> all = new ArrayList<>();
    bool.must().forEach(q -> all.add(new Clause(Occur.MUST, q)));
    bool.should().forEach(q -> all.add(new Clause(Occur.SHOULD, q)));
    bool.mustNot().forEach(q -> all.add(new Clause(Occur.MUST_NOT, q)));
    all.sort(CLAUSE_ORDER);
    return all;
  }

  /** An order that depends on what the queries mean alone. */
  private static int compare(TextQuery a, TextQuery b) {
    if (a instanceof TextQuery.Term x && b instanceof TextQuery.Term y) {
      int byField = Integer.compare(x.fieldNumber(), y.fieldNumber());
      int byTerm = byField != 0 ? byField : x.term().compareTo(y.term());
      return byTerm != 0 ? byTerm : Double.compare(x.boost(), y.boost());
    }
    if (a instanceof TextQuery.Phrase x && b instanceof TextQuery.Phrase y) {
      int byField = Integer.compare(x.fieldNumber(), y.fieldNumber());
      int byTerms = byField != 0 ? byField : compare(x.terms(), y.terms(), String::compareTo);
      int bySlop = byTerms != 0 ? byTerms : Integer.compare(x.slop(), y.slop());
      return bySlop != 0 ? bySlop : Double.compare(x.boost(), y.boost());
    }
    if (a instanceof TextQuery.Pattern x && b instanceof TextQuery.Pattern y) {
      return PATTERN_ORDER.compare(x, y);
    }
    if (a instanceof TextQuery.Bool x && b instanceof TextQuery.Bool y) {
      int byClauses = compare(clauses(x), clauses(y), CLAUSE_ORDER);
      return byClauses != 0 ? byClauses : Integer.compare(x.leastShould(), y.leastShould());
    }
    return Integer.compare(kind(a), kind(b));
  }

  private static <T> int compare(List<T> a, List<T> b, Comparator<? super T> order) {
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      int first = order.compare(a.get(i), b.get(i));
      if (first != 0) {
        return first;
      }
    }
    return Integer.compare(a.size(), b.size());
  }

  private static int kind(TextQuery query) {
    if (query instanceof TextQuery.Term) {
      return 0;
    }
    if (query instanceof TextQuery.Phrase) {
      return 1;
    }
    if (query instanceof TextQuery.Pattern) {
      return 2;
    }
    return query instanceof TextQuery.Bool ? 3 : 4;
  }
}
