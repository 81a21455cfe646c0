package io.loam.text;

import io.loam.doc.DocSet;
import io.loam.text.CompiledQuery.TermsNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.IntConsumer;

/** The rarest term leads, and the others are looked up; blocks below the floor are skipped. */
final class Conjunction extends PostingSearch {
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
      terms.add(cursors(leaf, node, lead.cursor()));
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
    PostingCursor first = leads.get(0).cursor();
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
