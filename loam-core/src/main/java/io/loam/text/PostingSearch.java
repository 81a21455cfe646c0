package io.loam.text;

import io.loam.doc.DocSet;
import io.loam.text.CompiledQuery.BoolNode;
import io.loam.text.CompiledQuery.Node;
import io.loam.text.CompiledQuery.Occur;
import io.loam.text.CompiledQuery.TermsNode;
import java.util.ArrayList;
import java.util.List;
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

  PostingSearch(LeafQuery leaf, DocSet allowed, DoubleSupplier floor, IntConsumer candidates) {
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

  abstract void run();

  final boolean canReachFloor(double bound) {
    return canReach(floor.getAsDouble(), bound);
  }

  /**
   * Whether an exact score may be no less than the floor, though rounded otherwise than a bound.
   */
  static boolean canReach(double floor, double bound) {
    return bound * ROUNDING >= floor;
  }
}
