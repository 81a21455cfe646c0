package io.loam.text;

import io.loam.doc.DocSet;
import java.util.function.DoubleSupplier;
import java.util.function.IntConsumer;

/**
 * Block-max MaxScore (Chakrabarti, Chaudhuri, Ganti: Interval-based pruning for top-k processing
 * over compressed lists). In each window of doc ids, leads whose bounds together stay below the
 * floor only add to documents that other leads find.
 */
final class Disjunction extends PostingSearch {
  private static final int LEAST_WINDOW = 256;
  private static final int MOST_WINDOW = 4_096;

  /** By falling bound in the window. */
  private final Lead[] leads;

  private final double[] bounds;

  /** By place, the sum of all bounds from it on. */
  private final double[] rest;

  /** By place in the window; made when several leads are visited together. */
  private double[] sums = {};

  private final long[] found = new long[MOST_WINDOW >>> 6];

  Disjunction(LeafQuery leaf, DocSet allowed, DoubleSupplier floor, IntConsumer candidates) {
    super(leaf, allowed, floor, candidates);
    this.leads = Leads.of(leaf);
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
    if (sums.length == 0) {
      sums = new double[Math.min(MOST_WINDOW, leaf.documentCount)];
    }
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
