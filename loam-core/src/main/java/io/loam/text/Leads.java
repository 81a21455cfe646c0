package io.loam.text;

import io.loam.text.CompiledQuery.BoolNode;
import io.loam.text.CompiledQuery.Node;
import io.loam.text.CompiledQuery.Occur;
import io.loam.text.CompiledQuery.PatternNode;
import io.loam.text.CompiledQuery.TermsNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Makes the leads of a query in a leaf. */
final class Leads {
  private Leads() {}

  /** Leads that together have all documents that match. */
  static Lead[] of(LeafQuery leaf) {
    List<Lead> leads = new ArrayList<>();
    add(leaf, leaf.query.root, 0, leads);
    return leads.toArray(Lead[]::new);
  }

  /**
   * @param constant what a document of the node gets besides, at most
   */
  private static void add(LeafQuery leaf, Node node, double constant, List<Lead> leads) {
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
      add(leaf, rarest, constant + others, leads);
    } else if (node instanceof BoolNode bool) {
      for (int i = 0; i < bool.clauses().size(); i++) {
        if (bool.occurs().get(i) == Occur.SHOULD) {
          add(leaf, bool.clauses().get(i), constant, leads);
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
}
