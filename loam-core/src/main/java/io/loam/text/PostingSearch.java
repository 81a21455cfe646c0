package io.loam.text;

import io.loam.doc.DocSet;
import io.loam.text.CompiledQuery.BoolNode;
import io.loam.text.CompiledQuery.Node;
import io.loam.text.CompiledQuery.Occur;
import io.loam.text.CompiledQuery.PatternNode;
import io.loam.text.CompiledQuery.TermsNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleSupplier;
import java.util.function.IntConsumer;

/**
 * Finds by postings the documents of one leaf whose scores may be among the best. What it passes on
 * may still not match; what it leaves out cannot reach the floor. Not safe for use by several
 * threads.
 */
abstract class PostingSearch {
  /** Makes up for sums that are not taken in the order of exact scores. */
  private static final double ROUNDING = 1 + 1e-9;

  final LeafQuery leaf;
  final DocSet allowed;
  private final DoubleSupplier floor;

  /** Documents that are passed on, each once. */
  final IntConsumer candidates;

  private PostingSearch(
      LeafQuery leaf, DocSet allowed, DoubleSupplier floor, IntConsumer candidates) {
    this.leaf = leaf;
    this.allowed = allowed;
    this.floor = floor;
    this.candidates = candidates;
  }

  /**
   * Passes candidates on in ascending order.
   *
   * @param floor the score below which no document is wanted; it never falls
   */
  static void run(LeafQuery leaf, DocSet allowed, DoubleSupplier floor, IntConsumer candidates) {
    List<TermsNode> required = required(leaf.query.root);
    PostingSearch search =
        required.isEmpty()
            ? new Disjunction(leaf, allowed, floor, candidates)
            : new Conjunction(leaf, allowed, floor, candidates, required);
    search.run();
  }

  /** What every matching document has, if that saves anything. */
  private static List<TermsNode> required(Node root) {
    List<TermsNode> required = new ArrayList<>();
    if (root instanceof TermsNode terms && terms.slots().length > 1) {
      required.add(terms);
    } else if (root instanceof BoolNode bool) {
      for (int i = 0; i < bool.clauses().size(); i++) {
        if (bool.occurs().get(i) == Occur.MUST && bool.clauses().get(i) instanceof TermsNode t) {
          required.add(t);
        }
      }
    }
    return required;
  }

  /**
   * Documents with a bound of what they get from a part of the query. Each document that matches is
   * in one of a query's leads, and its score is no greater than the sum over those that it is in.
   */
  private abstract static class Lead {
    /** Moves on; see {@link PostingCursor}. */
    abstract int next();

    abstract int advance(int target);

    abstract int blockEnd(int target);

    /** No document from {@code start} to {@code end} gets more from this. */
    abstract double bound(int start, int end);

    /** The document at hand gets no more from this. */
    abstract double score();
  }

  /** A term, or the rarest term of a phrase. */
  private static final class TermLead extends Lead {
    private final PostingCursor cursor;
    private final TokenReader lengths;
    private final CompiledQuery query;
    private final int field;
    private final double weight;
    private final double blockWeight;
    private final double constant;

    TermLead(LeafQuery leaf, TermsNode node, double constant) {
      this.cursor = leaf.cursor(leaf.rarestSlot(node));
      this.lengths = leaf.reader(node.field());
      this.query = leaf.query;
      this.field = node.field();
      // The count of a phrase whose words may move is not bounded by that of a word.
      boolean bounded = node.slop() == 0;
      this.weight = bounded ? node.weight() : 0;
      this.blockWeight = weight * leaf.exactByOwnStatistics(field);
      this.constant = constant + node.weight() - weight;
    }

    @Override
    int next() {
      return cursor.next();
    }

    @Override
    int advance(int target) {
      return cursor.advance(target);
    }

    @Override
    int blockEnd(int target) {
      return cursor.blockEnd(target);
    }

    @Override
    double bound(int start, int end) {
      float bound = cursor.bound(start, end);
      return bound == 0 ? 0 : constant + blockWeight * bound;
    }

    @Override
    double score() {
      return score(cursor.frequency());
    }

    double score(int frequency) {
      int length = lengths.length(cursor.doc());
      double norm = query.formula.norm(length, query.averageLengths[field]);
      return constant + weight * frequency / (frequency + norm);
    }
  }

  /** Documents that all get the same. */
  private static final class SetLead extends Lead {
    private final DocSet docs;
    private final double constant;
    private int doc = -1;

    SetLead(DocSet docs, double constant) {
      this.docs = docs;
      this.constant = constant;
    }

    @Override
    int next() {
      return advance(doc + 1);
    }

    @Override
    int advance(int target) {
      if (doc < target) {
        int found = docs.next(target);
        doc = found < 0 ? PostingCursor.END : found;
      }
      return doc;
    }

    @Override
    int blockEnd(int target) {
      return docs.next(target) < 0 ? PostingCursor.END : docs.size() - 1;
    }

    @Override
    double bound(int start, int end) {
      return constant;
    }

    @Override
    double score() {
      return constant;
    }
  }

  private static List<Lead> leads(LeafQuery leaf, Node node, double constant) {
    List<Lead> leads = new ArrayList<>();
    addLeads(leaf, node, constant, leads);
    return leads;
  }

  private static void addLeads(LeafQuery leaf, Node node, double constant, List<Lead> leads) {
    if (leaf.mostMatches(node) == 0) {
      return;
    }
    if (node instanceof TermsNode terms) {
      leads.add(new TermLead(leaf, terms, constant));
    } else if (node instanceof PatternNode pattern) {
      leads.add(new SetLead(leaf.docs(pattern), constant + pattern.boost()));
    } else if (node instanceof BoolNode bool && bool.hasMust()) {
      Node rarest = rarestMust(leaf, bool);
      double others = leaf.greatestScore(bool) - leaf.greatestScore(rarest);
      addLeads(leaf, rarest, constant + others, leads);
    } else if (node instanceof BoolNode bool) {
      for (int i = 0; i < bool.clauses().size(); i++) {
        if (bool.occurs().get(i) == Occur.SHOULD) {
          addLeads(leaf, bool.clauses().get(i), constant, leads);
        }
      }
    }
  }

  private static Node rarestMust(LeafQuery leaf, BoolNode bool) {
    Node rarest = null;
    for (int i = 0; i < bool.clauses().size(); i++) {
      Node clause = bool.clauses().get(i);
      if (bool.occurs().get(i) == Occur.MUST
          && (rarest == null || leaf.mostMatches(clause) < leaf.mostMatches(rarest))) {
        rarest = clause;
      }
    }
    return Objects.requireNonNull(rarest);
  }

  abstract void run();

  final boolean canReachFloor(double bound) {
    return bound * ROUNDING >= floor.getAsDouble();
  }

  /**
   * Block-max MaxScore (Chakrabarti, Chaudhuri, Ganti: Interval-based pruning for top-k processing
   * over compressed lists). In each window of doc ids, leads whose bounds together stay below the
   * floor only add to documents that other leads find.
   */
  private static final class Disjunction extends PostingSearch {
    private static final int LEAST_WINDOW = 256;
    private static final int MOST_WINDOW = 4_096;

    /** By falling bound in the window. */
    private final Lead[] leads;

    private final double[] bounds;

    /** By place, the sum of all bounds from it on. */
    private final double[] rest;

    private final double[] sums = new double[MOST_WINDOW];
    private final long[] found = new long[MOST_WINDOW >>> 6];

    Disjunction(LeafQuery leaf, DocSet allowed, DoubleSupplier floor, IntConsumer candidates) {
      super(leaf, allowed, floor, candidates);
      this.leads = leads(leaf, leaf.query.root, 0).toArray(Lead[]::new);
      this.bounds = new double[leads.length];
      this.rest = new double[leads.length + 1];
    }

    @Override
    void run() {
      int start = 0;
      while (true) {
        start = allowed.next(start);
        int end = start < 0 ? -1 : windowEnd(start);
        if (end < 0) {
          return;
        }
        setBounds(start, end);
        int essential = leads.length;
        while (essential > 0 && !canReachFloor(rest[essential - 1])) {
          essential--;
        }
        if (essential == 1) {
          visitOne(start, end);
        } else if (essential > 1) {
          visit(start, end, essential);
        }
        start = end + 1;
      }
    }

    /** The last document of the window, or -1 if no lead has documents from {@code start} on. */
    private int windowEnd(int start) {
      int end = PostingCursor.END;
      for (Lead lead : leads) {
        int blockEnd = lead.blockEnd(start);
        if (blockEnd != PostingCursor.END) {
          end = Math.min(end, Math.max(blockEnd, start + LEAST_WINDOW - 1));
        }
      }
      if (end == PostingCursor.END) {
        return -1;
      }
      return Math.min(Math.min(end, start + MOST_WINDOW - 1), leaf.documentCount - 1);
    }

    private void setBounds(int start, int end) {
      for (int i = 0; i < leads.length; i++) {
        Lead lead = leads[i];
        double bound = lead.bound(start, end);
        int place = i;
        for (; place > 0 && bounds[place - 1] < bound; place--) {
          bounds[place] = bounds[place - 1];
          leads[place] = leads[place - 1];
        }
        bounds[place] = bound;
        leads[place] = lead;
      }
      for (int i = leads.length - 1; i >= 0; i--) {
        rest[i] = rest[i + 1] + bounds[i];
      }
    }

    private void visitOne(int start, int end) {
      Lead lead = leads[0];
      for (int doc = lead.advance(start); doc <= end; doc = lead.next()) {
        if (allowed.contains(doc)) {
          offer(doc, lead.score(), 1);
        }
      }
    }

    private void visit(int start, int end, int essential) {
      for (int i = 0; i < essential; i++) {
        Lead lead = leads[i];
        for (int doc = lead.advance(start); doc <= end; doc = lead.next()) {
          int place = doc - start;
          found[place >>> 6] |= 1L << place;
          sums[place] += lead.score();
        }
      }
      int words = ((end - start) >>> 6) + 1;
      for (int word = 0; word < words; word++) {
        for (long bits = found[word]; bits != 0; bits &= bits - 1) {
          int place = (word << 6) + Long.numberOfTrailingZeros(bits);
          double sum = sums[place];
          sums[place] = 0;
          if (allowed.contains(start + place)) {
            offer(start + place, sum, essential);
          }
        }
        found[word] = 0;
      }
    }

    /** Adds what the other leads bring, while the floor can be reached. */
    private void offer(int doc, double sumOfEssential, int essential) {
      double sum = sumOfEssential;
      for (int i = essential; i < leads.length; i++) {
        if (!canReachFloor(sum + rest[i])) {
          return;
        }
        if (leads[i].advance(doc) == doc) {
          sum += leads[i].score();
        }
      }
      if (canReachFloor(sum)) {
        candidates.accept(doc);
      }
    }
  }

  /** The rarest term leads, and the others are looked up; blocks below the floor are skipped. */
  private static final class Conjunction extends PostingSearch {
    private final List<TermLead> leads = new ArrayList<>();

    /** By lead, all cursors of its terms. */
    private final List<PostingCursor[]> terms = new ArrayList<>();

    /** What clauses without a lead bring at most. */
    private final double constant;

    private int windowEnd = -1;
    private double windowBound;

    Conjunction(
        LeafQuery leaf,
        DocSet allowed,
        DoubleSupplier floor,
        IntConsumer candidates,
        List<TermsNode> required) {
      super(leaf, allowed, floor, candidates);
      double others = leaf.greatestScore(leaf.query.root);
      List<TermsNode> rarestFirst = new ArrayList<>(required);
      rarestFirst.sort(Comparator.comparingInt(leaf::mostMatches));
      for (TermsNode node : rarestFirst) {
        TermLead lead = new TermLead(leaf, node, 0);
        leads.add(lead);
        terms.add(cursors(leaf, node, lead.cursor));
        others -= leaf.greatestScore(node);
      }
      this.constant = Math.max(0, others);
    }

    /** The lead's own first. */
    private static PostingCursor[] cursors(LeafQuery leaf, TermsNode node, PostingCursor first) {
      List<PostingCursor> cursors = new ArrayList<>(List.of(first));
      int rarest = leaf.rarestSlot(node);
      Arrays.stream(node.slots())
          .distinct()
          .filter(slot -> slot != rarest)
          .mapToObj(leaf::cursor)
          .sorted(Comparator.comparingInt(PostingCursor::size))
          .forEach(cursors::add);
      return cursors.toArray(PostingCursor[]::new);
    }

    @Override
    void run() {
      PostingCursor first = leads.get(0).cursor;
      int doc = first.advance(0);
      while (doc != PostingCursor.END) {
        int wanted = allowed.next(doc);
        if (wanted < 0) {
          return;
        }
        if (wanted == doc) {
          wanted = doc > windowEnd && !setWindow(doc) ? PostingCursor.END : wanted;
          if (wanted == doc && !canReachFloor(windowBound)) {
            wanted = windowEnd + 1;
          }
        }
        if (wanted == doc) {
          wanted = advanceOthers(doc);
        }
        if (wanted == doc) {
          if (canReachFloor(scoreBound())) {
            candidates.accept(doc);
          }
          wanted = doc + 1;
        }
        doc = wanted == PostingCursor.END ? wanted : first.advance(wanted);
      }
    }

    /** False if a lead has no documents from {@code start} on. */
    private boolean setWindow(int start) {
      int end = PostingCursor.END;
      for (Lead lead : leads) {
        int blockEnd = lead.blockEnd(start);
        if (blockEnd == PostingCursor.END) {
          return false;
        }
        end = Math.min(end, blockEnd);
      }
      windowEnd = end;
      windowBound = constant;
      for (Lead lead : leads) {
        windowBound += lead.bound(start, end);
      }
      return true;
    }

    /** {@code doc} if it has all terms, else a document before which there is none that has. */
    private int advanceOthers(int doc) {
      for (PostingCursor[] cursors : terms) {
        for (PostingCursor cursor : cursors) {
          int found = cursor.advance(doc);
          if (found != doc) {
            return found;
          }
        }
      }
      return doc;
    }

    private double scoreBound() {
      double sum = constant;
      for (int i = 0; i < leads.size(); i++) {
        int frequency = Integer.MAX_VALUE;
        for (PostingCursor cursor : terms.get(i)) {
          frequency = Math.min(frequency, cursor.frequency());
        }
        sum += leads.get(i).score(frequency);
      }
      return sum;
    }
  }
}
